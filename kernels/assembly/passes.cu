/* passes.cu - systems of many bodies on a device, for all methods: what a body does to another is compiled once.
 *
 * One large system has a thread for each of its bodies, and a launch for each pass.  Small ones have a block of threads
 * each, which takes its system through many steps by itself (stretch).  Counting and filling of cells use integer
 * atomics alone; the order of the bodies in a cell is left open, that of a body's neighbours is by their numbers. */
#define SD_LANES 1
#define SD_ON_DEVICE
#define SD_MEMORY 3 /* the most that a method here has: all have the same state */
#include "passes.c"

/* One thread for the place of each body, the job in constant memory.  The kernels' handles stand in the same tables as
 * a processor's functions; only cudaLaunchKernel may use them. */
#define PASS(name, work)                                                                                         \
  extern "C" __global__ void name(const __grid_constant__ sd_job whole, size_t from, size_t places, int stage) { \
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x, place = from + thread;                  \
    const sd_job *job = &whole;                                                                                  \
    (void)stage;                                                                                                 \
    if (thread < places) {                                                                                       \
      work;                                                                                                      \
    }                                                                                                            \
  }
/* One block of threads for each member, or for each block of bodies; the last number is the pass's own. */
#define BLOCK_PASS(name, work)                                                                                    \
  extern "C" __global__ void name(const __grid_constant__ sd_job whole, size_t from, size_t blocks, int number) { \
    const sd_job *job = &whole;                                                                                   \
    const size_t block = from + blockIdx.x;                                                                       \
    (void)blocks, (void)number;                                                                                   \
    work;                                                                                                         \
  }
#define PASS_HANDLE(name) reinterpret_cast<sd_pass>(name)

enum { HELPERS_MOST = 256 }; /* threads of a block that lay its cells, and add up how many are in each */

FN uint32_t helpers(void) {
  return blockDim.x < HELPERS_MOST ? blockDim.x : HELPERS_MOST;
}

/* The bodies of a member, shared out among the threads of its block. */
#define EACH_BODY(job, base, place) \
  for (size_t place = (base) + threadIdx.x; place < (base) + job->topology.size.bodies; place += blockDim.x)

/* ---- a body's share of a pass ---- */

FN_APART void gather_body(const sd_job *job, size_t place, int dashpots) {
  gather_forces(job, place, 1, dashpots);
}
FN_APART void find_near_body(const sd_job *job, size_t place) {
  find_near(job, place);
}
FN void count_body(const sd_job *job, size_t place) {
  const sd_cells *c = job->field.cells + member_of(job, place);
  atomicAdd(c->start + cell_of(job, c, place), 1u);
}
/* Cells end where start says, and fill from there; start says where they begin in the end. */
FN void fill_body(const sd_job *job, size_t place) {
  const sd_cells *c = job->field.cells + member_of(job, place);
  c->body[atomicSub(c->start + cell_of(job, c, place), 1u) - 1] = body_at(job, place);
}

/* ---- a block's work for a member ---- */

FN void lay_member(const sd_job *job, size_t member) {
  __shared__ double least[HELPERS_MOST], most[HELPERS_MOST];
  sd_cells *c = job->field.cells + member;
  size_t base = member * job->field.bodies;
  double low[3], high[3];
  uint32_t t = threadIdx.x, bodies = job->topology.size.bodies;
  for (int a = 0; a < 3; a++) {
    double lowest = 1e300, highest = -1e300;
    for (uint32_t b = t; t < helpers() && b < bodies; b += helpers()) {
      lowest = real_min(place_along(job, base + b, a), lowest);
      highest = real_max(place_along(job, base + b, a), highest);
    }
    if (t < helpers()) least[t] = lowest, most[t] = highest;
    __syncthreads();
    for (uint32_t width = 1; width < helpers(); width *= 2) {
      if (t % (2 * width) == 0 && t + width < helpers()) {
        least[t] = real_min(least[t + width], least[t]);
        most[t] = real_max(most[t + width], most[t]);
      }
      __syncthreads();
    }
    low[a] = least[0];
    high[a] = most[0];
    __syncthreads();
  }
  if (!t) lay_cells_between(job, c, low, high), job->field.rebuilds[member]++;
  __syncthreads();
  for (uint32_t k = t, cells = cell_count(c); k < cells; k += blockDim.x) c->start[k] = 0;
}

/* From how many are in each cell to where it ends; each helper has some cells that follow one another. */
FN void scan_member(const sd_job *job, size_t member) {
  __shared__ uint32_t before[HELPERS_MOST];
  const sd_cells *c = job->field.cells + member;
  uint32_t cells = cell_count(c), each = (cells + helpers() - 1) / helpers(), t = threadIdx.x, sum = 0;
  uint32_t first = t < helpers() && t * each < cells ? t * each : cells;
  uint32_t last = first + each < cells ? first + each : cells;
  for (uint32_t k = first; k < last; k++) sum += c->start[k];
  if (t < helpers()) before[t] = sum;
  __syncthreads();
  if (!t) {
    uint32_t all = 0;
    for (uint32_t k = 0; k < helpers(); k++) {
      uint32_t own = before[k];
      before[k] = all;
      all += own;
    }
    c->start[cells] = all;
  }
  __syncthreads();
  if (t < helpers()) sum = before[t];
  for (uint32_t k = first; k < last; k++) c->start[k] = sum += c->start[k];
}

/* All of it: who is near whom, by the block that has the member. */
FN_APART void look_around(const sd_job *job, size_t member) {
  size_t base = member * job->field.bodies;
  lay_member(job, member);
  __syncthreads();
  EACH_BODY(job, base, place) count_body(job, place);
  __syncthreads();
  scan_member(job, member);
  __syncthreads();
  EACH_BODY(job, base, place) fill_body(job, place);
  __syncthreads();
  EACH_BODY(job, base, place) find_near_body(job, place);
  __syncthreads();
}

/* ---- the family's passes ---- */

FN int is_body(const sd_job *job, size_t place) {
  return body_at(job, place) < job->topology.size.bodies;
}
FN int looks_around(const sd_job *job, size_t member) {
  return has_contacts(job) && flags_now(job->field.moved + member);
}
FN int counts(const sd_job *job, size_t place) {
  return is_body(job, place) && looks_around(job, member_of(job, place));
}

PASS(sd_assembly_settle, settle(job, place, 1, stage))
PASS(sd_assembly_forces, if (is_body(job, place)) gather_body(job, place, has_dashpots(job)))
PASS(sd_assembly_first_forces, if (is_body(job, place)) gather_body(job, place, 0))
PASS(sd_assembly_check, if (is_body(job, place)) check(job, place, 1, stage))
PASS(sd_assembly_count, if (counts(job, place)) count_body(job, place))
PASS(sd_assembly_fill, if (counts(job, place)) fill_body(job, place))
PASS(sd_assembly_neighbours, if (counts(job, place)) find_near_body(job, place))
BLOCK_PASS(sd_assembly_lay, if (looks_around(job, block)) lay_member(job, block))
BLOCK_PASS(sd_assembly_scan, if (looks_around(job, block)) scan_member(job, block))

/* The ledger: a thread for each body of a block of them, which is a subtree of the tree over all. */
FN void ledger_block(const sd_job *job, size_t block) {
  __shared__ double number[BODY_QUANTITIES][SD_REDUCE_BLOCK];
  size_t blocks = (job->field.bodies + SD_REDUCE_BLOCK - 1) / SD_REDUCE_BLOCK;
  size_t from = block % blocks * SD_REDUCE_BLOCK, left = job->topology.size.bodies - from, t = threadIdx.x;
  if (left > SD_REDUCE_BLOCK) left = SD_REDUCE_BLOCK;
  if (t < left) {
    size_t place = block / blocks * job->field.bodies + body_named(job, (uint32_t)(from + t));
    species alike = species_alike(job);
    ledger l = ledger_at(job, place, &alike, members_differ(job));
    for (int k = 0; k < LEDGER_NUMBERS; k++) number[k][t] = l.number[k];
    number[LEDGER_NUMBERS][t] = attitude_defect(row_attitude(kept_row(job, place)));
  }
  __syncthreads();
  for (size_t width = 1; width < left; width *= 2) {
    if (t % (2 * width) == 0 && t + width < left)
      for (int k = 0; k < BODY_QUANTITIES; k++) {
        double a = number[k][t], b = number[k][t + width];
        number[k][t] = k < SUMMED ? a + b : real_worst(a, b);
      }
    __syncthreads();
  }
  if (t < BODY_QUANTITIES) job->field.ledger[block * BODY_QUANTITIES + t] = number[t][0];
}
BLOCK_PASS(sd_assembly_ledger, ledger_block(job, block))

extern "C" const sd_passes sd_assembly_passes_cuda;
const sd_passes sd_assembly_passes_cuda = {NULL,
                                           NULL,
                                           NULL,
                                           PASS_HANDLE(sd_assembly_settle),
                                           PASS_HANDLE(sd_assembly_forces),
                                           PASS_HANDLE(sd_assembly_first_forces),
                                           PASS_HANDLE(sd_assembly_neighbours),
                                           NULL,
                                           PASS_HANDLE(sd_assembly_ledger),
                                           PASS_HANDLE(sd_assembly_check),
                                           BODY_NUMBERS,
                                           ROW_NUMBERS,
                                           LOAD_NUMBERS,
                                           0,
                                           BODY_QUANTITIES,
                                           PASS_HANDLE(sd_assembly_lay),
                                           PASS_HANDLE(sd_assembly_count),
                                           PASS_HANDLE(sd_assembly_scan),
                                           PASS_HANDLE(sd_assembly_fill),
                                           NULL};

/* ---- the methods' ---- */

/* Written by CMake: for each method its name, id and header, then device_method.h. */
#include <device_methods.h>
