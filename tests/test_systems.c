/* test_systems.c - systems of many bodies as wholes: the torus against an independent implementation in 80-bit
 * arithmetic (tests/reference/system.c), the order of its energy error, momenta with and without a wall, one body
 * alone, and the energy of a long run. */
#include "chart.h"
#include "judge.h"

/* ---- runs ---- */

typedef struct {
  harness t;
  const double *start; /* SD_START_NUMBERS of each body; NULL is the problem's own */
  double step;
  int64_t steps, every;
} setting;

typedef struct {
  size_t bodies, ledgers;
  int64_t samples;
  double *state;          /* as it is shown */
  double *error, *ledger; /* of the samples: E - E0, and the family's list */
  double account[SD_ACCOUNT_SLOTS];
} outcome;

static void forget(outcome *o) {
  free(o->state);
  free(o->error);
  free(o->ledger);
}

static double *numbers(size_t count) {
  double *made = aligned_alloc(64, (count * sizeof *made + 63) / 64 * 64);
  if (!made) fail_msg("out of memory");
  memset(made, 0, count * sizeof *made);
  return made;
}

static sd_job job_of(const setting *s, double *slots, double *series, double *out, int64_t samples) {
  sd_job job = {.slots = slots,
                .stride = SD_GROUP_MAX,
                .step = s->step,
                .stages = s->t.method.stages,
                .to_step = s->steps,
                .total_steps = s->steps,
                .every = s->every,
                .first_half = (samples + 1) / 2,
                .series = series,
                .series_stride = SD_GROUP_MAX,
                .ledger_row = samples,
                .exported = out,
                .export_stride = SD_GROUP_MAX};
  memcpy(job.method, s->t.method_parameters, sizeof job.method);
  memcpy(job.parameters, s->t.parameters, sizeof job.parameters);
  memcpy(job.stage, s->t.method.stage, (size_t)s->t.method.stages * sizeof *job.stage);
  s->t.problem->constants(job.parameters, job.constants);
  return job;
}

/* Every so manieth number, as the lanes of member 0 have them. */
static void take(double *to, const double *from, size_t count) {
  for (size_t k = 0; k < count; k++) to[k] = from[k * SD_GROUP_MAX];
}

static outcome run(const setting *s) {
  const sd_kernels *kernels = sd_find_kernels(s->t.method.entry, s->t.problem, "scalar");
  outcome o = {.bodies = bodies_of(s->t.problem, s->t.parameters),
               .ledgers = (size_t)sd_ledger_count(s->t.problem->family),
               .samples = (s->steps + s->every - 1) / s->every + 1};
  size_t shown = sd_member_shown(kernels, o.bodies), state = sd_member_slots(kernels, o.bodies);
  size_t samples = (size_t)o.samples;
  double *slots = numbers((state + SD_ACCOUNT_SLOTS) * SD_GROUP_MAX), *out = numbers((shown + 2) * SD_GROUP_MAX);
  double *series = numbers(samples * (1 + o.ledgers) * SD_GROUP_MAX);
  for (size_t b = 0; s->start && b < o.bodies; b++)
    for (size_t k = 0; k < SD_START_NUMBERS; k++)
      slots[(b * (size_t)kernels->body_slots + k) * SD_GROUP_MAX] = s->start[b * SD_START_NUMBERS + k];
  sd_job job = job_of(s, slots, series, out, o.samples);
  system_room room = room_for(s->t.problem, kernels, &job);
  kernels->begin(&job, 0, 1);
  kernels->advance(&job, 0, 1);
  kernels->export_state(&job, 0, 1);
  leave_room(&room);
  o.state = numbers(shown);
  o.error = numbers(samples);
  o.ledger = numbers(samples * o.ledgers);
  take(o.state, out, shown);
  take(o.error, series, samples);
  take(o.ledger, series + samples * SD_GROUP_MAX, samples * o.ledgers);
  take(o.account, slots + state * SD_GROUP_MAX, SD_ACCOUNT_SLOTS);
  free(slots);
  free(series);
  free(out);
  return o;
}

static double of_ledger(const setting *s, const outcome *o, int64_t sample, const char *id) {
  const sd_ledger_entry *entry = s->t.problem->family->ledger;
  for (size_t k = 0; k < o->ledgers; k++)
    if (!strcmp(entry[k].id, id)) return o->ledger[(size_t)sample * o->ledgers + k];
  fail_msg("there is no %s in the ledger", id);
  return NAN;
}

/* ---- the torus ---- */

enum { RING = 80 };

static harness torus_by(const char *method) {
  harness t = harness_make(method, "torus");
  *parameter_named(t.problem, t.parameters, "n") = RING;
  return t;
}

/* Turning bodies: the torus leaves its plane.  It may be shifted away from the wall. */
static void set_turning(const harness *t, double shift, double start[RING * SD_START_NUMBERS]) {
  sd_shared_topology *shared = topology_for(t->problem, t->parameters);
  int bodies = (int)sd_topology_of(shared)->size.bodies;
  memcpy(start, sd_topology_of(shared)->start, (size_t)bodies * SD_START_NUMBERS * sizeof *start);
  sd_topology_let_go(shared);
  for (int k = 0; k < bodies; k++) {
    const double W[3] = {(k % 3 - 1) / 4.0, (k % 5 - 2) / 4.0, (k % 7 - 3) / 4.0};
    memcpy(start + k * SD_START_NUMBERS + SD_START_RATE, W, sizeof W);
    start[k * SD_START_NUMBERS] += shift;
  }
}

/* What a change of 1e-16 grows to, measured with the reference. */
static double growth(double time) {
  static const double known[][2] = {{0, 1}, {0.05, 78}, {0.2, 180}, {0.4, 6.5e3}, {1, 1.2e5}};
  int k = 1;
  while (k < 4 && time > known[k][0]) k++;
  double part = (time - known[k - 1][0]) / (known[k][0] - known[k - 1][0]);
  return known[k - 1][1] * pow(known[k][1] / known[k - 1][1], part);
}

/* One line of the golden file, and the run that it is of. */
typedef struct {
  char what[16], method[24], start[16], inertia[16];
  double step, number[24];
  long steps;
  int count;
} golden_line;

static int read_line(FILE *file, golden_line *line) {
  char text[2048], *at = text;
  do
    if (!fgets(text, sizeof text, file)) return 0;
  while (text[0] == '#');
  int used = 0;
  memset(line, 0, sizeof *line);
  assert_int_equal(sscanf(text, "%15s %23s %15s %15s %lf %ld%n", line->what, line->method, line->start, line->inertia,
                          &line->step, &line->steps, &used),
                   6);
  at += used;
  for (char *end; line->count < 24; at = end) {
    line->number[line->count] = strtod(at, &end);
    if (end == at) break;
    line->count++;
  }
  return 1;
}

static int same_run(const golden_line *a, const golden_line *b) {
  return !strcmp(a->method, b->method) && !strcmp(a->start, b->start) && !strcmp(a->inertia, b->inertia) &&
         a->steps == b->steps;
}

static outcome run_line(const golden_line *line, setting *s) {
  static double start[RING * SD_START_NUMBERS];
  const double unequal[3] = {0.8, 1, 1.3};
  *s = (setting){torus_by(line->method), NULL, line->step, line->steps, line->steps ? line->steps : 1};
  if (!strcmp(line->inertia, "unequal")) memcpy(s->t.parameters, unequal, sizeof unequal);
  set_turning(&s->t, 0, start);
  if (!strcmp(line->start, "turning")) s->start = start;
  return run(s);
}

/* The largest difference, in units of what rounding may come to. */
static double worst_of(const double *found, const double *expected, size_t count, double unit) {
  double worst = 0;
  for (size_t k = 0; k < count; k++) {
    double gap = fabs(found[k] - expected[k]) / unit;
    if (!(gap <= worst)) worst = gap; /* NaN, too */
  }
  return worst;
}

static double check_energies(const golden_line *line, const setting *s, const outcome *o, double unit) {
  static const char *const kinds[7] = {"translation", "rotation", "bending", "axial", "shear", "contact", "wall"};
  int64_t last = o->samples - 1;
  double found[7], impulse[3] = {of_ledger(s, o, last, "impulse_x"), of_ledger(s, o, last, "impulse_y"),
                                 of_ledger(s, o, last, "impulse_z")};
  assert_int_equal(line->count, 20);
  for (int k = 0; k < 7; k++) found[k] = of_ledger(s, o, last, kinds[k]);
  double worst = worst_of(found, line->number, 7, 40 * unit);
  worst = fmax(worst, worst_of(&o->error[last], line->number + 7, 1, 40 * unit));
  return fmax(worst, worst_of(impulse, line->number + 14, 3, 40 * unit));
}

static double check_body(const golden_line *line, const outcome *o, double unit) {
  size_t b = (size_t)line->number[0], n = o->bodies;
  assert_int_equal(line->count, 19);
  double worst = worst_of(o->state + 3 * b, line->number + 1, 3, unit);
  worst = fmax(worst, worst_of(o->state + 3 * n + 3 * b, line->number + 4, 3, unit));
  worst = fmax(worst, worst_of(o->state + 6 * n + 9 * b, line->number + 7, 9, unit));
  return fmax(worst, worst_of(o->state + 15 * n + 3 * b, line->number + 16, 3, unit));
}

static void test_golden_torus(void **state) {
  (void)state;
  FILE *file = fopen(GOLDEN "/torus.txt", "r");
  golden_line line, before = {.steps = -1};
  outcome o = {0};
  setting s;
  int lines = 0, failed = 0;
  assert_non_null(file);
  for (; read_line(file, &line); before = line, lines++) {
    if (!same_run(&line, &before)) forget(&o), o = run_line(&line, &s);
    double unit = 1e-16 * growth((double)line.steps * line.step);
    double worst = *line.what == 'e' ? check_energies(&line, &s, &o, unit) : check_body(&line, &o, unit);
    if (worst <= 60) continue;
    print_error("%s %s %s %s after %ld steps: off by %.1e times what rounding grows to\n", line.what, line.method,
                line.start, line.inertia, line.steps, worst);
    failed++;
  }
  forget(&o);
  fclose(file);
  assert_int_equal(failed, 0);
  assert_true(lines > 1000);
}

/* ---- energy ---- */

/* The norm of E - E0 over the run, which falls with the step as the method's order has it. */
static double energy_norm(const char *method, double step) {
  const double time = 0.2;
  setting s = {torus_by(method), NULL, step, (int64_t)(time / step + 0.5), 1};
  outcome o = run(&s);
  double norm = sqrt(o.account[SD_SQUARES] * step / time) / o.account[SD_ENERGY0];
  assert_true(o.account[SD_STATUS] == SD_MEMBER_OK);
  forget(&o);
  return norm;
}
static void test_energy_order(void **state) {
  (void)state;
  static const struct {
    const char *method;
    int order;
  } expected[] = {{"rrp", 2}, {"rrp-newmark", 2}, {"rrp-euler", 1}, {"rattle", 2}};
  for (int i = 0; i < 4; i++) {
    double slope = log2(energy_norm(expected[i].method, 2e-3) / energy_norm(expected[i].method, 1.25e-4)) / 4;
    if (!(fabs(slope - expected[i].order) < 0.25))
      fail_msg("%s: the error of the energy falls by order %.3f", expected[i].method, slope);
  }
}

/* Through the impact and long after it. */
static void test_energy_of_a_long_run(void **state) {
  (void)state;
  static const char *const methods[] = {"rrp", "rrp-newmark"};
  for (int i = 0; i < 2; i++) {
    setting s = {torus_by(methods[i]), NULL, 1e-3, 25000, 10};
    outcome o = run(&s);
    double worst = fmax(o.account[SD_HIGHEST], -o.account[SD_LOWEST]) / o.account[SD_ENERGY0];
    assert_true(o.account[SD_STATUS] == SD_MEMBER_OK);
    assert_true(fabs(o.account[SD_ENERGY0] - 40) < 1e-12);
    if (!(worst < 0.01 && worst > 1e-6)) fail_msg("%s: the energy is off by %.2e of it", methods[i], worst);
    forget(&o);
  }
}

/* What dashpots take is in the books: without it the energy is kept as well as that of a rod without any. */
static void test_work_of_dashpots(void **state) {
  (void)state;
  enum { BODIES = 5 };
  double start[BODIES * SD_START_NUMBERS] = {0}, error[2], work = 0;
  for (int i = 0; i < 2; i++) {
    setting s = {harness_make("rattle", "rod"), start, i ? 1e-3 : 4e-3, i ? 1000 : 250, 1};
    *parameter_named(s.t.problem, s.t.parameters, "n") = BODIES;
    *parameter_named(s.t.problem, s.t.parameters, "damping") = 2;
    *parameter_named(s.t.problem, s.t.parameters, "tilt") = 0;
    for (int b = 0; b < BODIES; b++) { /* all but at rest: it begins to swing along its length, and across */
      const double body[SD_START_NUMBERS] = {9, b, 0, 0.3 * (b % 2), 0.8 * (b % 3), 0.2 * b, 1, 0, 0, 0, 0, 0, 0.1};
      memcpy(start + b * SD_START_NUMBERS, body, sizeof body);
    }
    outcome o = run(&s);
    error[i] = fmax(o.account[SD_HIGHEST], -o.account[SD_LOWEST]);
    work = of_ledger(&s, &o, o.samples - 1, "work");
    forget(&o);
  }
  if (!(work < -0.5)) fail_msg("the work of the dashpots is %g", work);
  if (!(error[1] < 0.01 * -work && error[0] > 8 * error[1])) fail_msg("off by %.2e and %.2e", error[0], error[1]);
}

/* ---- momenta ---- */

static double worst_momentum(const setting *s, const outcome *o, int64_t samples) {
  double worst = 0;
  for (int64_t k = 0; k < samples; k++)
    worst = fmax(worst, fmax(of_ledger(s, o, k, "linear"), of_ledger(s, o, k, "angular")));
  return worst;
}

/* Far from the wall what is lost is rounding, a step's as good as any other's: it grows as the root of their number,
 * and by no means as their number. */
static void test_momenta_far_from_walls(void **state) {
  (void)state;
  static double start[RING * SD_START_NUMBERS];
  static const char *const methods[] = {"rrp", "rattle", "vlv", "split"};
  for (int i = 0; i < 4; i++) {
    setting s = {torus_by(methods[i]), start, 1e-3, 10000, 10};
    const double unequal[3] = {0.8, 1, 1.3};
    if (i) memcpy(s.t.parameters, unequal, sizeof unequal);
    set_turning(&s.t, 30, start);
    outcome o = run(&s);
    double early = worst_momentum(&s, &o, 41), late = worst_momentum(&s, &o, o.samples);
    if (!(late < 3e-12 && late > 0)) fail_msg("%s: the momenta are off by %.2e", methods[i], late);
    double power = log(late / early) / log(10000 / 400.0);
    if (!(power < 0.85)) fail_msg("%s: what is lost grows as the number of steps to the power %.2f", methods[i], power);
    assert_true(of_ledger(&s, &o, o.samples - 1, "impulse_x") == 0);
    forget(&o);
  }
}

/* Over a hundred thousand steps, of a ring of six. */
static void test_momenta_for_long(void **state) {
  (void)state;
  enum { STEPS = 100000, EARLY = 1000, EVERY = 100 };
  static const char *const methods[] = {"rrp", "rattle", "split"};
  static double start[RING * SD_START_NUMBERS];
  for (int i = 0; i < 3; i++) {
    setting s = {torus_by(methods[i]), start, 1e-3, STEPS, EVERY};
    *parameter_named(s.t.problem, s.t.parameters, "n") = 6;
    set_turning(&s.t, 30, start);
    outcome o = run(&s);
    double early = worst_momentum(&s, &o, EARLY / EVERY + 1), late = worst_momentum(&s, &o, o.samples);
    double power = log(late / early) / log((double)STEPS / EARLY);
    if (!(early > 0 && late < 2e-12)) fail_msg("%s: the momenta are off by %.2e", methods[i], late);
    if (!(power < 0.85)) fail_msg("%s: what is lost grows as the number of steps to the power %.2f", methods[i], power);
    forget(&o);
  }
}

static double total_momentum(const outcome *o, int axis) {
  double sum = 0;
  for (size_t b = 0; b < o->bodies; b++) sum += o->state[3 * o->bodies + 3 * b + (size_t)axis]; /* the mass is 1 */
  return sum;
}

/* A wall changes them by what it is in the books with, about the origin as well. */
static void test_impulse_of_a_wall(void **state) {
  (void)state;
  static double start[RING * SD_START_NUMBERS];
  static const char *const methods[] = {"rrp", "rrp-euler", "liemid-e1", "rattle"};
  for (int i = 0; i < 4; i++) {
    setting s = {torus_by(methods[i]), start, 1e-3, 1500, 10};
    set_turning(&s.t, 0.01, start);
    outcome o = run(&s);
    double impulse = of_ledger(&s, &o, o.samples - 1, "impulse_x"), worst = worst_momentum(&s, &o, o.samples);
    assert_true(impulse > 10);
    assert_true(of_ledger(&s, &o, o.samples - 1, "impulse_y") == 0);
    assert_true(fabs(total_momentum(&o, 0) + RING - impulse) < 1e-12);
    assert_true(fabs(total_momentum(&o, 1)) < 1e-12);
    if (!(worst < 1e-12)) fail_msg("%s: momenta less the wall's impulse are off by %.2e", methods[i], worst);
    forget(&o);
  }
}

/* Methods that keep the angular momentum do so for bodies of unequal moments, and the others do not. */
static void test_angular_momentum(void **state) {
  (void)state;
  failures = 0;
  for (int i = 0; i < sd_method_count(); i++) {
    const sd_method_entry *method = sd_method_at(i);
    const chart *c = chart_of(method);
    if (!method->family->alone) continue;
    harness t = harness_make(method->id, c->problem);
    c->prepare(&t);
    memset(parameter_named(t.problem, t.parameters, "gravity"), 0, 3 * sizeof(double));
    harness_end e = harness_run(&t, &c->start, c->step, 300);
    assert_int_equal(e.status, SD_MEMBER_OK);
    judge(method->id, "angular-momentum", has(&t, ANGULAR), e.account[SD_MOMENTUM_ERROR], 2e-13, 1e-7);
    judge(method->id, "geometric", has(&t, GEOMETRIC), e.account[SD_DEFECT], 1e-13, 1e-9);
  }
  assert_int_equal(failures, 0);
}

/* ---- one body ---- */

/* Without bonds it is the single body's method on the free body. */
static void test_one_body(void **state) {
  (void)state;
  int methods = 0;
  for (int i = 0; i < sd_method_count(); i++) {
    const sd_method_entry *method = sd_method_at(i);
    if (!method->family->alone) continue;
    const double J[3] = {0.7, 0.9, 1.1}, W[3] = {0.5, -0.8, 1.3};
    harness one = harness_make(method->id, "rod"), free_body = harness_make(method->id, "free");
    harness_start start = {{3, 0.5, 0.25, 0.125, 0.5, -0.25, 1, 0, 0, 0, W[0], W[1], W[2]}};
    for (int k = 0; k < 3; k++) {
      one.parameters[k] = free_body.parameters[k] = method->traits & SPHERICAL ? J[1] : J[k];
      parameter_named(free_body.problem, free_body.parameters, "attitude")[k] = 0;
      parameter_named(free_body.problem, free_body.parameters, "velocity")[k] = W[k];
    }
    *parameter_named(one.problem, one.parameters, "n") = 1;
    free_body.method_parameters[0] = 1; /* campello, explicit */
    harness_end a = harness_run(&one, &start, 0.0625, 500), b = harness_run(&free_body, NULL, 0.0625, 500);
    assert_int_equal(a.status, SD_MEMBER_OK);
    if (memcmp(a.number + 6, b.number, 12 * sizeof(double))) fail_msg("%s: one body is not the free one", method->id);
    for (int k = 0; k < 3; k++) { /* which goes straight on; all its numbers are short ones */
      assert_true(a.number[k] == start.number[k] + 500 * 0.0625 * start.number[3 + k]);
      assert_true(a.number[3 + k] == start.number[3 + k]);
    }
    methods++;
  }
  assert_int_equal(methods, 17);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_golden_torus),
                                     cmocka_unit_test(test_energy_order),
                                     cmocka_unit_test(test_energy_of_a_long_run),
                                     cmocka_unit_test(test_work_of_dashpots),
                                     cmocka_unit_test(test_momenta_far_from_walls),
                                     cmocka_unit_test(test_impulse_of_a_wall),
                                     cmocka_unit_test(test_angular_momentum),
                                     cmocka_unit_test(test_momenta_for_long),
                                     cmocka_unit_test(test_one_body)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
