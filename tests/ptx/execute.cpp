/* Runs translated kernels: blocks one after another, the threads of a block one after another, or, if they cooperate,
   as fibers that give way at barriers, shuffles and votes. Nothing here is reentrant: the stand-in holds its lock while
   a kernel runs. */
#include "execute.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <memory>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PTX_ASAN 1
#elif __has_feature(thread_sanitizer)
#define PTX_TSAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define PTX_ASAN 1
#elif defined(__SANITIZE_THREAD__)
#define PTX_TSAN 1
#endif

#ifdef PTX_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef PTX_TSAN
#include <sanitizer/tsan_interface.h>
#endif

namespace ptx {

/* ---------------------------------------------------------------------------------------------------------- modules */

using Versions = std::map<uint32_t, Found>; // of a kernel, by target

static std::map<std::string, Versions> &kernels() {
  static auto *all = new std::map<std::string, Versions>; // never destroyed: it is used at exit
  return *all;
}

static bool replacing;
static std::vector<const Module *> *collected; // where a library is being loaded

bool register_module(const Module &module) {
  if (collected) return collected->push_back(&module), true;
  for (uint32_t i = 0; i < module.kernel_count; i++) {
    const Kernel &k = module.kernels[i];
    auto [at, is_new] = kernels()[k.name].insert({module.target, {&module, &k}});
    if (is_new) continue;
    if (!replacing) {
      fprintf(stderr, "standin: kernel %s is in both %s and %s\n", k.name, at->second.module->source, module.source);
      abort();
    }
    at->second = {&module, &k};
  }
  return true;
}

/* Kernels of a library that take the place of those of the same names. */
static bool replace_kernels(const char *file) {
  replacing = true;
  if (file && !dlopen(file, RTLD_NOW)) {
    fprintf(stderr, "standin: %s\n", dlerror());
    abort();
  }
  return file;
}

std::vector<const Module *> load_modules(const std::string &file) {
  static std::map<std::string, std::vector<const Module *>> loaded; // as long as the process
  auto [at, is_new] = loaded.insert({file, {}});
  if (!is_new) return at->second;
  collected = &at->second;
  if (!dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) fprintf(stderr, "standin: %s\n", dlerror());
  collected = nullptr;
  return at->second;
}

Found find_kernel(const std::string &name, uint32_t capability) {
  static const bool replaced = replace_kernels(getenv("STANDIN_REPLACE")); // by now all modules are registered
  (void)replaced;
  auto at = kernels().find(name);
  if (at == kernels().end()) return {nullptr, nullptr};
  auto above = at->second.upper_bound(capability);
  return above == at->second.begin() ? Found{nullptr, nullptr} : std::prev(above)->second;
}

/* ----------------------------------------------------------------------------------------------------------- memory */

void fill_poison(unsigned char *at, uint64_t bytes) {
  for (uint64_t i = 0; i < bytes; i += sizeof POISON) memcpy(at + i, &POISON, bytes - i < 8 ? bytes - i : 8);
}

const Span *find_span(const Memory &memory, uint64_t address, uint64_t bytes) {
  auto after = memory.upper_bound(address);
  if (after == memory.begin()) return nullptr;
  const Span &span = std::prev(after)->second;
  uint64_t from = address - span.base;
  return from < span.size && span.size - from >= bytes ? &span : nullptr;
}

/* Who accessed a byte of shared memory in one way since the last barrier. Enough to tell whether a further access is
   ordered after all of them: by the barrier, by the warp's own synchronisation, or by being the same thread's. */
struct Accesses {
  uint32_t epoch = 0, warp_epoch = 0, thread = 0;
  bool many_warps = false, many_lanes = false;
};

struct Cell {
  Accesses by[3]; // indexed by Access
};

enum State { READY, AT_BARRIER, AT_WARP, DONE };

/* Where a stack of its own goes on. */
struct Context {
  ucontext_t start;
  jmp_buf at;
  bool entered;
};

struct Fiber {
  Thread thread{};
  State state = DONE;
  uint32_t barrier_id = 0, barrier_result = 0;
  Reduction reduction = RED_NONE;
  bool predicate = false;
  WarpOp op{};
  uint32_t mask = 0, a = 0, b = 0, c = 0;
  WarpResult result{};

  Context context{};
  unsigned char *stack = nullptr;
  bool started = false;
  void *fake_stack = nullptr; // AddressSanitizer's
  void *tsan_fiber = nullptr; // ThreadSanitizer's
  std::unique_ptr<Fault> fault;
};

struct Block {
  Launch *launch = nullptr;
  std::vector<unsigned char> shared;
  std::vector<Cell> cells;
  std::vector<uint32_t> warp_epochs;
  uint32_t epoch = 0, threads = 0;
};

static std::string where(const Thread &t) {
  char text[160];
  snprintf(text, sizeof text, ", block (%u,%u,%u), thread (%u,%u,%u): ", t.ctaid[0], t.ctaid[1], t.ctaid[2], t.tid[0],
           t.tid[1], t.tid[2]);
  return std::string("kernel ") + t.block->launch->kernel->name + text;
}

void fault(Thread &t, const char *what, uint64_t address, uint64_t bytes) {
  if (!what) throw Fault{Fault::FAILURE, where(t) + "trap"};
  char text[200];
  bool misaligned = bytes && address % bytes;
  if (bytes)
    snprintf(text, sizeof text, "%s access to %s: %llu bytes at 0x%llx", misaligned ? "misaligned" : "out of bounds",
             what, (unsigned long long)bytes, (unsigned long long)address);
  else snprintf(text, sizeof text, "outside of %s: %llu", what, (unsigned long long)address);
  throw Fault{misaligned ? Fault::MISALIGNED : Fault::ILLEGAL_ADDRESS, where(t) + text};
}

unsigned char *find(Thread &t, Space space, uint64_t address, uint64_t bytes) {
  const Span *span = find_span(*t.block->launch->memory, address, bytes);
  bool is_const = address & CONST_PART;
  if (!span || is_const != (space == CONST) || address % bytes) {
    fault(t, space == CONST ? "constant memory" : "global memory", address, bytes);
  }
  t.hit[space] = *span;
  return span->host + (address - span->base);
}

void grow_local(Thread &t, uint64_t size) {
  if (size > t.local_capacity) {
    t.local_capacity = size + 1024;
    t.local.host = static_cast<unsigned char *>(realloc(t.local.host, t.local_capacity));
  }
  fill_poison(t.local.host + t.local.size, size - t.local.size);
  t.local.size = size;
}

static bool unordered_with(const Accesses &earlier, const Thread &t) {
  const Block &block = *t.block;
  if (earlier.epoch != block.epoch) return false;
  if (earlier.many_warps || earlier.thread / 32 != t.linear / 32) return true;
  return earlier.warp_epoch == block.warp_epochs[t.linear / 32] && (earlier.many_lanes || earlier.thread != t.linear);
}

static void add_access(Accesses &all, const Thread &t) {
  const Block &block = *t.block;
  uint32_t warp_epoch = block.warp_epochs[t.linear / 32];
  if (all.epoch != block.epoch) {
    all = {block.epoch, warp_epoch, t.linear, false, false};
    return;
  }
  bool other_warp = all.thread / 32 != t.linear / 32;
  bool same_epoch = !other_warp && all.warp_epoch == warp_epoch;
  all.many_lanes = same_epoch && (all.many_lanes || all.thread != t.linear);
  all.many_warps = all.many_warps || other_warp;
  all.warp_epoch = warp_epoch;
  all.thread = t.linear;
}

/* Only reads may go with reads, and only atomics with atomics. */
void track_shared(Thread &t, uint64_t offset, uint64_t bytes, Access access) {
  static const bool conflict[3][3] = {{false, true, true}, {true, true, true}, {true, true, false}};
  static const char *const names[3] = {"read", "write", "atomic"};
  for (uint64_t i = offset; i < offset + bytes; i++) {
    Cell &cell = t.block->cells[i];
    for (int earlier = 0; earlier < 3; earlier++) {
      if (!conflict[earlier][access] || !unordered_with(cell.by[earlier], t)) continue;
      char text[160];
      snprintf(text, sizeof text, "race in shared memory: %s at byte %llu, %s by thread %u not separated by a barrier",
               names[access], (unsigned long long)i, names[earlier], cell.by[earlier].thread);
      throw Fault{Fault::FAILURE, where(t) + text};
    }
    add_access(cell.by[access], t);
  }
}

/* ----------------------------------------------------------------------------------------------------------- fibers */

constexpr size_t STACK_BYTES = 256 << 10;

static Context scheduler;
static Fiber *current;
[[maybe_unused]] static void *scheduler_tsan;
[[maybe_unused]] static void *scheduler_fake;
[[maybe_unused]] static const void *scheduler_stack;
[[maybe_unused]] static size_t scheduler_stack_bytes;

/* Fibers are kept for the next block. */
static std::vector<std::unique_ptr<Fiber>> &pool() {
  static auto *fibers = new std::vector<std::unique_ptr<Fiber>>;
  return *fibers;
}

/* What swapcontext does, without its system calls: a context is entered by setcontext once and by _longjmp afterwards.
   The sanitizers are told of the switch elsewhere and would stumble over _longjmp. */
[[gnu::noinline]] static void switch_context(Context &from, Context &to) {
#if defined(PTX_ASAN) || defined(PTX_TSAN)
  volatile bool is_back = false; // getcontext returns a second time when somebody switches to `from`
  getcontext(&from.start);
  if (is_back) return;
  is_back = true;
  setcontext(&to.start);
#else
  if (_setjmp(from.at)) return;
  from.entered = true;
  if (to.entered) _longjmp(to.at, 1);
  setcontext(&to.start);
#endif
}

static void switch_to_scheduler(Fiber &f) {
#ifdef PTX_ASAN
  __sanitizer_start_switch_fiber(&f.fake_stack, scheduler_stack, scheduler_stack_bytes);
#endif
#ifdef PTX_TSAN
  __tsan_switch_to_fiber(scheduler_tsan, 0);
#endif
  switch_context(f.context, scheduler);
#ifdef PTX_ASAN
  __sanitizer_finish_switch_fiber(f.fake_stack, &scheduler_stack, &scheduler_stack_bytes);
#endif
}

static void switch_to_fiber(Fiber &f) {
  current = &f;
#ifdef PTX_ASAN
  __sanitizer_start_switch_fiber(&scheduler_fake, f.stack, STACK_BYTES);
#endif
#ifdef PTX_TSAN
  scheduler_tsan = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(f.tsan_fiber, 0);
#endif
  switch_context(scheduler, f.context);
#ifdef PTX_ASAN
  __sanitizer_finish_switch_fiber(scheduler_fake, nullptr, nullptr);
#endif
}

/* A fiber runs one thread after another, for ever. */
static void fiber_main() {
  Fiber &f = *current;
#ifdef PTX_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &scheduler_stack, &scheduler_stack_bytes);
#endif
  for (;;) {
    try {
      f.thread.block->launch->kernel->run(f.thread);
    } catch (Fault &fault) {
      f.fault.reset(new Fault(fault));
    }
    f.state = DONE;
    switch_to_scheduler(f);
  }
}

static void start_fiber(Fiber &f) {
  if (!f.stack) {
    void *stack =
        mmap(nullptr, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack == MAP_FAILED) throw Fault{Fault::FAILURE, "no memory for the stacks of a block"};
    mprotect(stack, 4096, PROT_NONE); // running over the end faults
    f.stack = static_cast<unsigned char *>(stack);
  }
#ifdef PTX_ASAN
  __asan_unpoison_memory_region(f.stack + 4096, STACK_BYTES - 4096); // a fiber given up in the middle left its marks
#endif
#ifdef PTX_TSAN
  if (f.tsan_fiber) __tsan_destroy_fiber(f.tsan_fiber);
  f.tsan_fiber = __tsan_create_fiber(0);
#endif
  f.context.entered = false;
  getcontext(&f.context.start);
  f.context.start.uc_stack.ss_sp = f.stack;
  f.context.start.uc_stack.ss_size = STACK_BYTES;
  f.context.start.uc_link = nullptr;
  makecontext(&f.context.start, fiber_main, 0);
  f.started = true;
}

/* ------------------------------------------------------------------------------------------------------ cooperation */

uint32_t barrier(Thread &, uint32_t id, Reduction reduction, bool predicate) {
  Fiber &f = *current;
  f.state = AT_BARRIER;
  f.barrier_id = id;
  f.reduction = reduction;
  f.predicate = predicate;
  switch_to_scheduler(f);
  return f.barrier_result;
}

WarpResult warp(Thread &t, WarpOp op, uint32_t mask, uint32_t a, uint32_t b, uint32_t c) {
  Fiber &f = *current;
  if (!(mask >> lane(t) & 1)) throw Fault{Fault::FAILURE, where(t) + "a lane that is not in its own member mask"};
  f.state = AT_WARP;
  f.op = op;
  f.mask = mask;
  f.a = a, f.b = b, f.c = c;
  switch_to_scheduler(f);
  return f.result;
}

/* The manual's definition of shfl: the lane whose value is taken, and whether it is in range. */
static WarpResult source_lane(const Fiber &f, uint32_t lane) {
  uint32_t b = f.b & 31, clamp = f.c & 31, segment = f.c >> 8 & 31;
  uint32_t top = (lane & segment) | (clamp & ~segment & 31), bottom = lane & segment;
  int from = 0;
  bool in_range = false;
  switch (f.op) {
  case SHFL_UP: from = (int)lane - (int)b, in_range = from >= (int)top; break;
  case SHFL_DOWN: from = (int)(lane + b), in_range = from <= (int)top; break;
  case SHFL_BFLY: from = (int)(lane ^ b), in_range = from <= (int)top; break;
  default: from = (int)(bottom | (b & ~segment & 31)), in_range = from <= (int)top; break;
  }
  return {in_range ? (uint32_t)from : lane, in_range};
}

static uint32_t reduce(WarpOp op, uint32_t a, uint32_t b) {
  switch (op) {
  case REDUX_ADD: return a + b;
  case REDUX_UMIN: return a < b ? a : b;
  case REDUX_UMAX: return a > b ? a : b;
  case REDUX_SMIN: return (int32_t)a < (int32_t)b ? a : b;
  case REDUX_SMAX: return (int32_t)a > (int32_t)b ? a : b;
  case REDUX_AND: return a & b;
  case REDUX_OR: return a | b;
  default: return a ^ b;
  }
}

/* The lanes of `mask` have all arrived with the same operation: gives each its result. */
static void resolve_warp(Block &block, Fiber *const *lanes, uint32_t mask, uint32_t present) {
  uint32_t ballot = 0, reduced = 0;
  bool first = true;
  for (uint32_t i = 0; i < 32; i++) {
    if (!(mask >> i & 1)) continue;
    ballot |= (lanes[i]->a ? 1u : 0u) << i;
    reduced = first ? lanes[i]->a : reduce(lanes[i]->op, reduced, lanes[i]->a);
    first = false;
  }
  for (uint32_t i = 0; i < 32; i++) {
    if (!(mask >> i & 1)) continue;
    Fiber &f = *lanes[i];
    if (f.op <= SHFL_IDX) {
      WarpResult source = source_lane(f, i);
      if (!(mask >> source.value & 1)) {
        throw Fault{Fault::FAILURE, where(f.thread) + "a shuffle from a lane that does not take part"};
      }
      f.result = {lanes[source.value]->a, source.predicate};
    } else if (f.op == VOTE_ALL) f.result.value = ballot == mask;
    else if (f.op == VOTE_ANY) f.result.value = ballot != 0;
    else if (f.op == VOTE_UNI) f.result.value = ballot == mask || ballot == 0;
    else if (f.op == VOTE_BALLOT) f.result.value = ballot;
    else f.result.value = reduced;
  }
  for (uint32_t i = 0; i < 32; i++) {
    if (mask >> i & 1) lanes[i]->state = READY;
  }
  /* Only a synchronisation of the whole warp is known to the search for races. */
  uint32_t i = (uint32_t)__builtin_ctz(mask);
  if (lanes[i]->op == WARP_SYNC && (mask & present) == present) block.warp_epochs[lanes[i]->thread.linear / 32]++;
}

/* Lets go on those lanes of one warp whose partners have all arrived. */
static bool release_warp(Block &block, uint32_t first) {
  Fiber *lanes[32] = {};
  uint32_t present = 0;
  bool released = false;
  for (uint32_t i = 0; i < 32 && first + i < block.threads; i++) {
    lanes[i] = pool()[first + i].get();
    if (lanes[i]->state != DONE) present |= 1u << i;
  }
  for (uint32_t i = 0; i < 32; i++) {
    if (!lanes[i] || lanes[i]->state != AT_WARP) continue;
    uint32_t mask = lanes[i]->mask;
    bool complete = true;
    for (uint32_t j = 0; j < 32 && complete; j++) {
      if (!(mask >> j & 1)) continue;
      complete = lanes[j] && lanes[j]->state == AT_WARP && lanes[j]->mask == mask && lanes[j]->op == lanes[i]->op;
    }
    if (complete) resolve_warp(block, lanes, mask, present), released = true;
  }
  return released;
}

static bool release_barrier(Block &block) {
  uint32_t set = 0;
  const Fiber &first = *pool()[0];
  for (uint32_t i = 0; i < block.threads; i++) {
    const Fiber &f = *pool()[i];
    if (f.state != AT_BARRIER || f.barrier_id != first.barrier_id || f.reduction != first.reduction) return false;
    set += f.predicate;
  }
  uint32_t result = first.reduction == RED_POPC ? set : first.reduction == RED_AND ? set == block.threads : set > 0;
  for (uint32_t i = 0; i < block.threads; i++) {
    pool()[i]->barrier_result = result;
    pool()[i]->state = READY;
  }
  block.epoch++;
  return true;
}

/* No thread can go on: says who waits for whom. */
[[noreturn]] static void report_deadlock(const Block &block) {
  const Fiber *waiting = nullptr, *other = nullptr;
  for (uint32_t i = 0; i < block.threads; i++) {
    const Fiber *f = pool()[i].get();
    if (f->state != DONE && (!waiting || (waiting->state == AT_BARRIER && f->state == AT_WARP))) waiting = f;
  }
  uint32_t base = waiting->thread.linear / 32 * 32;
  bool in_warp = waiting->state == AT_WARP;
  for (uint32_t i = 0; i < block.threads && !other; i++) {
    const Fiber *f = pool()[i].get();
    bool wanted = !in_warp || (i >= base && i < base + 32 && (waiting->mask >> (i - base) & 1));
    bool arrived = f->state == waiting->state &&
                   (in_warp ? f->mask == waiting->mask && f->op == waiting->op : f->barrier_id == waiting->barrier_id);
    if (wanted && !arrived) other = f;
  }
  std::string text = in_warp ? "a shuffle, vote or warp barrier whose lanes are not all there: "
                             : "a barrier that is not reached by all threads: ";
  if (!other) text += "a lane of the mask does not exist";
  else
    text +=
        "thread " + std::to_string(other->thread.linear) + (other->state == DONE ? " has ended" : " waits elsewhere");
  throw Fault{Fault::FAILURE, where(waiting->thread) + text};
}

/* ----------------------------------------------------------------------------------------------------------- blocks */

static void prepare_thread(Thread &t, Block &block, const uint32_t at[3], uint32_t linear) {
  Launch &launch = *block.launch;
  const uint32_t *n = launch.block;
  const uint32_t tid[3] = {linear % n[0], linear / n[0] % n[1], linear / n[0] / n[1]};
  for (int i = 0; i < 3; i++) {
    t.tid[i] = tid[i];
    t.ntid[i] = n[i];
    t.ctaid[i] = at[i];
    t.nctaid[i] = launch.grid[i];
  }
  t.linear = linear;
  t.hit[GLOBAL] = t.hit[CONST] = {};
  t.shared = {OFFSET, block.shared.size(), block.shared.data()};
  t.local.base = OFFSET;
  t.local.size = 0;
  t.param = {OFFSET, launch.parameters.size(), launch.parameters.data()};
  t.dynamic_shared = OFFSET + block.shared.size() - launch.dynamic_shared;
  t.variables = launch.variables;
  t.count = launch.count;
  t.block = &block;
}

/* Position i of n in the order that was asked for. */
static uint32_t ordered(const Launch &launch, uint32_t i, uint32_t n) {
  return launch.reverse ? n - 1 - i : i;
}

static void run_independent(Block &block, const uint32_t at[3]) {
  Thread t{};
  struct Free { // the thread's local memory, also after a fault
    Thread &t;
    ~Free() {
      free(t.local.host);
    }
  } guard{t};
  for (uint32_t i = 0; i < block.threads; i++) {
    prepare_thread(t, block, at, ordered(*block.launch, i, block.threads));
    block.launch->kernel->run(t);
  }
}

static bool run_ready(Block &block) {
  bool ended = true;
  for (uint32_t i = 0; i < block.threads; i++) {
    Fiber &f = *pool()[ordered(*block.launch, i, block.threads)];
    if (f.state == READY) switch_to_fiber(f);
    if (f.fault) throw Fault(*f.fault);
    if (f.state != DONE) ended = false;
  }
  return ended;
}

static void run_fibers(Block &block, const uint32_t at[3]) {
  while (pool().size() < block.threads) pool().emplace_back(new Fiber);
  for (uint32_t i = 0; i < block.threads; i++) {
    Fiber &f = *pool()[i];
    prepare_thread(f.thread, block, at, i);
    if (!f.started) start_fiber(f);
    f.state = READY;
    f.fault.reset();
  }
  while (!run_ready(block)) {
    bool released = release_barrier(block);
    for (uint32_t i = 0; i < block.threads; i += 32) released |= release_warp(block, i);
    if (!released) report_deadlock(block);
  }
}

/* Fibers that were given up in the middle of a kernel start anew next time. */
static void abandon_fibers() {
  for (auto &f : pool()) {
    if (f->state != DONE) f->started = false;
    f->state = DONE;
    f->fault.reset();
  }
}

static void run_block(Block &block, const uint32_t at[3]) {
  block.epoch++;
  fill_poison(block.shared.data(), block.shared.size());
  if (!block.launch->kernel->cooperates) return run_independent(block, at);
  try {
    run_fibers(block, at);
  } catch (...) {
    abandon_fibers();
    throw;
  }
}

void run(Launch &launch) {
  Block block;
  block.launch = &launch;
  block.threads = launch.block[0] * launch.block[1] * launch.block[2];
  /* Dynamic shared memory follows the static part, aligned to 16. */
  uint64_t bytes = launch.kernel->static_shared;
  if (launch.dynamic_shared) bytes = (bytes + 15) / 16 * 16 + launch.dynamic_shared;
  block.shared.resize(bytes);
  block.cells.resize(bytes);
  block.warp_epochs.resize((block.threads + 31) / 32);
  uint64_t blocks = (uint64_t)launch.grid[0] * launch.grid[1] * launch.grid[2];
  for (uint64_t i = 0; i < blocks; i++) {
    uint64_t b = launch.reverse ? blocks - 1 - i : i;
    const uint32_t at[3] = {(uint32_t)(b % launch.grid[0]), (uint32_t)(b / launch.grid[0] % launch.grid[1]),
                            (uint32_t)(b / launch.grid[0] / launch.grid[1])};
    run_block(block, at);
  }
}

} // namespace ptx
