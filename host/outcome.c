#include "outcome.h"

#include "kept.h"
#include "points.h"
#include "rest.h"
#include "safe_file.h"
#include "statistics_list.h"
#include "verdict.h"
#include "words.h"

#include <errno.h>
#include <stdlib.h>

/* ---- writing ---- */

static void add_word(sd_text *to, uint64_t word) {
  sd_text_add(to, " %016llx", (unsigned long long)word);
}

void sd_add_real(sd_text *to, double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  add_word(to, bits);
}

/* One line, whatever the text is. */
static void add_line(sd_text *to, const char *key, const char *text) {
  sd_text_add(to, "%s ", key);
  for (; *text; text++) sd_text_add(to, "%c", sd_is_printable(*text) && *text != '\n' ? *text : '?');
  sd_text_add(to, "\n");
}

static void add_method(sd_text *to, const sd_result *result, size_t m, const uint64_t *places) {
  const sd_summary *s = &result->summaries[m];
  sd_kept a;
  sd_text_add(to, "%s", s->digest);
  add_word(to, s->failed);
  add_word(to, (uint64_t)s->verdict);
  add_word(to, (uint64_t)s->reason);
  sd_add_real(to, s->seconds);
  sd_add_real(to, s->ns_per_body_step);
  for (int i = 0; i < SD_STATISTICS; i++) sd_add_real(to, sd_statistic_value(s, i));
  sd_text_add(to, "\n");
  for (size_t k = 0; sd_kept_at(result, m, k, &a); k++)
    sd_text_add(to, "%016llx %s\n", (unsigned long long)places[k], a.path);
}

char *sd_outcome_text(const sd_result *result, const uint64_t *places) {
  sd_text text = {0};
  add_line(&text, "backend", result->backend);
  add_line(&text, "variant", result->variant);
  add_line(&text, "devices", result->devices);
  add_line(&text, "why", result->why);
  sd_text_add(&text, "threads %d series %d\n", result->threads, result->with_series);
  for (size_t m = 0; m < result->done; m++) add_method(&text, result, m, places + m * sd_kept_count(result));
  return sd_text_take(&text);
}

/* ---- reading ---- */

static sd_status nonsense(const sd_outcome_file *file, const char *what, sd_error *error) {
  return sd_fail(error, SD_BAD_INPUT, "%s: its %s does not fit its plan", file->name, what);
}

static void take_machine(sd_rest *r, sd_result *result) {
  sd_take_word(r, "backend ");
  sd_take_line(r, result->backend, sizeof result->backend);
  sd_take_word(r, "variant ");
  sd_take_line(r, result->variant, sizeof result->variant);
  sd_take_word(r, "devices ");
  sd_take_line(r, result->devices, sizeof result->devices);
  sd_take_word(r, "why ");
  sd_take_line(r, result->why, sizeof result->why);
  sd_take_word(r, "threads ");
  result->threads = (int)sd_take_count(r, INT32_MAX);
  sd_take_word(r, " series ");
  result->with_series = (int)sd_take_count(r, 1);
  sd_take_word(r, "\n");
}

static void take_summary(sd_rest *r, const sd_specification *spec, size_t m, sd_summary *s) {
  sd_summary_begin(s, spec, m);
  sd_take_digest(r, s->digest);
  sd_take_word(r, " ");
  uint64_t failed = sd_take_bits(r, ' '), verdict = sd_take_bits(r, ' '), reason = sd_take_bits(r, ' ');
  r->bad = r->bad || failed > spec->members || verdict > SD_DRIFTS_DOWN || reason >= SD_REASONS;
  s->failed = r->bad ? 0 : (size_t)failed;
  s->verdict = r->bad ? SD_UNDECIDED : (sd_verdict)verdict;
  s->reason = r->bad ? SD_NO_REASON : (sd_reason)reason;
  s->seconds = sd_take_real(r, ' ');
  s->ns_per_body_step = sd_take_real(r, ' ');
  for (int i = 0; i < SD_STATISTICS; i++) *sd_statistic_at(s, i) = sd_take_real(r, i + 1 < SD_STATISTICS ? ' ' : '\n');
  sd_explain(s);
}

/* Memory for what a method keeps, if that can all be in the file. */
static sd_status make_room(sd_result *result, size_t m, sd_outcome_file *file, sd_error *error) {
  const sd_specification *spec = result->spec;
  sd_series *series = &result->series[m];
  uint64_t points = sd_is_swept(spec) ? spec->points * (uint64_t)sizeof(sd_point) : 0;
  if (!points) {
    SD_TRY(sd_series_create(series, &result->schedule, spec, error));
    series->count = sd_series_kept(series, &result->schedule, result->schedule.samples);
  }
  uint64_t numbers = sd_state_numbers(spec->problem->family, sd_bodies_of(spec)), states = spec->finals;
  if (spec->recorded) states += (uint64_t)result->schedule.samples * spec->recorded; /* the plan has limited that */
  uint64_t bytes = 8 * (uint64_t)sd_series_numbers(series) * (uint64_t)series->count + 8 * numbers * states +
                   spec->finals + (spec->table ? (8 * (uint64_t)SD_COLUMNS + 1) * spec->members : 0) +
                   8 * (uint64_t)sd_log_numbers(spec) * spec->members +
                   points / sizeof(sd_point) * (sizeof(sd_point) - sizeof(sd_digest));
  uint64_t numbers_of_members = (uint64_t)series->room * (uint64_t)sd_shared_numbers(spec) + SD_ACCOUNT_SLOTS;
  if (spec->mergeable && points) bytes += sizeof(sd_digest) * (uint64_t)spec->points;
  else if (spec->mergeable) bytes += 8 * numbers_of_members * spec->members; /* and not less */
  if (bytes > file->left) return nonsense(file, "size", error);
  file->left -= bytes;
  SD_TRY((file->stays ? sd_share_create_without_rows : sd_share_create)(&result->shares[m], spec, series, error));
  return sd_result_make_room(result, m, error);
}

/* Numbers from the file to where they belong; what counts something is held against the plan. */
static int spread(const sd_kept *a, size_t first, size_t count, const unsigned char *from,
                  const sd_specification *spec) {
  int fits = 1;
  for (size_t i = first; i < first + count; i++) {
    size_t at = i / a->width * a->stride + i % a->width;
    switch (a->kind) {
    case SD_KEPT_REALS: sd_get_reals(&from, (double *)a->data + at, 1); break;
    case SD_KEPT_WHOLES: {
      uint64_t members = sd_get_word(&from);
      ((size_t *)a->data)[at] = (size_t)members;
      fits &= members <= spec->members || a->any || sd_is_swept(spec); /* of points: looked at when all are there */
      break;
    }
    case SD_KEPT_BYTES: ((unsigned char *)a->data)[at] = *from; fits &= *from++ < SD_MEMBER_STATUSES || a->any;
    }
  }
  return fits;
}

enum { PIECE = 1 << 16 };

static sd_status read_array(const sd_kept *a, uint64_t place, const sd_specification *spec, const sd_outcome_file *file,
                            unsigned char *piece, sd_error *error) {
  size_t bytes = sd_kept_bytes(a), all = a->rows * a->width, each = all ? bytes / all : 1;
  if (place > file->size || bytes > file->size - place) return nonsense(file, a->path, error);
  if (!a->data) return SD_OK; /* it is left there */
  for (size_t first = 0, most = PIECE / each; first < all; first += most) {
    size_t count = all - first < most ? all - first : most;
    if (sd_read_all(file->fd, piece, count * each, place + first * each))
      return sd_fail(error, SD_IO, "%s: cannot be read: %s", file->name,
                     errno ? strerror(errno) : "it became shorter meanwhile");
    if (!spread(a, first, count, piece, spec)) return nonsense(file, a->path, error);
  }
  return SD_OK;
}

/* An array that has no memory is left where it is. */
static void leave_array(const sd_kept *a, uint64_t place, const sd_outcome_file *file, sd_share *share) {
  share->fd = file->fd;
  *(strcmp(a->name, "states") ? &share->row_at : &share->state_at) = place;
}

static sd_status read_method(sd_rest *r, sd_result *result, size_t m, sd_outcome_file *file, unsigned char *piece,
                             sd_error *error) {
  sd_kept a;
  take_summary(r, result->spec, m, &result->summaries[m]);
  if (r->bad) return SD_OK; /* which the caller sees */
  SD_TRY(make_room(result, m, file, error));
  for (size_t k = 0; sd_kept_at(result, m, k, &a) && !r->bad; k++) {
    uint64_t place = sd_take_bits(r, ' ');
    sd_take_word(r, a.path);
    sd_take_word(r, "\n");
    if (!r->bad) SD_TRY(read_array(&a, place, result->spec, file, piece, error));
    if (!a.data) leave_array(&a, place, file, &result->shares[m]);
  }
  for (size_t p = 0; p < sd_result_points(result) && !r->bad; p++) {
    const sd_point *point = &result->points[m][p];
    if (point->failed > result->spec->each || point->verdict > SD_DRIFTS_DOWN || point->reason >= SD_REASONS)
      return nonsense(file, "points", error);
  }
  return SD_OK;
}

static sd_status read_all(sd_rest *r, sd_result *result, size_t methods, sd_outcome_file *file, sd_error *error) {
  unsigned char *piece = malloc(PIECE);
  if (!piece) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", file->name);
  sd_status status = SD_OK;
  take_machine(r, result);
  for (; result->done < methods && !r->bad && !status; result->done++)
    status = read_method(r, result, result->done, file, piece, error);
  free(piece);
  if (status || (!r->bad && r->at == r->end)) return status;
  return sd_fail(error, SD_BAD_INPUT, "%s: what came of its run cannot be read", file->name);
}

sd_status sd_outcome_read(const char *text, size_t size, const sd_specification *spec, size_t methods,
                          sd_outcome_file *file, sd_result **result, sd_error *error) {
  sd_rest r = {text, text + size, methods > (size_t)spec->method_count};
  sd_error own = {0};
  sd_status status = sd_result_create_empty(result, spec, &own);
  if (status) sd_fail(error, status, "%s: %.300s", file->name, own.message);
  if (!status) status = read_all(&r, *result, methods, file, error);
  if (!status) sd_result_join_digests(*result);
  if (!status) return SD_OK;
  sd_result_destroy(*result);
  *result = NULL;
  return status;
}
