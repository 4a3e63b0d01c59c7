/* chart.h - what a family gives so that the batteries can measure its methods without knowing it.
 *
 * A family FAMILY has a file tests/FAMILY/chart.h with a `static const chart FAMILY_chart`.  A start is the numbers
 * that a member begins with, a state what is exported of it, and a tangent vector `dimension` numbers.  Lengths are in
 * units of the motion, so that rounding is about 1e-16 in all of them.  With it every method of the family, and every
 * composition, is held to its declared order, symmetry and symplecticity: battery_order.c and battery_traits.c have no
 * list of families.  A family without a chart fails both. */
#ifndef CHART_H
#define CHART_H

#include "harness.h"
#include "rotations.h"

enum { CHART_MAX = 24 }; /* numbers of a tangent vector */

/* Where the order of every method shows: halved steps, from where the error falls as it should to where rounding shows.
 */
typedef struct {
  const char *problem;
  double time, largest, smallest; /* steps */
  int compositions;
} chart_trial;

typedef struct {
  const char *family;
  int dimension;
  /* One step from a start with nothing symmetric about it, large enough for defects to show. */
  const char *problem;
  double step;
  harness_start start;
  const char *free;            /* a problem without a potential, or NULL: then FREE_SYMPLECTIC is not the family's */
  void (*prepare)(harness *t); /* parameters with nothing symmetric about them; may be NULL */
  int trials_from_start;       /* trials of this problem have that start and these parameters, and not the problem's */
  harness_start (*displaced)(const harness *t, const harness_start *start, const double *tangent);
  harness_start (*start_of)(const harness_end *state);
  /* The tangent vector from a base to a state near by, and the symplectic form there, by rows. */
  void (*tangent_to)(const harness *t, const harness_end *base, const harness_end *state, double *tangent);
  void (*form)(const harness *t, const harness_end *base, double *form);
  double (*distance)(const harness_end *a, const harness_end *b);
  const char *exact[2];                                                  /* methods that have no error on the trials */
  chart_trial trial[4];                                                  /* ends with a null problem */
  chart_trial eighth;                                                    /* order 8, whose errors are soon rounding: */
  double (*eighth_distance)(const harness_end *a, const harness_end *b); /* what of them is less hit by it */
} chart;

#include "charts.h" /* written by CMake: the charts of all families, and their list */

static inline const chart *chart_of(const sd_method_entry *method) {
  const char *family = method->family->id;
  for (size_t i = 0; i < sizeof charts / sizeof *charts; i++)
    if (!strcmp(charts[i]->family, family)) return charts[i];
  fail_msg("the family %s has no chart", family);
  return NULL;
}

/* Calls check for every method of every family and, where it can be composed, for its compositions. */
typedef void chart_check(const chart *c, const char *name, int order);
static inline void for_each_in_charts(chart_check *check, int compositions) {
  for (int i = 0; i < sd_method_count(); i++) {
    const sd_method_entry *m = sd_method_at(i);
    check(chart_of(m), m->id, m->order);
    for (int order = 4; order <= 8 && compositions && can_be_composed(m); order += 2) {
      char name[40];
      snprintf(name, sizeof name, "%s@%d", m->id, order);
      check(chart_of(m), name, order);
    }
  }
}

#endif
