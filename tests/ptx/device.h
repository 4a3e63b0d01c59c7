/* What translated PTX is written in: the state of one CUDA thread, checked memory accesses, and the instructions that
   C++ has no operator for. `translate` writes code against this file, execute.cpp runs it.

   Addresses. Device memory is handed out at addresses that no host pointer has (bit 52 upwards is never zero), never
   twice, so that a device pointer used on the host faults and a stale one is found. The other spaces are small windows:
   within its own space an address is OFFSET + position, as a generic address the window's base is added. OFFSET keeps
   null out of them. */
#ifndef PTX_DEVICE_H
#define PTX_DEVICE_H

#include <cstdint>
#include <cstring>

namespace ptx {

constexpr uint64_t OFFSET = 0x1000;
constexpr uint64_t DEVICE_STRIDE = 0x0010000000000000; // device d owns [d+1, d+2) times this
constexpr uint64_t CONST_PART = 0x0008000000000000;    // constants stand in the upper half of that
constexpr uint64_t SHARED_WINDOW = 0x7001000000000000;
constexpr uint64_t LOCAL_WINDOW = 0x7002000000000000;
constexpr uint64_t PARAM_WINDOW = 0x7003000000000000;
constexpr uint64_t CANONICAL_NAN = 0x7fffffffffffffff;
constexpr uint64_t POISON = 0x7ff4deadbeeff00d; // a signalling NaN, and no plausible integer

enum Access { READ, WRITE, ATOMIC };
enum Space { GLOBAL, CONST };

/* A stretch of memory: `size` bytes at address `base` are kept at `host`. */
struct Span {
  uint64_t base, size;
  unsigned char *host;
};

struct Block; // execute.cpp: the threads of one block and who waits for whom

/* One CUDA thread. */
struct Thread {
  uint32_t tid[3], ntid[3], ctaid[3], nctaid[3];
  uint32_t linear;           // its number in the block
  Span hit[2];               // the allocation last accessed in space GLOBAL and CONST
  Span shared, local, param; // local.size is what is in use, the top of its stack
  uint64_t local_capacity;
  uint64_t dynamic_shared;   // address of extern .shared memory
  const uint64_t *variables; // addresses of the module's variables on this device
  uint64_t *count;           // executions of each basic block, if counted
  Block *block;
};

/* Kinds of work that are counted; names in standin_counts.cpp. */
enum Kind {
  F64_ADD,
  F64_MUL,
  F64_FMA,
  F64_DIV,
  F64_RCP,
  F64_SQRT,
  F64_COMPARE,
  F64_OTHER,
  INTEGER,
  CONVERT,
  MOVE,
  BRANCH,
  CALL,
  BARRIER,
  WARP,
  ATOMICS,
  LOAD_GLOBAL,
  LOAD_LOCAL,
  LOAD_SHARED,
  LOAD_PARAM_CONST,
  LOAD_GENERIC,
  STORE_GLOBAL,
  STORE_LOCAL,
  STORE_SHARED,
  STORE_GENERIC,
  KINDS
};

struct Variable {
  const char *name;
  Space space;
  uint64_t size, align, given; // `given` bytes are initialised, the rest is zero
  const unsigned char *init;
};

struct Parameter {
  uint32_t offset, size;
};

struct Kernel {
  const char *name;
  void (*run)(Thread &);
  const Parameter *parameters;
  uint32_t parameter_count, parameter_bytes;
  uint32_t static_shared, local_bytes, registers, max_threads;
  bool cooperates; // it has barriers, shuffles or votes: its threads must run as fibers
};

struct Module {
  const char *source;
  uint32_t target; // the compute capability it was compiled for, such as 75 for 7.5
  const Variable *variables;
  uint32_t variable_count;
  const Kernel *kernels;
  uint32_t kernel_count;
  const uint32_t (*profile)[KINDS]; // what one execution of each basic block does; null if not counted
  uint32_t block_count;
};

bool register_module(const Module &module);

/* Out of line, in execute.cpp. Those that find an error throw, and the launch fails. */
[[noreturn, gnu::cold]] void fault(Thread &t, const char *what, uint64_t address, uint64_t bytes);
[[gnu::cold]] unsigned char *find(Thread &t, Space space, uint64_t address, uint64_t bytes);
[[gnu::cold]] void grow_local(Thread &t, uint64_t size);
void track_shared(Thread &t, uint64_t offset, uint64_t bytes, Access access);

enum Reduction { RED_NONE, RED_AND, RED_OR, RED_POPC };
uint32_t barrier(Thread &t, uint32_t id, Reduction reduction, bool predicate);

enum WarpOp {
  SHFL_UP,
  SHFL_DOWN,
  SHFL_BFLY,
  SHFL_IDX,
  VOTE_ALL,
  VOTE_ANY,
  VOTE_UNI,
  VOTE_BALLOT,
  WARP_SYNC,
  REDUX_ADD,
  REDUX_UMIN,
  REDUX_UMAX,
  REDUX_SMIN,
  REDUX_SMAX,
  REDUX_AND,
  REDUX_OR,
  REDUX_XOR
};
struct WarpResult {
  uint32_t value;
  bool predicate;
};
WarpResult warp(Thread &t, WarpOp op, uint32_t mask, uint32_t a, uint32_t b, uint32_t c);

/* Memory. Each function checks `bytes` at `address` and gives the place where they are kept. */

inline bool inside(const Span &span, uint64_t address, uint64_t bytes) {
  uint64_t from = address - span.base;
  return from < span.size && span.size - from >= bytes && address % bytes == 0;
}

inline unsigned char *at_device(Thread &t, Space space, uint64_t address, uint64_t bytes) {
  const Span &hit = t.hit[space];
  if (__builtin_expect(inside(hit, address, bytes), 1)) return hit.host + (address - hit.base);
  return find(t, space, address, bytes);
}

inline unsigned char *at_global(Thread &t, uint64_t address, uint64_t bytes, Access) {
  return at_device(t, GLOBAL, address, bytes);
}
inline unsigned char *at_const(Thread &t, uint64_t address, uint64_t bytes, Access) {
  return at_device(t, CONST, address, bytes);
}

inline unsigned char *at_local(Thread &t, uint64_t address, uint64_t bytes, Access) {
  if (__builtin_expect(!inside(t.local, address, bytes), 0)) fault(t, "local memory", address, bytes);
  return t.local.host + (address - OFFSET);
}

inline unsigned char *at_param(Thread &t, uint64_t address, uint64_t bytes, Access) {
  if (__builtin_expect(!inside(t.param, address, bytes), 0)) fault(t, "parameters", address, bytes);
  return t.param.host + (address - OFFSET);
}

inline unsigned char *at_shared(Thread &t, uint64_t address, uint64_t bytes, Access access) {
  if (__builtin_expect(!inside(t.shared, address, bytes), 0)) fault(t, "shared memory", address, bytes);
  track_shared(t, address - OFFSET, bytes, access);
  return t.shared.host + (address - OFFSET);
}

inline unsigned char *at_generic(Thread &t, uint64_t address, uint64_t bytes, Access access) {
  switch (address >> 48) {
  case SHARED_WINDOW >> 48: return at_shared(t, address - SHARED_WINDOW, bytes, access);
  case LOCAL_WINDOW >> 48: return at_local(t, address - LOCAL_WINDOW, bytes, access);
  case PARAM_WINDOW >> 48:
    if (access != READ) fault(t, "parameters, which are read only,", address, bytes);
    return at_param(t, address - PARAM_WINDOW, bytes, access);
  }
  if (!(address & CONST_PART)) return at_global(t, address, bytes, access);
  if (access != READ) fault(t, "constants, which are read only,", address, bytes);
  return at_const(t, address, bytes, access);
}

template <class T> T get(const unsigned char *from) {
  T value;
  memcpy(&value, from, sizeof value);
  return value;
}

template <class T> void put(unsigned char *to, T value) {
  memcpy(to, &value, sizeof value);
}

/* Local memory is a stack of frames, one per active function. */
inline uint64_t enter(Thread &t, uint64_t size) {
  uint64_t frame = t.local.size;
  grow_local(t, frame + (size + 15) / 16 * 16);
  return frame;
}

inline void leave(Thread &t, uint64_t frame) {
  t.local.size = frame;
}

/* Double precision. All NaN results on a device have one bit pattern, those of the processor have not. Since only the
   bits of a NaN depend on that, and nothing computed from it, `translate` puts canonical() where bits are looked at. */

inline double from_bits(uint64_t b) {
  return __builtin_bit_cast(double, b);
}
inline uint64_t bits(double x) {
  return __builtin_bit_cast(uint64_t, x);
}
inline float float_from_bits(uint32_t b) {
  return __builtin_bit_cast(float, b);
}
inline uint32_t float_bits(float x) {
  return __builtin_bit_cast(uint32_t, x);
}

inline double canonical(double x) {
  return __builtin_expect(x != x, 0) ? from_bits(CANONICAL_NAN) : x;
}

/* A NaN operand is passed over, and -0 is less than +0. */
inline double min(double a, double b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __builtin_signbit(a) ? a : b;
  return a < b ? a : b;
}

inline double max(double a, double b) {
  if (a != a) return b;
  if (b != b) return a;
  if (a == b) return __builtin_signbit(a) ? b : a;
  return a > b ? a : b;
}

/* PTX order: the sign of a, the magnitude of b. */
inline double copysign(double a, double b) {
  return __builtin_copysign(b, a);
}

inline bool unordered(double a, double b) {
  return __builtin_isunordered(a, b);
}

/* A double that is already an integer, saturated to type I. */
template <class I> I to_integer(double x) {
  constexpr int width = 8 * sizeof(I);
  constexpr bool is_signed = I(-1) < I(0);
  if (x != x) return (I)(1ull << (width - 1));
  const double above = is_signed ? (double)(1ull << (width - 1)) : 2.0 * (double)(1ull << (width - 1));
  if (x >= above) return is_signed ? (I)((1ull << (width - 1)) - 1) : (I)~0ull;
  if (x < (is_signed ? -above : 0.0)) return is_signed ? (I)(1ull << (width - 1)) : (I)0;
  return (I)x;
}

/* Integers. U is the unsigned type of the operation's width, S the signed one; arithmetic wraps around. */

template <class U> U wrap_add(U a, U b) {
  return (U)((uint64_t)a + b);
}
template <class U> U wrap_sub(U a, U b) {
  return (U)((uint64_t)a - b);
}
template <class U> U wrap_mul(U a, U b) {
  return (U)((uint64_t)a * b);
}
template <class I> I smaller(I a, I b) {
  return b < a ? b : a;
}
template <class I> I larger(I a, I b) {
  return a < b ? b : a;
}

inline uint16_t mul_hi(uint16_t a, uint16_t b) {
  return (uint16_t)(((uint32_t)a * b) >> 16);
}
inline int16_t mul_hi(int16_t a, int16_t b) {
  return (int16_t)(((int32_t)a * b) >> 16);
}
inline uint32_t mul_hi(uint32_t a, uint32_t b) {
  return (uint32_t)(((uint64_t)a * b) >> 32);
}
inline int32_t mul_hi(int32_t a, int32_t b) {
  return (int32_t)(((int64_t)a * b) >> 32);
}
inline uint64_t mul_hi(uint64_t a, uint64_t b) {
  return (uint64_t)(((unsigned __int128)a * b) >> 64);
}
inline int64_t mul_hi(int64_t a, int64_t b) {
  return (int64_t)(((__int128)a * b) >> 64);
}

/* The sum or difference with carry in and out. A borrow is a carry. */
template <class U> U add_carry(U a, U b, bool in, bool &out) {
  U sum = wrap_add<U>(a, b), all = wrap_add<U>(sum, in);
  out = sum < a || all < sum;
  return all;
}

template <class U> U sub_borrow(U a, U b, bool in, bool &out) {
  U difference = wrap_sub<U>(a, b), all = wrap_sub<U>(difference, in);
  out = a < b || difference < (U)in;
  return all;
}

/* Division by zero gives all ones (the manual leaves it open, the devices do this), remainder by zero the dividend. */
template <class I> I quotient(I a, I b) {
  if (b == 0) return (I)~0ull;
  if (I(-1) < I(0) && b == (I)-1) return (I)(0 - (uint64_t)a);
  return (I)(a / b);
}

template <class I> I remainder(I a, I b) {
  if (b == 0) return a;
  if (I(-1) < I(0) && b == (I)-1) return 0;
  return (I)(a % b);
}

/* Shifts clamp their distance to the width. */
template <class U> U shift_left(U a, uint32_t n) {
  return n >= 8 * sizeof(U) ? 0 : (U)((uint64_t)a << n);
}
template <class I> I shift_right(I a, uint32_t n) {
  if (n >= 8 * sizeof(I)) return a < 0 ? (I)-1 : (I)0;
  return (I)(a >> n);
}

inline uint32_t funnel_left(uint32_t a, uint32_t b, uint32_t n) {
  return (uint32_t)(((((uint64_t)b << 32) | a) << n) >> 32); // n <= 32
}
inline uint32_t funnel_right(uint32_t a, uint32_t b, uint32_t n) {
  return (uint32_t)((((uint64_t)b << 32) | a) >> n);
}

inline uint32_t lop3(uint32_t a, uint32_t b, uint32_t c, unsigned table) {
  uint32_t r = 0;
  for (unsigned i = 0; i < 8; i++) {
    if (table >> i & 1) r |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
  }
  return r;
}

inline uint32_t permute(uint32_t a, uint32_t b, uint32_t selector) {
  uint64_t both = (uint64_t)b << 32 | a;
  uint32_t r = 0;
  for (int i = 0; i < 4; i++) {
    uint32_t select = selector >> (4 * i) & 15;
    uint32_t byte = (uint32_t)(both >> (8 * (select & 7))) & 255;
    if (select & 8) byte = byte & 128 ? 255 : 0;
    r |= byte << (8 * i);
  }
  return r;
}

/* I is signed for bfe.s: the field's sign, or that of the value where the field reaches past it, fills up. */
template <class I> I bit_extract(I a, uint32_t position, uint32_t length) {
  constexpr uint32_t width = 8 * sizeof(I);
  position &= 255, length &= 255;
  I sign = 0;
  if (I(-1) < I(0) && length > 0) {
    uint32_t top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
    sign = (I)((uint64_t)a >> top & 1);
  }
  uint64_t r = sign ? ~0ull : 0;
  for (uint32_t i = 0; i < length && i < width; i++) {
    if (position + i >= width) break;
    r = (r & ~(1ull << i)) | ((uint64_t)a >> (position + i) & 1) << i;
  }
  return (I)r;
}

template <class U> U bit_insert(U a, U b, uint32_t position, uint32_t length) {
  constexpr uint32_t width = 8 * sizeof(U);
  position &= 255, length &= 255;
  uint64_t r = b;
  for (uint32_t i = 0; i < length && position + i < width; i++) {
    r = (r & ~(1ull << (position + i))) | ((uint64_t)a >> i & 1) << (position + i);
  }
  return (U)r;
}

inline uint32_t leading_zeros(uint32_t a) {
  return a ? (uint32_t)__builtin_clz(a) : 32;
}
inline uint32_t leading_zeros(uint64_t a) {
  return a ? (uint32_t)__builtin_clzll(a) : 64;
}

template <class U> U reverse_bits(U a) {
  U r = 0;
  for (unsigned i = 0; i < 8 * sizeof(U); i++) r = (U)(r << 1 | (a >> i & 1));
  return r;
}

/* Atomics: threads run one after another between barriers, so the old value is simply read. */
template <class T, class F> T atomic(unsigned char *at, F update) {
  T old = get<T>(at);
  put<T>(at, update(old));
  return old;
}

inline uint32_t lane(const Thread &t) {
  return t.linear % 32;
}

} // namespace ptx

#endif
