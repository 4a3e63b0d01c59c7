/* probe.c - the functions of a problem of the user's own held against one another, at places all over: which is wrong,
 * by how much, where, and what it looks like. */
#include "guard.h"
#include "number.h"
#include "own.h"
#include "specification.h"

#include <math.h>
#include <string.h>

enum { PLACES = 64 };
static const double allowed = 1e-7, too_vague = 1e-3; /* of what they are compared beside */

typedef struct {
  const sd_problem_alone *alone;
  const double *parameters;
  double numbers[SD_PROBE_NUMBERS];
  double at[PLACES][3];
  sd_comparison found[PLACES][SD_COMPARISONS_MAX];
  int place, count;
} probing;

/* Numbers from -1 to 1, always the same. */
static double next_number(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return (double)(int64_t)(z ^ z >> 31) * 0x1p-63;
}

static void probe_once(void *data) {
  probing *p = data;
  p->count = p->alone->probe(p->parameters, p->numbers, p->at[p->place], p->found[p->place]);
}

/* ---- what is wrong with one function ---- */

typedef struct {
  double worst; /* largest difference, in units of its scale */
  int place, entry;
  int clear, wrong;        /* places where differences tell something; where they tell that it is wrong */
  int negated, transposed; /* where it would be right so */
} finding;

/* With another sign, or rows for columns. */
static double difference(const sd_comparison *c, int sign, int turned, int *entry) {
  double largest = -1;
  for (int i = 0; i < c->rows; i++)
    for (int j = 0; j < c->columns; j++) {
      int k = i * c->columns + j, other = turned ? j * c->rows + i : k;
      double gap = fabs(sign * c->given[other] - c->found[k]);
      if (!(gap <= largest)) largest = gap, *entry = k;
    }
  return largest;
}

static finding judge(const probing *p, int which) {
  finding f = {.worst = -1};
  double reference = 0;
  for (int n = 0; n < PLACES; n++)
    if (p->found[n][which].scale > reference) reference = p->found[n][which].scale;
  for (int n = 0; n < PLACES; n++) {
    const sd_comparison *c = &p->found[n][which];
    double scale = fmax(fmax(c->scale, 1e-3 * reference), 1e-12), vague = 4 * c->error / scale;
    int entry = 0, unused;
    double gap = difference(c, 1, 0, &entry) / scale;
    if (vague > too_vague) continue; /* nothing can be told where the function itself changes so fast */
    f.clear++;
    f.wrong += !(gap <= allowed + vague);
    f.negated += difference(c, -1, 0, &unused) / scale <= allowed + vague;
    f.transposed += c->rows == c->columns && difference(c, 1, 1, &unused) / scale <= allowed + vague;
    if (!(gap <= f.worst)) f.worst = gap, f.place = n, f.entry = entry;
  }
  return f;
}

static void name_entry(const sd_comparison *c, int entry, char text[48]) {
  if (c->columns > 1) snprintf(text, 48, "entry %d,%d", entry / c->columns + 1, entry % c->columns + 1);
  else snprintf(text, 48, "component %d", entry + 1);
}

static void tell_wrong(const probing *p, int which, const finding *f, FILE *to) {
  const sd_comparison *c = &p->found[f->place][which];
  const double *at = p->at[f->place];
  char entry[48];
  name_entry(c, f->entry, entry);
  sd_print(to,
           "  %-18s WRONG at %d of %d places, most at the %s (%.6g, %.6g, %.6g): %s is %.9g, and by differences of %s "
           "%.9g\n",
           c->what, f->wrong, f->clear, p->alone->place, at[0], at[1], at[2], entry, c->given[f->entry], c->beside,
           c->found[f->entry]);
  const char *looks = f->negated == f->clear      ? "its sign is wrong"
                      : f->transposed == f->clear ? "its rows should be its columns"
                                                  : "what should hold";
  sd_print(to, "  %-18s %s: %s\n", "", looks, c->rule);
}

/* Returns whether it is as it should be. */
static int tell(const probing *p, int which, FILE *to) {
  finding f = judge(p, which);
  const sd_comparison *c = &p->found[0][which];
  if (2 * f.clear < PLACES) {
    sd_print(to, "  %-18s UNCLEAR: %s changes too fast for differences at %d of %d places\n", c->what, c->beside,
             PLACES - f.clear, PLACES);
    return 0;
  }
  if (f.wrong) return tell_wrong(p, which, &f, to), 0;
  sd_print(to, "  %-18s right beside differences of %s: %.1e off at most, of %g allowed, at %d places\n", c->what,
           c->beside, fmax(f.worst, 0), allowed, f.clear);
  return 1;
}

/* ---- all of them ---- */

static sd_status probe_all(probing *p, const char *name, sd_error *error) {
  uint64_t state = 1;
  for (p->place = 0; p->place < PLACES; p->place++) {
    for (int k = 0; k < SD_PROBE_NUMBERS; k++) p->numbers[k] = next_number(&state);
    int crashed = sd_guarded(probe_once, p);
    if (crashed) return sd_fail(error, SD_CRASHED, "%s crashed: %s", name, sd_crash_text(crashed));
  }
  return SD_OK;
}

sd_status sd_plan_probe(sd_plan *plan, FILE *to, size_t *wrong, char message[512]) {
  static _Thread_local probing p; /* too large for a stack */
  sd_error error = {0};
  *wrong = 0;
  sd_status status = sd_plan_resolve(plan);
  if (status) return snprintf(message, 512, "%s", sd_plan_message(plan)), status;
  const sd_specification *spec = sd_plan_specification(plan);
  const sd_problem_alone *alone = sd_own_alone(spec->problem);
  *message = 0;
  if (!alone || !alone->probe) return SD_OK;
  p = (probing){.alone = alone, .parameters = spec->parameters};
  const sd_source *source = sd_own_source_of(spec->problem->family, SD_SOURCE_OF_PROBLEM, spec->problem->id);
  status = probe_all(&p, sd_document_name(source->document), &error);
  memcpy(message, error.message, sizeof error.message);
  for (int k = 0; k < p.count && !status && !*wrong; k++) /* those after it are held against it */
    *wrong += (size_t)!tell(&p, k, to);
  return status;
}
