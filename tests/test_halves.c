/* test_halves.c - methods in two halves: which ones they are, that a step is made of the halves, and that bodies which
 * do not act on one another move as a system as they do alone, bit for bit.  Compiled scalar. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../kernels/so3/methods/sw-e.h" /* the first, as its states have memory */
#include "../kernels/so3/methods/campello.h"
#include "../kernels/so3/methods/eln-exp.h"
#include "../kernels/so3/methods/eln.h"
#include "../kernels/so3/methods/free-exact.h"
#undef SD_KICK_FIRST /* every method of first order has one, which is for instance.c */
#include "../kernels/so3/methods/liemid-e1.h"
#undef SD_KICK_FIRST
#include "../kernels/so3/methods/liemid-e2.h"
#include "../kernels/so3/methods/liemid-ea.h"
#include "../kernels/so3/methods/mcg.h"
#include "../kernels/so3/methods/prk.h"
#include "../kernels/so3/methods/rattle.h"
#include "../kernels/so3/methods/rrp-euler.h"
#include "../kernels/so3/methods/rrp-newmark.h"
#include "../kernels/so3/methods/rrp.h"
#include "../kernels/so3/methods/split.h"
#include "../kernels/so3/methods/vlv-exp.h"
#include "../kernels/so3/methods/vlv.h"
#include "../kernels/so3/family.h"

#include <problems.h>

#include "../host/registry.h"

#include <math.h>
#include <stdio.h>

#define METHODS_IN_HALVES(DO) \
  DO(rrp)                     \
  DO(rrp_newmark)             \
  DO(rrp_euler)               \
  DO(campello)                \
  DO(eln)                     \
  DO(eln_exp)                 \
  DO(prk)                     \
  DO(mcg)                     \
  DO(vlv)                     \
  DO(vlv_exp)                 \
  DO(rattle)                  \
  DO(split)                   \
  DO(free_exact)              \
  DO(liemid_ea)               \
  DO(liemid_e1)               \
  DO(liemid_e2)               \
  DO(sw_e)

enum { BODIES = 2, STEPS = 40 };

typedef struct {
  state s[BODIES];
  constants c[BODIES];
  step_log log[BODIES];
} bodies;

/* One step of a system: turn all, torques of all, finish all.  The torques come in another order, which must not
 * matter, and no body may turn after its torque was taken. */
#define SYSTEM_STEP(method)                                                                           \
  static void method##_system_step(bodies *b, int count, const problem *p, double h) {                \
    method##_between between[BODIES];                                                                 \
    attitude turned[BODIES];                                                                          \
    for (int i = 0; i < count; i++) between[i] = method##_turn(&b->s[i], &b->c[i], h, &b->log[i]);    \
    for (int i = count - 1; i >= 0; i--) b->s[i].torque = p->torque(turned[i] = b->s[i].Q, &b->c[i]); \
    for (int i = 0; i < count; i++) method##_finish(&b->s[i], between[i], &b->c[i], h, &b->log[i]);   \
    for (int i = 0; i < count; i++) assert_memory_equal(&b->s[i].Q, &turned[i], sizeof turned[i]);    \
  }
METHODS_IN_HALVES(SYSTEM_STEP)

#define ENTRY(method) {#method, method##_step, method##_system_step},
static const struct {
  const char *name;
  step_fn step;
  void (*system_step)(bodies *, int count, const problem *, double h);
} in_halves[] = {METHODS_IN_HALVES(ENTRY)};
enum { IN_HALVES = sizeof in_halves / sizeof *in_halves };

static const struct {
  const char *name, *id;
  int traits;
} methods[] = {
#define METHOD(family, name, id, order, traits, title, doi) {#name, id, traits},
#include "../kernels/so3/methods.def"
#undef METHOD
};
enum { METHODS = sizeof methods / sizeof *methods };

static const problem problems[] = {
#define PROBLEM(family, name, id, step, time, title, doi) \
  {name##_potential, name##_torque, name##_torque_derivative, name##_momentum},
#include "../kernels/so3/problems.def"
#undef PROBLEM
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static int number_of(const char *name) {
  for (int m = 0; m < METHODS; m++)
    if (!strcmp(methods[m].name, name)) return m;
  fail_msg("%s is not in the list of methods", name);
  return -1;
}

/* Body i of the problem; campello's phi is 1. */
static constants constants_of(int p, int i, int spherical) {
  constants c = {0};
  double parameters[SD_PARAMETERS_MAX] = {0}, *to = parameters;
  for (const sd_parameter *q = sd_problem_at(p)->parameter; q->name; q++)
    for (int k = 0; k < q->count; k++) *to++ = q->value[k];
  for (int k = 0; k < 3; k++) parameters[k] = 2 + i + (spherical ? 0 : 0.75 * k);
  double numbers[SD_CONSTANTS];
  sd_problem_at(p)->constants(parameters, numbers);
  memcpy(&c, numbers, SO3_CONSTANTS * sizeof *numbers);
  c.parameter[0] = 1;
  return c;
}
static bodies start(int m, int p) {
  bodies b;
  memset(&b, 0, sizeof b);
  for (int i = 0; i < BODIES; i++) {
    b.c[i] = constants_of(p, i, methods[number_of(in_halves[m].name)].traits & SPHERICAL);
    b.s[i].Q = exp_quaternion(vec3_make(0.3 + 0.2 * i, 0.5 - 0.4 * i, 0.7));
    b.s[i].W = vec3_make(0.4, 0.9 - 0.3 * i, 0.6 + 0.1 * i);
    b.s[i].torque = problems[p].torque(b.s[i].Q, &b.c[i]);
    b.log[i].alive = mask_all_set();
    sw_e_begin(&b.s[i], &b.c[i]); /* no other method looks at the memory */
  }
  return b;
}

/* `count` bodies as a system, and each of them alone by the method's own step. */
static void check_against_steps(int count) {
  const double h = 0.05;
  for (int m = 0; m < IN_HALVES; m++)
    for (int p = 0; p < PROBLEMS; p++) {
      bodies together = start(m, p), alone = together;
      for (int n = 0; n < STEPS; n++) {
        in_halves[m].system_step(&together, count, &problems[p], h);
        for (int i = 0; i < count; i++)
          alone.s[i] = in_halves[m].step(alone.s[i], &problems[p], &alone.c[i], h, &alone.log[i]);
      }
      for (int i = 0; i < count; i++) {
        /* campello's step iterates once to find that there is nothing to solve */
        if (!strcmp(in_halves[m].name, "campello")) alone.log[i].iterations -= STEPS;
        if (memcmp(&together.s[i], &alone.s[i], sizeof(state)) != 0 ||
            together.log[i].iterations != alone.log[i].iterations)
          fail_msg("%s, %s, body %d of %d: not what the step gives", in_halves[m].name, sd_problem_at(p)->id, i, count);
        assert_true(isfinite(alone.s[i].W.x) && !mask_any(alone.log[i].failed | alone.log[i].outside));
      }
    }
}
static void test_step_is_its_halves(void **state) {
  (void)state;
  check_against_steps(1);
}
static void test_two_bodies_as_a_system(void **state) {
  (void)state;
  check_against_steps(2);
}

/* A body outside rrp's domain is told so by the half that finds it, and its neighbour is not. */
static void test_own_log(void **state) {
  (void)state;
  assert_string_equal(in_halves[0].name, "rrp");
  bodies b = start(0, 0);
  b.s[0].W = vec3_make(0, 0, 30);
  in_halves[0].system_step(&b, 2, &problems[0], 0.05);
  assert_true(mask_any(b.log[0].outside));
  assert_false(mask_any(b.log[1].outside));
}

/* The files that announce halves are those of the list. */
static int announces_halves(int m) {
  char path[4096], line[256], whole[64], partly[64];
  snprintf(path, sizeof path, METHOD_FILES "/%s.h", methods[m].id);
  snprintf(whole, sizeof whole, "TWO_HALVES(%s)", methods[m].name);
  snprintf(partly, sizeof partly, "TWO_HALVES_AS(%s,", methods[m].name);
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  int found = 0;
  while (fgets(line, sizeof line, file))
    found |= !strncmp(line, whole, strlen(whole)) || !strncmp(line, partly, strlen(partly));
  fclose(file);
  return found;
}
static void test_which_methods(void **state) {
  (void)state;
  int expected[METHODS] = {0};
  for (int m = 0; m < IN_HALVES; m++) expected[number_of(in_halves[m].name)] = 1;
  for (int m = 0; m < METHODS; m++)
    if (announces_halves(m) != expected[m])
      fail_msg("%s %s", methods[m].id, expected[m] ? "has no halves" : "has halves that are not tested");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_step_is_its_halves),
                                     cmocka_unit_test(test_two_bodies_as_a_system), cmocka_unit_test(test_own_log),
                                     cmocka_unit_test(test_which_methods)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
