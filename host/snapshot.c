#include "snapshot.h"

#include "plan_text.h"
#include "safe_file.h"
#include "snapshot_layout.h"
#include "words.h"

#include <stdlib.h>

/* ---- which samples and states of which method there are ---- */

/* Samples that a method has taken. */
static int64_t samples_of(const sd_result *result, sd_position at, int64_t m) {
  return m < at.method ? result->schedule.samples : sd_samples_until(result->spec, &result->schedule, at.step);
}

/* The states that a method has left, finals of a finished one first. */
static size_t finals_of(const sd_result *result, sd_position at, int64_t m) {
  size_t finals = result->spec->finals, done = at.point * result->spec->each;
  return m < at.method || done > finals ? finals : done;
}

static size_t states_of(const sd_result *result, sd_position at, int64_t m) {
  return finals_of(result, at, m) + (size_t)samples_of(result, at, m) * result->spec->recorded;
}

/* State i of these, and where: its place there. */
static const sd_states *state_at(const sd_result *result, sd_position at, int64_t m, size_t *i) {
  size_t finals = finals_of(result, at, m);
  if (*i < finals) return &result->finals[m];
  *i -= finals;
  return &result->trajectories[m];
}

/* ---- saving ---- */

enum { PER_METHOD = 5, OTHERS = 12 };

typedef struct {
  sd_block block[PER_METHOD * SD_METHODS_MAX + OTHERS];
  char tag[PER_METHOD * SD_METHODS_MAX + OTHERS][SD_CHECKPOINT_TAG_MAX + 1];
  size_t count;
  void *owned[PER_METHOD * SD_METHODS_MAX + OTHERS];
  size_t owned_count;
  int failed; /* for want of memory */
} parcel;

static void add(parcel *p, const char *name, int64_t number, const void *data, size_t size) {
  if (number < 0) snprintf(p->tag[p->count], sizeof *p->tag, "%s", name);
  else snprintf(p->tag[p->count], sizeof *p->tag, "%s %d", name, (int)number);
  p->block[p->count] = (sd_block){p->tag[p->count], data, size};
  p->count++;
}

static void *own(parcel *p, void *data) {
  p->owned[p->owned_count++] = data;
  p->failed |= !data;
  return data;
}

/* A block to be filled; NULL without memory. */
static unsigned char *add_room(parcel *p, const char *name, int64_t number, size_t size) {
  unsigned char *room = own(p, calloc(1, size + 1));
  add(p, name, number, room, size);
  return room;
}

static void add_texts(parcel *p, const sd_specification *spec, const sd_provenance *from) {
  char *text = own(p, sd_specification_text(spec, (size_t)spec->method_count));
  if (!text) return;
  const char *study = from->study ? from->study : text;
  add(p, "plan", -1, text, strlen(text));
  add(p, "study", -1, study, strlen(study));
  add(p, "output", -1, from->output, strlen(from->output));
  unsigned char *place = add_room(p, "place", -1, 8);
  if (place) sd_put_word(&place, from->study ? from->number : 1);
  unsigned char *until = add_room(p, "until", -1, SD_UNTIL_BYTES);
  if (until) sd_put_until(&until, &from->until);
}

static void add_starts(parcel *p, const sd_starts *starts) {
  unsigned char *to = add_room(p, "starts", -1, sd_starts_bytes(starts));
  if (to) sd_put_starts(&to, starts);
}

static void add_position(parcel *p, const sd_result *result, const sd_position *at) {
  unsigned char *to = add_room(p, "position", -1, SD_POSITION_BYTES);
  if (to) sd_put_position(&to, at);
  to = add_room(p, "summaries", -1, result->done * SD_SUMMARY_BYTES);
  for (size_t m = 0; m < result->done && to; m++) sd_put_summary(&to, &result->summaries[m]);
}

/* What came of the points that are done. */
static size_t points_of(const sd_result *result, sd_position at, int64_t m) {
  return m < at.method ? result->spec->points : at.point;
}

static void add_points(parcel *p, const sd_result *result, sd_position at, int64_t m) {
  size_t points = points_of(result, at, m);
  unsigned char *to = add_room(p, "points", m, points * SD_POINT_BYTES);
  for (size_t i = 0; i < points && to; i++) sd_put_point(&to, &result->points[m][i]);
}

static void add_seen(parcel *p, const sd_point_rows *seen) {
  unsigned char *to = add_room(p, "seen", -1, sd_seen_bytes(seen));
  if (to) sd_put_seen(&to, seen);
}

/* Rows of tables over all members that there are. */
static size_t rows_of(const sd_result *result, sd_position at, int64_t m) {
  return m < at.method ? result->spec->members : at.point * result->spec->each;
}

static void add_table(parcel *p, const char *tag, const sd_states *table, size_t rows, int64_t m) {
  unsigned char *to = add_room(p, tag, m, rows * sd_state_bytes(table));
  for (size_t i = 0; i < rows && to; i++) sd_put_state(&to, table, i);
}

/* All of it of a method that is done; otherwise the samples so far, and what precedes the next one. */
static void add_share(parcel *p, const sd_result *result, sd_position at, int64_t m) {
  const sd_share *share = &result->shares[m];
  size_t samples = result->series[m].count, done = m < at.method;
  unsigned char *to = add_room(p, "share", m, sd_share_bytes(share, samples, (int)done));
  if (to) sd_put_share(&to, share, samples, (int)done);
}

static void add_method(parcel *p, const sd_result *result, sd_position at, int64_t m) {
  const sd_series *series = &result->series[m];
  size_t states = states_of(result, at, m);
  unsigned char *to;
  if (sd_is_swept(result->spec)) add_points(p, result, at, m);
  else {
    to = add_room(p, "series", m, sd_series_bytes(series, series->count));
    if (to) sd_put_series(&to, series);
  }
  if (result->spec->table) add_table(p, "table", &result->tables[m], rows_of(result, at, m), m);
  if (result->spec->events) add_table(p, "events", &result->logs[m], rows_of(result, at, m), m);
  if (result->spec->mergeable && !sd_is_swept(result->spec)) add_share(p, result, at, m);
  to = add_room(p, "states", m, states * sd_state_bytes(&result->finals[m]));
  for (size_t i = 0; i < states && to; i++) {
    size_t place = i;
    const sd_states *s = state_at(result, at, m, &place);
    sd_put_state(&to, s, place);
  }
}

/* They are the bulk of the file, and are written from where they are if the machine has them as the file does. */
static void add_bodies(parcel *p, const sd_ensemble *e) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  add(p, "bodies", -1, e->slots, sd_ensemble_bytes(e));
#else
  unsigned char *to = add_room(p, "bodies", -1, sd_ensemble_bytes(e));
  if (to) sd_put_reals(&to, e->slots, sd_ensemble_bytes(e) / sizeof *e->slots);
#endif
}

static void fill(parcel *p, const sd_provenance *from, const sd_result *result, const sd_position *at,
                 const sd_ensemble *ensemble, const sd_point_rows *seen) {
  add_texts(p, result->spec, from);
  add_starts(p, &result->spec->starts);
  add_position(p, result, at);
  int swept = sd_is_swept(result->spec);
  unsigned char *point = swept ? add_room(p, "point", -1, 8) : NULL;
  if (point) sd_put_word(&point, at->point);
  for (int64_t m = 0; m < at->method + (ensemble || at->point); m++) add_method(p, result, *at, m);
  if (swept && ensemble) add_seen(p, seen);
  if (ensemble) add_bodies(p, ensemble);
}

sd_status sd_snapshot_save(const char *path, const sd_provenance *from, const sd_result *result, sd_position at,
                           const sd_ensemble *ensemble, const sd_point_rows *seen, sd_error *error) {
  parcel *p = calloc(1, sizeof *p);
  if (!p) return sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  fill(p, from, result, &at, ensemble, seen);
  sd_status status = p->failed ? sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory") : SD_OK;
  if (!status)
    status =
        (result->checkpoint_lost ? sd_checkpoint_write_anew : sd_checkpoint_write)(path, p->block, p->count, error);
  for (size_t i = 0; i < p->owned_count; i++) free(p->owned[i]);
  free(p);
  return status;
}

/* ---- loading ---- */

sd_status sd_snapshot_nonsense(const char *name, const char *tag, sd_error *error) {
  return sd_fail(error, SD_BAD_INPUT, "checkpoint %s: its block '%s' does not fit its plan", sd_path_shown(name), tag);
}

sd_status sd_snapshot_text(const char *name, const sd_checkpoint *file, const char *tag, char **made, sd_error *error) {
  sd_block block;
  SD_TRY(sd_checkpoint_find(file, tag, &block, error));
  const unsigned char *from = block.data;
  for (size_t i = 0; i < block.size; i++)
    if ((from[i] < 0x20 && from[i] != '\n' && from[i] != '\f') || from[i] > 0x7e)
      return sd_fail(error, SD_BAD_INPUT, "checkpoint %s: its block '%s' is no text", sd_path_shown(name), tag);
  char *text = *made = malloc(block.size + 1);
  if (!text) return sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  memcpy(text, block.data, block.size);
  text[block.size] = 0;
  return SD_OK;
}

/* The first line that differs is named. */
static sd_status compare_lines(const char *mine, const char *theirs, const char *name, sd_error *error) {
  while (*mine || *theirs) {
    size_t n = strcspn(mine, "\n"), k = strcspn(theirs, "\n");
    if (n != k || strncmp(mine, theirs, n))
      return sd_fail(error, SD_BAD_INPUT,
                     "checkpoint %s is of another plan: it has '%.*s' where this run has '%.*s'; name another file, or "
                     "remove it and its .previous to begin anew",
                     sd_path_shown(name), k < 60 ? (int)k : 60, theirs, n < 60 ? (int)n : 60, mine);
    mine += n + (mine[n] == '\n');
    theirs += k + (theirs[k] == '\n');
  }
  return SD_OK;
}

static sd_status check_plan(const sd_specification *spec, const sd_snapshot *s, sd_error *error) {
  char *theirs;
  SD_TRY(sd_snapshot_text(s->name, s->file, "plan", &theirs, error));
  char *mine = sd_specification_text(spec, (size_t)spec->method_count);
  sd_status status =
      mine ? compare_lines(mine, theirs, s->name, error) : sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  free(mine);
  free(theirs);
  return status;
}

static sd_status check_starts(const sd_specification *spec, const sd_snapshot *s, sd_error *error) {
  sd_block block;
  SD_TRY(sd_checkpoint_find(s->file, "starts", &block, error));
  size_t size = sd_starts_bytes(&spec->starts);
  unsigned char *mine = malloc(size), *to = mine;
  if (!mine) return sd_fail(error, SD_NO_MEMORY, "checkpoint: out of memory");
  sd_put_starts(&to, &spec->starts);
  int same = block.size == size && !memcmp(mine, block.data, size);
  free(mine);
  if (same) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "checkpoint %s is of another plan: its bodies have other starts",
                 sd_path_shown(s->name));
}

/* A block that must have this size. */
static sd_status find_sized(const sd_snapshot *s, const char *tag, size_t size, const unsigned char **data,
                            sd_error *error) {
  sd_block block;
  SD_TRY(sd_checkpoint_find(s->file, tag, &block, error));
  *data = block.data;
  return block.size == size ? SD_OK : sd_snapshot_nonsense(s->name, tag, error);
}

static sd_status load_series(sd_result *result, const sd_snapshot *s, int64_t m, sd_error *error) {
  char tag[SD_CHECKPOINT_TAG_MAX + 1];
  const unsigned char *from;
  sd_series *series = &result->series[m];
  snprintf(tag, sizeof tag, "series %d", (int)m);
  sd_series_destroy(series);
  SD_TRY(sd_series_create(series, &result->schedule, result->spec, error));
  size_t kept = sd_series_kept(series, &result->schedule, samples_of(result, s->at, m));
  SD_TRY(find_sized(s, tag, sd_series_bytes(series, kept), &from, error));
  if (kept >= series->room) return sd_snapshot_nonsense(s->name, tag, error);
  series->count = kept;
  return sd_get_series(&from, result->spec, series) ? SD_OK : sd_snapshot_nonsense(s->name, tag, error);
}

static sd_status load_states(sd_result *result, const sd_snapshot *s, int64_t m, sd_error *error) {
  char tag[SD_CHECKPOINT_TAG_MAX + 1];
  const unsigned char *from;
  size_t states = states_of(result, s->at, m);
  snprintf(tag, sizeof tag, "states %d", (int)m);
  SD_TRY(find_sized(s, tag, states * sd_state_bytes(&result->finals[m]), &from, error));
  for (size_t i = 0; i < states; i++) {
    size_t place = i;
    const sd_states *to = state_at(result, s->at, m, &place);
    if (!sd_get_state(&from, to, place)) return sd_snapshot_nonsense(s->name, tag, error);
  }
  return SD_OK;
}

static sd_status load_table(const sd_snapshot *s, const char *name, const sd_states *table, size_t rows, int64_t m,
                            sd_error *error) {
  char tag[SD_CHECKPOINT_TAG_MAX + 1];
  const unsigned char *from;
  snprintf(tag, sizeof tag, "%s %d", name, (int)m);
  SD_TRY(find_sized(s, tag, rows * sd_state_bytes(table), &from, error));
  for (size_t i = 0; i < rows; i++)
    if (!sd_get_state(&from, table, i)) return sd_snapshot_nonsense(s->name, tag, error);
  return SD_OK;
}

static sd_status load_points(sd_result *result, const sd_snapshot *s, int64_t m, sd_error *error) {
  char tag[SD_CHECKPOINT_TAG_MAX + 1];
  const unsigned char *from;
  size_t points = points_of(result, s->at, m);
  snprintf(tag, sizeof tag, "points %d", (int)m);
  SD_TRY(find_sized(s, tag, points * SD_POINT_BYTES, &from, error));
  for (size_t i = 0; i < points; i++)
    if (!sd_get_point(&from, result->spec, &result->points[m][i])) return sd_snapshot_nonsense(s->name, tag, error);
  return SD_OK;
}

static sd_status load_share(sd_result *result, const sd_snapshot *s, int64_t m, sd_error *error) {
  char tag[SD_CHECKPOINT_TAG_MAX + 1];
  const unsigned char *from;
  sd_share *share = &result->shares[m];
  const sd_series *series = &result->series[m];
  int done = m < s->at.method;
  snprintf(tag, sizeof tag, "share %d", (int)m);
  sd_share_destroy(share);
  SD_TRY(sd_share_create(share, result->spec, series, error));
  SD_TRY(find_sized(s, tag, sd_share_bytes(share, series->count, done), &from, error));
  sd_get_share(&from, share, series->count, done);
  return SD_OK;
}

static sd_status load_method(sd_result *result, const sd_snapshot *s, int64_t m, sd_error *error) {
  if (sd_is_swept(result->spec)) SD_TRY(load_points(result, s, m, error));
  else SD_TRY(load_series(result, s, m, error));
  size_t rows = rows_of(result, s->at, m);
  if (result->spec->table) SD_TRY(load_table(s, "table", &result->tables[m], rows, m, error));
  if (result->spec->events) SD_TRY(load_table(s, "events", &result->logs[m], rows, m, error));
  if (result->spec->mergeable && !sd_is_swept(result->spec)) SD_TRY(load_share(result, s, m, error));
  return load_states(result, s, m, error);
}

static sd_status load_summaries(sd_result *result, const sd_snapshot *s, sd_error *error) {
  const unsigned char *from;
  size_t done = (size_t)s->at.method;
  SD_TRY(find_sized(s, "summaries", done * SD_SUMMARY_BYTES, &from, error));
  for (size_t m = 0; m < done; m++)
    if (!sd_get_summary(&from, result->spec, m, &result->summaries[m]))
      return sd_snapshot_nonsense(s->name, "summaries", error);
  return SD_OK;
}

/* Batches begin at the same points wherever they are run. */
static sd_status load_point(const sd_specification *spec, sd_snapshot *s, sd_error *error) {
  const unsigned char *from;
  s->at.point = 0;
  if (!sd_is_swept(spec)) return SD_OK;
  SD_TRY(find_sized(s, "point", 8, &from, error));
  s->at.point = (size_t)sd_get_word(&from);
  int fits = s->at.point < spec->points && sd_batch_begins(spec, s->at.point);
  if (s->at.method == spec->method_count) fits = !s->at.point;
  return fits ? SD_OK : sd_snapshot_nonsense(s->name, "point", error);
}

sd_status sd_snapshot_take(sd_result *result, sd_snapshot *s, sd_error *error) {
  const unsigned char *from;
  sd_block bodies;
  sd_error absent = {0};
  SD_TRY(check_plan(result->spec, s, error));
  SD_TRY(check_starts(result->spec, s, error));
  SD_TRY(find_sized(s, "position", SD_POSITION_BYTES, &from, error));
  int begun = !sd_checkpoint_find(s->file, "bodies", &bodies, &absent);
  if (!sd_get_position(&from, result->spec, &s->at) || begun != (s->at.step > 0))
    return sd_snapshot_nonsense(s->name, "position", error);
  SD_TRY(load_point(result->spec, s, error));
  SD_TRY(load_summaries(result, s, error));
  result->points_done = s->at.point;
  for (int64_t m = 0; m < s->at.method + (begun || s->at.point); m++) SD_TRY(load_method(result, s, m, error));
  result->done = (size_t)s->at.method;
  return SD_OK;
}

sd_status sd_snapshot_rewind(sd_result *result, const sd_snapshot *s, sd_error *error) {
  return load_method(result, s, s->at.method, error);
}

sd_status sd_snapshot_load(const char *path, sd_result *result, sd_snapshot *s, sd_error *error) {
  *s = (sd_snapshot){.name = path};
  const sd_specification *spec = result->spec;
  if (!*path || !sd_checkpoint_exists(path)) return SD_OK;
  int previous;
  SD_TRY(sd_checkpoint_load(path, &s->file, &previous, error));
  SD_TRY(sd_snapshot_take(result, s, error));
  int complete = s->at.method == spec->method_count;
  const char *remark = sd_checkpoint_remark(s->file);
  snprintf(result->note, sizeof result->note, "%.300s%s%s %s: %s", remark, *remark ? "; " : "",
           complete ? "all was done in" : "went on from", sd_path_shown(path),
           complete ? "remove it and its .previous to run again" : spec->methods[s->at.method].name);
  if (complete) return SD_OK;
  size_t used = strlen(result->note);
  snprintf(result->note + used, sizeof result->note - used, ", step %lld of %lld", (long long)s->at.step,
           (long long)spec->total_steps);
  return SD_OK;
}

static sd_status restore_seen(const sd_snapshot *s, sd_point_rows *seen, sd_error *error) {
  const unsigned char *from;
  seen->done = 0;
  while (seen->done < seen->samples && seen->step[seen->done] <= (double)s->at.step) seen->done++;
  SD_TRY(find_sized(s, "seen", sd_seen_bytes(seen), &from, error));
  sd_get_seen(&from, seen);
  return SD_OK;
}

/* Members may have been stored with padding between the slots, or without. */
sd_status sd_snapshot_restore(const sd_snapshot *s, sd_ensemble *e, sd_point_rows *seen, sd_error *error) {
  sd_block block;
  if (!s->file || !s->at.step) return SD_OK;
  SD_TRY(sd_checkpoint_find(s->file, "bodies", &block, error));
  size_t slots = sd_slot_count(e), row = block.size / slots, stride = row / 8;
  if (block.size % slots || row % 8 || (stride != e->stride && stride != e->bodies && stride != sd_padded(e->bodies)))
    return sd_snapshot_nonsense(s->name, "bodies", error);
  for (size_t k = 0; k < slots; k++) {
    const unsigned char *from = (const unsigned char *)block.data + k * row;
    sd_get_reals(&from, e->slots + k * e->stride, stride < e->stride ? stride : e->stride);
  }
  for (size_t i = 0; i < e->bodies; i++)
    if (!sd_has_member_status(e, i)) return sd_snapshot_nonsense(s->name, "bodies", error);
  return seen && seen->points ? restore_seen(s, seen, error) : SD_OK;
}

void sd_snapshot_close(sd_snapshot *s) {
  if (s->file) sd_checkpoint_destroy(s->file);
  s->file = NULL;
}
