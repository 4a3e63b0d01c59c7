/* backend_ranks.c - members over processes, as rank 0 has them: a backend whose parts are those of all ranks.
 *
 * Each rank has a range of members in its own backend; what it says of them are partial results (part.h), which are
 * joined as those of devices are.  The ranges are cut at whole grains: blocks of the tree over all members or, of few
 * members, smaller powers of two, with which the sums of all ranks then begin. */
#include "backend.h"
#include "points.h"

#include "ranks.h"
#include "relay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rank, as it is seen from here. */
typedef struct {
  sd_part base;
  struct ranks_backend *of;
  int rank;
  sd_series_job sheet;
  sd_question question; /* that it was asked */
  size_t first, last;
  double seconds; /* that its last kernel took */
} member_of_ranks;

typedef struct ranks_backend {
  sd_backend base;
  sd_backend *own;
  sd_ranks *ranks;
  const sd_specification *spec;
  sd_ensemble *ensemble, view; /* all members, and this rank's */
  int64_t rows;
  size_t grain;
  size_t *border; /* rank r has members border[r] .. border[r + 1] - 1 */
  double *weight;
  sd_relay relay;
  member_of_ranks *other; /* by rank; that of 0 is not used */
  sd_part **part;
  int runs, patience; /* kernels since members were handed out; until that may be done again */
  int all_cpu;
} ranks_backend;

static sd_status order(ranks_backend *b, int to, sd_order order, const void *bytes, sd_error *error) {
  SD_TRY(sd_ranks_send(b->ranks, to, &order, sizeof order, error));
  return sd_ranks_send(b->ranks, to, bytes, order.size, error);
}

static size_t count_of(const ranks_backend *b, int rank) {
  return b->border[rank + 1] - b->border[rank];
}

/* The first failure is kept, and all are heard: what is said must not be taken for the answer to what is asked next. */
static void keep(sd_error *error, const sd_error *found) {
  if (found->status && !error->status) *error = *found;
}

/* ---- ranks as parts ---- */

static sd_status other_ask(sd_part *base, size_t sheet, sd_question question, size_t first, size_t last,
                           sd_error *error) {
  member_of_ranks *self = (member_of_ranks *)base;
  sd_piece piece;
  size_t size = 0;
  (void)sheet;
  self->question = question, self->first = first, self->last = last;
  for (size_t i = 0; sd_sheet_piece(&self->sheet, question, SD_OF_QUESTION, first, last, i, &piece); i++)
    size += piece.size;
  char *bytes = malloc(size), *to = bytes;
  if (!bytes) return sd_fail(error, SD_NO_MEMORY, "samples: out of memory");
  for (size_t i = 0; sd_sheet_piece(&self->sheet, question, SD_OF_QUESTION, first, last, i, &piece); i++) {
    memcpy(to, piece.bytes, piece.size);
    to += piece.size;
  }
  sd_status status = order(self->of, self->rank, (sd_order){SD_ORDER_ASK, {question, first, last}, size}, bytes, error);
  free(bytes);
  return status;
}

static sd_status other_wait(sd_part *base, sd_error *error) {
  member_of_ranks *self = (member_of_ranks *)base;
  sd_piece piece;
  sd_ranks *ranks = self->of->ranks;
  sd_sheet_piece(&self->sheet, self->question, SD_OF_ANSWER, self->first, self->last, 0, &piece);
  SD_TRY(sd_ranks_hear(ranks, self->rank, piece.size, error));
  return sd_ranks_receive(ranks, self->rank, piece.bytes, piece.size, error);
}

static sd_status other_copy_row(sd_part *base, size_t row, double *samples, sd_error *error) {
  member_of_ranks *self = (member_of_ranks *)base;
  size_t size = base->count * sizeof *samples;
  SD_TRY(order(self->of, self->rank, (sd_order){SD_ORDER_ROW, {row}, 0}, NULL, error));
  SD_TRY(sd_ranks_hear(self->of->ranks, self->rank, size, error));
  return sd_ranks_receive(self->of->ranks, self->rank, samples, size, error);
}

/* ---- handing out ---- */

/* Sums may begin with fewer members than a block where there would be too few blocks to be shared out; not on a device,
 * nor of what is to be merged.  Points of a sweep are whole, but for systems, of which there may be few. */
static size_t choose_grain(const ranks_backend *b) {
  size_t grain = SD_REDUCE_BLOCK, wanted = 8 * (size_t)b->ranks->count;
  if (sd_is_swept(b->spec)) return b->spec->topology ? 1 : b->spec->each;
  if (!b->all_cpu || b->spec->mergeable || b->spec->moments) return grain;
  while (grain > 1 && b->ensemble->bodies / grain < wanted) grain /= 2;
  return grain;
}

/* By weight, in whole grains; the first rank has at least one. */
static void cut(ranks_backend *b) {
  size_t members = b->ensemble->bodies, grains = (members + b->grain - 1) / b->grain;
  double all = 0, so_far = 0;
  for (int r = 0; r < b->ranks->count; r++) all += b->weight[r];
  b->border[0] = 0;
  for (int r = 0; r < b->ranks->count; r++) {
    so_far += b->weight[r];
    size_t end = (size_t)nearbyint((double)grains * (so_far / all)) * b->grain;
    if (!r && !end) end = b->grain;
    if (r + 1 == b->ranks->count || end > members) end = members;
    b->border[r + 1] = end > b->border[r] ? end : b->border[r];
  }
}

/* The slots of a rank's members, one after the other, from all of them or back. */
static void move_columns(const ranks_backend *b, int rank, double *columns, int back) {
  sd_ensemble *e = b->ensemble;
  size_t count = count_of(b, rank);
  for (size_t k = 0; k < sd_slot_count(e); k++) {
    double *at = e->slots + k * e->stride + b->border[rank], *packed = columns + k * count;
    memcpy(back ? at : packed, back ? packed : at, count * sizeof *at);
  }
}

static sd_status out_of_memory(const ranks_backend *b, sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "%zu members over ranks: out of memory", b->ensemble->bodies);
}

static sd_status load_other(ranks_backend *b, int rank, sd_error *error) {
  member_of_ranks *other = &b->other[rank];
  size_t count = count_of(b, rank), size = sd_slot_count(b->ensemble) * count * sizeof(double);
  double *columns = malloc(size);
  if (!columns) return out_of_memory(b, error);
  move_columns(b, rank, columns, 0);
  const sd_crowd *crowd = &b->ensemble->crowd;
  sd_order load = {
      SD_ORDER_LOAD, {(uint64_t)crowd->m, crowd->first + b->border[rank], count, (uint64_t)b->rows, b->grain}, size};
  sd_status status = order(b, rank, load, columns, error);
  free(columns);
  if (status) return status;
  sd_sheet_destroy(&other->sheet);
  size_t block = sd_is_swept(b->spec) ? SD_REDUCE_BLOCK : b->grain;
  SD_TRY(sd_sheet_create(&other->sheet, &b->ensemble->coordinates, count, block, b->base.parts.sheet_rows, error));
  other->base = (sd_part){.first = b->border[rank],
                          .count = count,
                          .room = count,
                          .sheet = &other->sheet,
                          .ask = other_ask,
                          .wait = other_wait,
                          .copy_row = other_copy_row};
  b->part[b->base.parts.count++] = &other->base;
  return SD_OK;
}

static sd_status load_own(ranks_backend *b, sd_error *error) {
  size_t block = sd_is_swept(b->spec) ? SD_REDUCE_BLOCK : b->grain;
  b->view = *b->ensemble;
  b->view.bodies = b->view.crowd.members = count_of(b, 0);
  b->view.grain = block;
  SD_TRY(b->own->load(b->own, &b->view, b->rows, error));
  sd_relay_destroy(&b->relay);
  SD_TRY(
      sd_relay_create(&b->relay, &b->own->parts, &b->ensemble->coordinates, 0, block, b->base.parts.sheet_rows, error));
  b->part[0] = &b->relay.base;
  return SD_OK;
}

/* All are told before one is waited for; all are heard, whatever comes of it. */
static sd_status hand_out(ranks_backend *b, sd_error *error) {
  sd_error found = {0};
  int told = 1;
  size_t rows = b->rows < SD_ROWS_MOST ? (size_t)b->rows : SD_ROWS_MOST;
  cut(b);
  b->base.parts = (sd_parts){b->part, 1, b->ensemble->bodies, 1, rows};
  b->runs = 0;
  b->base.handed_out++;
  for (; told < b->ranks->count && !found.status; told++)
    if (count_of(b, told)) load_other(b, told, &found);
  if (!found.status) load_own(b, &found);
  for (int r = 1; r < told; r++) {
    sd_error own = {0};
    if (count_of(b, r)) sd_ranks_hear(b->ranks, r, 0, &own);
    keep(&found, &own);
  }
  return found.status ? sd_fail(error, found.status, "%s", found.message) : SD_OK;
}

/* An order to all others that have members, without more; their answers have `size` bytes each, for take. */
static sd_status tell_all(ranks_backend *b, sd_order what, const void *bytes, sd_error *error) {
  for (int r = 1; r < b->ranks->count; r++)
    if (count_of(b, r)) SD_TRY(order(b, r, what, bytes, error));
  return SD_OK;
}

static sd_status hear_all(ranks_backend *b, size_t size, sd_status (*take)(ranks_backend *, int, sd_error *),
                          sd_error *error) {
  sd_error found = {0};
  for (int r = 1; r < b->ranks->count; r++) {
    sd_error own = {0};
    if (!count_of(b, r)) continue;
    size_t expected = size == SIZE_MAX ? sd_slot_count(b->ensemble) * count_of(b, r) * sizeof(double) : size;
    if (!sd_ranks_hear(b->ranks, r, expected, &own) && take) take(b, r, &own);
    keep(&found, &own);
  }
  return found.status ? sd_fail(error, found.status, "%s", found.message) : SD_OK;
}

static sd_status take_columns(ranks_backend *b, int rank, sd_error *error) {
  size_t size = sd_slot_count(b->ensemble) * count_of(b, rank) * sizeof(double);
  double *columns = malloc(size);
  if (!columns) return out_of_memory(b, error);
  sd_status status = sd_ranks_receive(b->ranks, rank, columns, size, error);
  if (!status) move_columns(b, rank, columns, 1);
  free(columns);
  return status;
}

static sd_status ranks_store(sd_backend *base, sd_error *error) {
  ranks_backend *b = (ranks_backend *)base;
  SD_TRY(tell_all(b, (sd_order){.what = SD_ORDER_STORE}, NULL, error));
  sd_error found = {0};
  b->own->store(b->own, &found);
  sd_error others = {0};
  hear_all(b, SIZE_MAX, take_columns, &others);
  keep(&found, &others);
  return found.status ? sd_fail(error, found.status, "%s", found.message) : SD_OK;
}

static void ranks_unload(sd_backend *base) {
  ranks_backend *b = (ranks_backend *)base;
  sd_error ignored = {0};
  if (!b->ensemble) return;
  tell_all(b, (sd_order){.what = SD_ORDER_UNLOAD}, NULL, &ignored);
  b->own->unload(b->own);
  sd_relay_destroy(&b->relay);
  hear_all(b, 0, NULL, &ignored);
  for (int r = 1; r < b->ranks->count; r++) sd_sheet_destroy(&b->other[r].sheet);
  b->ensemble = NULL;
}

static sd_status ranks_load(sd_backend *base, sd_ensemble *ensemble, int64_t rows, sd_error *error) {
  ranks_backend *b = (ranks_backend *)base;
  b->ensemble = ensemble;
  b->rows = rows;
  b->grain = choose_grain(b);
  b->patience = 4;
  base->neighbours = (sd_neighbour_cost){0};
  return hand_out(b, error);
}

/* ---- balance ---- */

/* Members for a rank in proportion to what it did in a second, if some were waited for. */
static int is_uneven(const ranks_backend *b) {
  double most = 0, all = 0;
  int active = 0;
  for (int r = 0; r < b->ranks->count; r++) {
    if (!count_of(b, r)) continue;
    all += b->other[r].seconds;
    most = fmax(most, b->other[r].seconds);
    active++;
  }
  return most > 0.02 && most * active > 1.15 * all;
}

static sd_status balance(ranks_backend *b, sd_error *error) {
  size_t grains = (b->ensemble->bodies + b->grain - 1) / b->grain;
  if (b->runs < b->patience || grains < 2 * (size_t)b->ranks->count || !is_uneven(b)) return SD_OK;
  for (int r = 0; r < b->ranks->count; r++) {
    double pace = (double)count_of(b, r) / b->other[r].seconds;
    if (count_of(b, r) && b->other[r].seconds > 0) b->weight[r] = pace;
  }
  b->patience *= 2; /* members are not to be moved for a moment's sake */
  SD_TRY(ranks_store((sd_backend *)b, error));
  sd_ensemble *ensemble = b->ensemble;
  ranks_unload((sd_backend *)b);
  b->ensemble = ensemble;
  return hand_out(b, error);
}

/* ---- kernels ---- */

static sd_status take_effort(ranks_backend *b, int rank, sd_error *error) {
  sd_effort effort;
  SD_TRY(sd_ranks_receive(b->ranks, rank, &effort, sizeof effort, error));
  b->other[rank].seconds = effort.seconds;
  b->base.neighbours.rebuilds += effort.rebuilds;
  b->base.neighbours.seconds = fmax(b->base.neighbours.seconds, effort.neighbour_seconds);
  return SD_OK;
}

/* Nobody stops in the middle: a chunk is short, and what is half done could not be gone on with by the others. */
static sd_status ranks_run(sd_backend *base, sd_kernel kernel, const sd_job *job, const sd_control *control,
                           sd_error *error) {
  ranks_backend *b = (ranks_backend *)base;
  int first = kernel == b->ensemble->kernels->begin;
  sd_error found = {0}, others = {0};
  (void)control;
  if (!first) SD_TRY(balance(b, error));
  sd_order run = {SD_ORDER_RUN, {(uint64_t)first}, sizeof *job};
  SD_TRY(tell_all(b, run, job, error));
  double begun = sd_seconds();
  b->own->run(b->own, kernel, job, NULL, &found);
  b->other[0].seconds = sd_seconds() - begun;
  base->neighbours = b->own->neighbours;
  hear_all(b, sizeof(sd_effort), take_effort, &others);
  keep(&found, &others);
  b->runs += !first;
  return found.status ? sd_fail(error, found.status, "%s", found.message) : SD_OK;
}

/* Of the first `count` members those that a rank has: 0 or more. */
static size_t exported_by(const ranks_backend *b, int rank, size_t count) {
  size_t end = b->border[rank + 1] < count ? b->border[rank + 1] : count;
  return end > b->border[rank] ? end - b->border[rank] : 0;
}

static void spread(const double *from, size_t slots, size_t some, double *to, size_t count) {
  for (size_t k = 0; k < slots; k++) memcpy(to + k * count, from + k * some, some * sizeof *to);
}

static sd_status ranks_export(sd_backend *base, const sd_kernels *kernels, const sd_job *job, size_t count,
                              double *exported, sd_error *error) {
  ranks_backend *b = (ranks_backend *)base;
  size_t slots = sd_member_shown(kernels, b->ensemble->bodies_each) + 2;
  sd_error found = {0};
  double *some = malloc(slots * count * sizeof *some);
  if (!some) return out_of_memory(b, error);
  b->own->export_states(b->own, kernels, job, exported_by(b, 0, count), some, &found);
  spread(some, slots, exported_by(b, 0, count), exported, count);
  for (int r = 1; r < b->ranks->count && !found.status; r++) {
    size_t own = exported_by(b, r, count), size = slots * own * sizeof *some;
    if (!own) continue;
    order(b, r, (sd_order){SD_ORDER_EXPORT, {own}, sizeof *job}, job, &found);
    if (!found.status) sd_ranks_hear(b->ranks, r, size, &found);
    if (!found.status) sd_ranks_receive(b->ranks, r, some, size, &found);
    if (!found.status) spread(some, slots, own, exported + b->border[r], count);
  }
  free(some);
  return found.status ? sd_fail(error, found.status, "%s", found.message) : SD_OK;
}

/* ---- the backend ---- */

static void ranks_destroy(sd_backend *base) {
  ranks_backend *b = (ranks_backend *)base;
  ranks_unload(base);
  b->own->destroy(b->own);
  free(b->border);
  free(b->weight);
  free(b->other);
  free(b->part);
  free(b);
}

/* What each of them says when a run ends: bytes that it sent. */
static void end_run(ranks_backend *b) {
  for (int r = 1; r < b->ranks->count; r++) {
    sd_error ignored = {0};
    uint64_t sent = 0;
    if (order(b, r, (sd_order){.what = SD_ORDER_END}, NULL, &ignored)) return;
    if (sd_ranks_hear(b->ranks, r, sizeof sent, &ignored)) continue;
    if (!sd_ranks_receive(b->ranks, r, &sent, sizeof sent, &ignored) && sent > b->base.sent) b->base.sent = sent;
  }
}

void sd_backend_end_run(sd_backend *backend) {
  if (!backend || !backend->ranks) return;
  ranks_unload(backend);
  end_run((ranks_backend *)backend);
}

static sd_status greet(ranks_backend *b, int doublings, sd_error *error) {
  sd_error found = {0};
  char signature[33];
  b->all_cpu = !strcmp(b->own->name, "cpu");
  SD_TRY(sd_ranks_signature(b->spec, signature, error));
  sd_order begin = {SD_ORDER_BEGIN, {(uint64_t)doublings}, sizeof signature};
  for (int r = 1; r < b->ranks->count; r++) SD_TRY(order(b, r, begin, signature, error));
  for (int r = 1; r < b->ranks->count; r++) {
    sd_error own = {0};
    sd_hello hello;
    if (!sd_ranks_hear(b->ranks, r, sizeof hello, &own) && !sd_ranks_receive(b->ranks, r, &hello, sizeof hello, &own))
      b->all_cpu &= !strcmp(hello.backend, "cpu");
    b->weight[r] = 1;
    keep(&found, &own);
  }
  return found.status ? sd_fail(error, found.status, "%s", found.message) : SD_OK;
}

static int is_for_bodies(const sd_backend *base, const sd_specification *spec) {
  const sd_backend *own = ((const ranks_backend *)base)->own;
  return own->is_for_bodies(own, spec);
}

static sd_status fill(ranks_backend *b, const sd_specification *spec, int doublings, sd_error *error) {
  size_t count = (size_t)b->ranks->count;
  b->border = calloc(count + 1, sizeof *b->border);
  b->weight = calloc(count, sizeof *b->weight);
  b->other = calloc(count, sizeof *b->other);
  b->part = calloc(count, sizeof *b->part);
  if (!b->border || !b->weight || !b->other || !b->part) return sd_fail(error, SD_NO_MEMORY, "ranks: out of memory");
  for (size_t r = 0; r < count; r++) b->other[r] = (member_of_ranks){.of = b, .rank = (int)r};
  b->weight[0] = 1;
  size_t members = sd_batch_members(spec);
  if (spec->topology && members < count)
    return sd_fail(
        error, SD_BAD_INPUT,
        "%zu of the %zu ranks would have nothing to do: a system is not spread over ranks, whole members are",
        count - members, count);
  return greet(b, doublings, error);
}

sd_status sd_backend_ranks_create(sd_backend **backend, sd_backend *own, const sd_place *place,
                                  const sd_specification *spec, int doublings, sd_error *error) {
  ranks_backend *b = calloc(1, sizeof *b);
  if (!b) return own->destroy(own), *backend = NULL, sd_fail(error, SD_NO_MEMORY, "ranks: out of memory");
  *backend = &b->base;
  b->base = *own;
  b->own = own;
  b->ranks = place->ranks;
  b->spec = spec;
  b->base.ranks = place->ranks->count;
  b->base.is_for_bodies = is_for_bodies;
  b->base.load = ranks_load;
  b->base.run = ranks_run;
  b->base.export_states = ranks_export;
  b->base.store = ranks_store;
  b->base.unload = ranks_unload;
  b->base.destroy = ranks_destroy;
  size_t used = strlen(b->base.devices);
  snprintf(b->base.devices + used, sizeof b->base.devices - used, ", on %d ranks", b->base.ranks);
  return fill(b, spec, doublings, error);
}
