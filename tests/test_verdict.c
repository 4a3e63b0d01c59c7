/* test_verdict.c - the verdict's false alarms and its power, on synthetic ensembles: 48 bodies that oscillate with
 * phases shared or not, with noise, with random walks, with drifts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/partials.h"
#include "../host/reduce.h"
#include "../host/series.h"
#include "../host/verdict.h"
#include "../kernels/philox.h"

#include <math.h>
#include <string.h>

enum { BODIES = 48, SAMPLES = 1001 };

typedef struct {
  double amplitude, period; /* of a bounded oscillation; the run is 1 long */
  double phases;            /* spread of the phases: 0 all alike */
  double modulation;        /* its amplitude is modulated by this much, over a third of the run */
  double noise;             /* independent, at each sample */
  double walk;              /* standard deviation of a random walk at the end of the run */
  double drift, curvature;  /* change over the run, steady and accelerating */
} world;

typedef struct {
  uint64_t seed, draw;
} source;

static double normal(source *s) {
  return philox_normals(s->seed, 0, s->draw++).first;
}

/* One ensemble, reduced as a run would reduce it. */
static sd_verdict verdict_on(const world *w, uint64_t seed) {
  static double e[SAMPLES][BODIES];
  source s = {seed, 0};
  double common = 6.28 * normal(&s);
  for (int b = 0; b < BODIES; b++) {
    double phase = common + w->phases * normal(&s), place = 0, rate = 1 + 0.01 * normal(&s);
    for (int k = 0; k < SAMPLES; k++) {
      double t = k / (SAMPLES - 1.0), size = w->amplitude * (1 + w->modulation * sin(6.2831853 * 3 * t + common));
      e[k][b] = w->drift * t + w->curvature * t * t;
      if (w->amplitude) e[k][b] += size * (sin(6.2831853 * rate * t / w->period + phase) - sin(phase));
      if (w->noise) e[k][b] += w->noise * normal(&s);
      if (w->walk) e[k][b] += place += w->walk / sqrt(SAMPLES) * normal(&s);
    }
  }
  sd_schedule schedule = sd_schedule_make(1.0 / (SAMPLES - 1), SAMPLES - 1, 1);
  sd_series series;
  sd_error error = {0};
  sd_summary r;
  memset(&r, 0, sizeof r);
  assert_int_equal(sd_series_create(&series, &schedule, &error), SD_OK);
  double slope[BODIES], half[2][BODIES];
  for (int b = 0; b < BODIES; b++) {
    double all = 0, part[2] = {0, 0};
    for (int k = 0; k < SAMPLES; k++) {
      double t = k / (SAMPLES - 1.0);
      int h = k >= schedule.first_half;
      all += (t - schedule.all.mean) * e[k][b];
      part[h] += (t - schedule.half[h].mean) * e[k][b];
    }
    slope[b] = all / schedule.all.spread;
    for (int h = 0; h < 2; h++) half[h][b] = part[h] / schedule.half[h].spread;
  }
  r.slope_mean = sd_tree_sum(slope, BODIES) / BODIES;
  r.slope_first_half = sd_tree_sum(half[0], BODIES) / BODIES;
  r.slope_second_half = sd_tree_sum(half[1], BODIES) / BODIES;
  r.slope_stderr = sqrt(sd_tree_sum_of_squares(slope, BODIES, r.slope_mean) / (BODIES - 1) / BODIES);
  r.slope_low = r.slope_mean - sd_student95(BODIES - 1) * r.slope_stderr;
  r.slope_high = r.slope_mean + sd_student95(BODIES - 1) * r.slope_stderr;
  r.time = 1;
  sd_part part, *only[1] = {&part};
  sd_parts parts = {only, 1, BODIES, 1, 1};
  uint16_t rows[SAMPLES];
  for (int k = 0; k < SAMPLES; k++) rows[k] = (uint16_t)k;
  assert_int_equal(sd_host_part_create(&part, e[0], BODIES, 0, BODIES, 1, 1, &error), SD_OK);
  assert_int_equal(sd_reduce_rows(&parts, rows, SAMPLES, series.sample, &error), SD_OK);
  sd_host_part_destroy(&part);
  for (int k = 0; k < SAMPLES; k++) series.sample[series.count++].time = k / (SAMPLES - 1.0);
  sd_trend trend = sd_trend_of(&series);
  sd_series_destroy(&series);
  return sd_judge(&r, &trend, SAMPLES - 1);
}

static int count_verdicts(const world *w, int trials, sd_verdict wanted) {
  int count = 0;
  for (int i = 0; i < trials; i++) count += verdict_on(w, (uint64_t)i + 1) == wanted;
  return count;
}

/* No drift, however the starts are correlated: hardly ever called one. */
static void test_false_alarms(void **state) {
  (void)state;
  static const world quiet[] = {
      {.amplitude = 1, .period = 0.0123},                                    /* all phases alike */
      {.amplitude = 1, .period = 0.0123, .phases = 0.05},                    /* nearly alike */
      {.amplitude = 1, .period = 0.0123, .phases = 3, .noise = 0.1},         /* independent */
      {.amplitude = 1, .period = 0.2, .phases = 0.05, .noise = 0.01},        /* slow: five periods in the run */
      {.amplitude = 1, .period = 0.5, .phases = 0.05, .noise = 0.01},        /* two periods */
      {.amplitude = 1, .period = 0.0345, .phases = 0.05, .modulation = 0.8}, /* a slow beat */
      {.amplitude = 1, .period = 0.0123, .phases = 0.05, .walk = 0.1},       /* diffusion, independent bodies */
      {.noise = 1}};
  for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++) {
    int trials = 100, calm = count_verdicts(&quiet[i], trials, SD_BOUNDED);
    print_message("no drift, case %zu: %d of %d called bounded\n", i, calm, trials);
    assert_true(calm >= trials - 1); /* nominally 1 in 1000 at worst */
  }
}

/* (Case 3 carries a slow bounded swing of 0.3 besides, which hides a smaller drift.)  A drift that changes the energy
 * over the run by a tenth of the oscillation (eighty periods, five a window) is found, with its sign, also when it is
 * not linear. */
static void test_power(void **state) {
  (void)state;
  static const world moving[] = {{.amplitude = 1, .period = 0.0123, .phases = 0.05, .drift = 0.1},
                                 {.amplitude = 1, .period = 0.0123, .phases = 3, .noise = 0.1, .drift = 0.1},
                                 {.amplitude = 1, .period = 0.0123, .phases = 0.05, .drift = 0.05, .curvature = 0.1},
                                 {.amplitude = 1, .period = 0.0345, .phases = 0.05, .modulation = 0.3, .drift = 8},
                                 {.noise = 1, .drift = 1}};
  for (size_t i = 0; i < sizeof moving / sizeof *moving; i++) {
    int trials = 40;
    world down = moving[i];
    down.drift = -down.drift;
    down.curvature = -down.curvature;
    int up = count_verdicts(&moving[i], trials, SD_DRIFTS_UP), fall = count_verdicts(&down, trials, SD_DRIFTS_DOWN);
    print_message("drift, case %zu: %d and %d of %d found\n", i, up, fall, trials);
    assert_true(up >= trials - 2 && fall >= trials - 2);
  }
}

/* Nothing to judge: one body, no spread, few samples. */
static void test_undecided(void **state) {
  (void)state;
  sd_trend trend = {SD_WINDOWS, 1, 0.1, 0.2, 0.4};
  sd_summary r = {.slope_mean = 1,
                  .slope_low = 0.9,
                  .slope_high = 1.1,
                  .slope_first_half = 1,
                  .slope_second_half = 1,
                  .slope_stderr = 0.05,
                  .time = 1};
  assert_int_equal(sd_judge(&r, &trend, 100), SD_DRIFTS_UP);
  sd_summary still = r;
  still.slope_stderr = 0;
  assert_int_equal(sd_judge(&still, &trend, 100), SD_UNDECIDED);
  still.slope_stderr = NAN;
  assert_int_equal(sd_judge(&still, &trend, 100), SD_UNDECIDED);
  sd_trend none = {0, NAN, NAN, NAN, NAN};
  assert_int_equal(sd_judge(&r, &none, 100), SD_UNDECIDED);
  still = r;
  still.slope_second_half = -0.1; /* the halves disagree */
  assert_int_equal(sd_judge(&still, &trend, 100), SD_BOUNDED);
  trend.slope = trend.slope * 1e-16; /* rounding */
  trend.reach999 = trend.reach95 = 0;
  assert_int_equal(sd_judge(&r, &trend, 100), SD_BOUNDED);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_false_alarms), cmocka_unit_test(test_power),
                                     cmocka_unit_test(test_undecided)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
