/* test_verdict.c - the verdict on ensembles whose truth is known because they are made up: bodies that oscillate with
 * phases shared or not, with periods and lengths drawn at random, with noise, with random walks, with drifts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/partials.h"
#include "../host/statistics.h"
#include "../host/verdict.h"
#include "../kernels/philox.h"
#include "../kernels/witness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEMBERS_MOST = 64, SAMPLES = 1001, STAGES = 80000 };

typedef struct {
  int members;
  double amplitude, periods; /* of a bounded oscillation, and how many of them there are in the run */
  double phases;             /* spread of the phases: 0 all alike */
  double rates;              /* relative spread of the periods */
  double noise;              /* independent, at each step */
  double walk;               /* standard deviation of a random walk at the end of the run */
  double drift, curvature;   /* change over the run, steady and accelerating */
  double drifts;             /* relative spread of these */
  int bursts;                /* in the last samples */
  double away;               /* where the energy goes at once, to stay */
  int every;                 /* steps between samples */
  int failed;                /* members */
  double energy, time;       /* units */
  double resolve;
} world;

static const world plain = {.members = 16,
                            .amplitude = 1,
                            .periods = 80.3,
                            .phases = 0.05,
                            .every = 40,
                            .energy = 1,
                            .time = 1,
                            .resolve = 0.1};

typedef struct {
  uint64_t seed, draw;
} source;

static double normal(source *s) {
  return philox_normals(s->seed, 0, s->draw++).first;
}
static double uniform(source *s) {
  random_block b = philox_block(s->seed, 1, s->draw++);
  return uniform_of(b.word[0], b.word[1]);
}

typedef struct {
  double phase, rate, share;
} member;

/* E - E0 of a member at x = t/T, without what is random from step to step. */
static double energy_at(const world *w, const member *m, double x) {
  double angle = 6.283185307179586 * w->periods * m->rate * x + m->phase;
  return w->amplitude * (sin(angle) - sin(m->phase)) + m->share * (w->drift * x + w->curvature * x * x) +
         w->away * (x > 0) + (w->bursts && x > 0.997 ? 100 : 0);
}

/* What the kernels keep of a member, at sample k of the schedule. */
static void observe(double *slot[], const sd_schedule *s, int64_t k, double x, double e, size_t i) {
  int half = k >= s->first_half;
  double t = x * s->length, w = x * (1 - x);
  slot[SD_LOWEST][i] = fmin(slot[SD_LOWEST][i], e);
  slot[SD_HIGHEST][i] = fmax(slot[SD_HIGHEST][i], e);
  slot[SD_SQUARES][i] += e * e;
  slot[SD_SUM + 2 * half][i] += e;
  slot[SD_MOMENT + 2 * half][i] += (t - s->half[half].mean) * e;
  slot[SD_TAPERED][i] += w * w * (x - s->tapered.mean) * e;
}

static double mean_at(const world *w, const member *members, double x) {
  double sum = 0;
  for (int i = w->failed; i < w->members; i++) sum += energy_at(w, &members[i], x);
  return w->energy * sum / (w->members - w->failed);
}

static void take_witness(const world *w, const member *members, const sd_schedule *schedule, sd_series *series,
                         int64_t k) {
  int64_t step = k ? sd_witness_step(series->witness_length, k) : INT64_MAX;
  if (step == INT64_MAX) return;
  double x = (double)step / (double)((SAMPLES - 1) * w->every);
  series->sample[k].witness_time = x * schedule->length;
  series->sample[k].witness = mean_at(w, members, x);
}

/* One ensemble, reduced as a run would reduce it. */
static sd_summary judged(const world *w, uint64_t seed) {
  static double e[SAMPLES][MEMBERS_MOST], slots[SD_ACCOUNT_SLOTS][MEMBERS_MOST];
  double *slot[SD_ACCOUNT_SLOTS];
  member members[MEMBERS_MOST];
  source s = {seed, 0};
  int64_t steps = (int64_t)(SAMPLES - 1) * w->every;
  sd_schedule schedule = sd_schedule_make(w->time / (double)steps, steps, w->every);
  double common = 6.28 * normal(&s);
  memset(slots, 0, sizeof slots);
  for (int k = 0; k < SD_ACCOUNT_SLOTS; k++) slot[k] = slots[k];
  for (int i = 0; i < w->members; i++) {
    members[i] = (member){common + w->phases * normal(&s), 1 + w->rates * normal(&s), 1 + w->drifts * normal(&s)};
    slot[SD_SCALE][i] = w->energy;
    slot[SD_STATUS][i] = i < w->failed ? SD_MEMBER_NOT_FINITE : SD_MEMBER_OK;
    double place = 0;
    for (int k = 0; k < SAMPLES; k++) {
      double x = k / (SAMPLES - 1.0);
      place += w->walk ? w->walk / sqrt(SAMPLES) * normal(&s) : 0;
      e[k][i] = w->energy * (energy_at(w, &members[i], x) + place + (w->noise ? w->noise * normal(&s) : 0));
      observe(slot, &schedule, k, x, e[k][i], (size_t)i);
      if (i < w->failed) e[k][i] = NAN;
    }
  }
  sd_series series;
  sd_error error = {0};
  sd_part part, *only[1] = {&part};
  sd_parts parts = {only, 1, (size_t)w->members, 1, 1};
  const sd_family family = {.id = "none"};
  const sd_problem_entry problem = {.family = &family};
  const sd_specification spec = {.problem = &problem};
  assert_int_equal(sd_series_create(&series, &schedule, &spec, &error), SD_OK);
  assert_int_equal(
      sd_host_part_create(&part, e[0], MEMBERS_MOST, 0, parts.members, 1, 1, &(sd_coordinates){0}, NULL, &error),
      SD_OK);
  for (uint16_t k = 0; k < SAMPLES; k++) {
    assert_int_equal(sd_reduce_rows(&parts, &k, 1, &series.sample[k], &error), SD_OK);
    series.sample[k].time = k / (SAMPLES - 1.0) * w->time;
    take_witness(w, members, &schedule, &series, k);
    series.count++;
  }
  sd_summary r;
  memset(&r, 0, sizeof r);
  r.time = schedule.length;
  sd_ensemble ensemble = {.slots = slots[0], .stride = MEMBERS_MOST, .bodies = (size_t)w->members};
  assert_int_equal(sd_summarise(&ensemble, &schedule, &series, STAGES, 1, w->resolve, 1, &r, &error), SD_OK);
  sd_host_part_destroy(&part);
  sd_series_destroy(&series);
  return r;
}

/* A world with all that matters to the rule drawn at random; nothing of it was used to make the rule. */
static world drawn(source *s) {
  static const int members[] = {1, 2, 3, 5, 8, 16, 16, 16, 64};
  static const double phases[] = {0, 0.001, 0.05, 0.5, 3};
  world w = plain;
  w.members = members[(int)(9 * uniform(s))];
  w.periods = 4 * pow(1000, uniform(s));
  w.phases = phases[(int)(5 * uniform(s))];
  w.rates = uniform(s) < 0.5 ? 0 : 0.03 * uniform(s);
  w.noise = uniform(s) < 0.7 ? 0 : 0.2 * uniform(s);
  return w;
}

static int drifts(const sd_summary *r) {
  return r->verdict == SD_DRIFTS_UP || r->verdict == SD_DRIFTS_DOWN;
}

/* No drift: never called one, and mostly decided where there are periods enough. */
static void test_nothing_is_no_drift(void **state) {
  (void)state;
  enum { WORLDS = 1500 };
  int alarms = 0, long_ones = 0, silent = 0;
  for (int i = 0; i < WORLDS; i++) {
    source s = {(uint64_t)i + 1, 1000};
    world w = drawn(&s);
    sd_summary r = judged(&w, (uint64_t)i + 1);
    if (drifts(&r)) {
      alarms++;
      print_error("world %d: %d members, %g periods, phases %g, rates %g, noise %g: %s, %s\n", i, w.members, w.periods,
                  w.phases, w.rates, w.noise, sd_verdict_text(r.verdict), r.because);
    }
    if (w.periods < 12) continue;
    long_ones++;
    silent += r.verdict == SD_UNDECIDED;
  }
  print_message("no drift: %d alarms in %d; of %d with 12 periods or more %d undecided\n", alarms, WORLDS, long_ones,
                silent);
  assert_int_equal(alarms, 0);
  assert_true(silent < 0.15 * long_ones);
}

/* A drift, which may come to be nine times as fast: never the other way, never called bounded from a tenth of the rms
 * on, and found where it is large. */
static void test_drifts_are_found(void **state) {
  (void)state;
  enum { WORLDS = 1200 };
  int large = 0, found = 0;
  for (int i = 0; i < WORLDS; i++) {
    source s = {(uint64_t)i + 1, 2000};
    world w = drawn(&s);
    double change = 0.05 * pow(400, uniform(&s)), sign = uniform(&s) < 0.5 ? -1 : 1, bend = 0.8 * uniform(&s);
    w.drift = sign * change * (1 - bend) * sqrt(0.5);
    w.curvature = sign * change * bend * sqrt(0.5);
    w.drifts = uniform(&s) < 0.5 ? 0 : 0.5 * uniform(&s);
    sd_summary r = judged(&w, (uint64_t)i + 1);
    double ratio = (fabs(w.drift) + fabs(w.curvature)) / r.oscillation_rms;
    int right = r.verdict == (sign > 0 ? SD_DRIFTS_UP : SD_DRIFTS_DOWN);
    if ((drifts(&r) && !right) || (r.verdict == SD_BOUNDED && ratio > 0.1 && w.members > 1))
      fail_msg("world %d: %d members, %g periods, phases %g, rates %g, noise %g, a drift of %+g rms is called %s", i,
               w.members, w.periods, w.phases, w.rates, w.noise, sign * ratio, sd_verdict_text(r.verdict));
    if (ratio < 1 || w.members != 16) continue;
    large++;
    found += right;
  }
  print_message("drifts above 1 rms, 16 members: %d of %d found\n", found, large);
  assert_true(found > 0.8 * large);
}

/* One sample a period, or nearly: what the samples see is slow and looks like a drift; the witnesses know better. */
static void test_samples_that_beat(void **state) {
  (void)state;
  int beats = 0;
  for (int i = 0; i < 60; i++) {
    world w = plain;
    w.periods = 1000 * (1 + i % 3) + 0.02 * (i - 30) / 3;
    w.phases = 0.001;
    sd_summary r = judged(&w, (uint64_t)i + 1);
    if (drifts(&r)) fail_msg("%.4f periods: %s", w.periods, sd_verdict_text(r.verdict));
    beats += r.reason == SD_SAMPLES_BEAT;
  }
  print_message("%d of 60 would be drifts but for the witnesses\n", beats);
  assert_true(beats > 5);
}

/* Units are nobody's business: powers of two do not even change a bit. */
static void test_units(void **state) {
  (void)state;
  const world worlds[] = {plain,
                          {.members = 16, .amplitude = 1, .periods = 80.3, .phases = 0.05, .every = 40, .drift = 1}};
  for (int i = 0; i < 2; i++)
    for (int e = -40; e <= 40; e += 20)
      for (int t = -40; t <= 40; t += 20) {
        world one = worlds[i], other;
        one.energy = one.time = 1, one.resolve = 0.1;
        other = one;
        other.energy = ldexp(1, e);
        other.time = ldexp(1, t);
        sd_summary a = judged(&one, 7), b = judged(&other, 7);
        assert_int_equal(a.verdict, i ? SD_DRIFTS_UP : SD_BOUNDED);
        assert_int_equal(b.verdict, a.verdict);
        assert_int_equal(b.reason, a.reason);
        assert_true(b.drift_change == a.drift_change && b.drift_change_reach == a.drift_change_reach);
        assert_true(b.resolved == ldexp(a.resolved, e));
      }
}

static void expect(world w, sd_verdict verdict, sd_reason reason, const char *words) {
  sd_summary r = judged(&w, 3);
  if (r.verdict != verdict || r.reason != reason || !strstr(r.because, words))
    fail_msg("expected '%s' (%s), not '%s' (%s)", sd_verdict_text(verdict), words, sd_verdict_text(r.verdict),
             r.because);
}

/* Each in its own words. */
static void test_reasons(void **state) {
  (void)state;
  world w = plain;
  expect(w, SD_BOUNDED, SD_EXCLUDED, "a change above 0.00");
  w.resolve = 1e-4;
  expect(w, SD_UNDECIDED, SD_SHORT, "time >= ");
  w = plain, w.drift = 3;
  expect(w, SD_DRIFTS_UP, SD_STEADY, "every window");
  w.failed = 1;
  expect(w, SD_UNDECIDED, SD_MEMBERS_FAILED, "1 of 16 members failed");
  w.failed = 15;
  expect(w, SD_UNDECIDED, SD_MEMBERS_FAILED, "15 of 16 members failed");
  w = plain, w.periods = 16.3, w.drift = -0.2, w.every = 1;
  expect(w, SD_DRIFTS_DOWN, SD_AVERAGES_OUT, "averages out");
  w = plain, w.amplitude = 1e-13;
  expect(w, SD_BOUNDED, SD_ROUNDING, "rounding: max|E-E0| is not beyond 1.2e-12");
  w = plain, w.away = 20;
  expect(w, SD_UNDECIDED, SD_LEFT_START, "energy left its start");
  w = plain, w.walk = 5;
  expect(w, SD_UNDECIDED, SD_MEMBERS_WANDER, "members wander: by ");
  w = plain, w.members = 64, w.phases = 3, w.rates = 0.01, w.noise = 0.5, w.drift = 0.06;
  expect(w, SD_DRIFTS_UP, SD_MEMBERS_AGREE, "the members agree");
  w = plain, w.amplitude = 0, w.noise = 1;
  expect(w, SD_UNDECIDED, SD_SAMPLES_SCARCE, "samples x ");
  w = plain, w.bursts = 1;
  expect(w, SD_UNDECIDED, SD_LEFT_RANGE, "energy leaves its range");
  w = plain, w.members = 1;
  expect(w, SD_BOUNDED, SD_EXCLUDED, "is excluded; by one member's windows alone");
  w.drift = 3;
  expect(w, SD_DRIFTS_UP, SD_STEADY, "has its sign; by one member's windows alone");
  w = plain, w.members = 1, w.periods = 16.3, w.drift = -0.2, w.every = 1;
  expect(w, SD_DRIFTS_DOWN, SD_AVERAGES_OUT, "and it does not; by one member's windows alone");
}

/* A change below the oscillation's size that members agree on in the mean alone is what parting looks like. */
static void test_members_that_part(void **state) {
  (void)state;
  world w = plain;
  w.members = 64, w.phases = 3, w.rates = 0.01, w.noise = 0.5, w.drift = 0.3, w.drifts = 1.2;
  expect(w, SD_UNDECIDED, SD_SHORT, "time >= ");
  w.drifts = 0.3;
  expect(w, SD_DRIFTS_UP, SD_STEADY, "every window");
  w.drift = 3, w.drifts = 1.2;
  expect(w, SD_DRIFTS_UP, SD_STEADY, "every window");
  w = plain, w.members = 5, w.phases = 3, w.drift = 0.3, w.drifts = 0.5; /* few: all of one sign */
  expect(w, SD_DRIFTS_UP, SD_STEADY, "every window");
}

/* A shorter series than a verdict needs, and one that has just enough. */
static void test_few_samples(void **state) {
  (void)state;
  sd_summary r = {.members = 2, .time = 1, .oscillation_rms = 1};
  sd_trend trend = {.samples = SD_SAMPLES_LEAST - 1};
  sd_judge(&r, &trend, 0.1, 100);
  assert_int_equal(r.reason, SD_FEW_SAMPLES);
  assert_int_equal(r.verdict, SD_UNDECIDED);
  trend.samples++;
  sd_judge(&r, &trend, 0.1, 100);
  assert_int_not_equal(r.reason, SD_FEW_SAMPLES);
}

/* Nothing that is not a number makes a verdict. */
static void test_not_a_number(void **state) {
  (void)state;
  for (int k = 0; k < SD_STATISTICS; k++) {
    world w = plain;
    sd_summary r = judged(&w, 1);
    sd_trend trend = {
        .samples = SAMPLES, .halves = {NAN, NAN}, .quarters = {NAN, NAN}, .lowest = -1, .highest = 1, .stays = 1};
    sd_judge(&r, &trend, 0.1, STAGES);
    assert_int_equal(r.verdict, SD_UNDECIDED);
    trend.halves = trend.quarters = (sd_slopes){-0.001, 0.001};
    r = judged(&w, 1);
    sd_judge(&r, &trend, 0.1, STAGES);
    assert_int_equal(r.verdict, SD_BOUNDED);
    double usual = sd_statistic_value(&r, k);
    r = judged(&w, 1);
    *sd_statistic_at(&r, k) = NAN;
    sd_judge(&r, &trend, 0.1, STAGES);
    int matters = sd_statistic_value(&r, k) != sd_statistic_value(&r, k) && usual == usual;
    int used = k == SD_STATISTIC_drift_slope || k == SD_STATISTIC_oscillation_rms || k == SD_STATISTIC_drift_stderr;
    if (matters && used && r.verdict != SD_UNDECIDED)
      fail_msg("%s: NaN is called %s", sd_statistics[k].name, sd_verdict_text(r.verdict));
  }
}

/* The witness of an interval is one of its steps, any of them, and the next one after a step is found. */
static void test_witnesses(void **state) {
  (void)state;
  for (int64_t length = 1; length <= 40; length++) {
    int64_t seen[40] = {0}, interval = 1;
    for (int64_t i = 1; i <= 4000; i++) {
      int64_t place = sd_witness_step(length, i) - (i - 1) * length - 1;
      assert_true(place >= 0 && place < length);
      seen[place]++;
    }
    for (int64_t k = 0; k < length; k++) assert_true(fabs((double)(seen[k] * length) / 4000 - 1) < 0.5);
    for (int64_t n = 0; n < 40 * length; n++) {
      while (sd_witness_step(length, interval) <= n) interval++;
      assert_int_equal(sd_witness_after(length, n), interval);
    }
  }
  assert_true(sd_witness_step(0, 1) == INT64_MAX && sd_witness_after(0, 1000) == 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_is_no_drift),
                                     cmocka_unit_test(test_drifts_are_found),
                                     cmocka_unit_test(test_samples_that_beat),
                                     cmocka_unit_test(test_units),
                                     cmocka_unit_test(test_reasons),
                                     cmocka_unit_test(test_members_that_part),
                                     cmocka_unit_test(test_few_samples),
                                     cmocka_unit_test(test_not_a_number),
                                     cmocka_unit_test(test_witnesses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
