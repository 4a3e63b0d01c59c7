/* test_kernels.c - the algebra and the problems against finite differences: torques, their derivatives, the tangents
 * of cay and exp.  Compiled scalar; the batteries show that every variant gives the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../kernels/so3/implicit.h"
#include "../kernels/so3/family.h"

#include <problems.h>

#include "../host/registry.h"

#include <math.h>

static const problem problems[] = {
#define PROBLEM(family, name, id, step, time, title, doi) \
  {name##_potential, name##_torque, name##_torque_derivative, name##_momentum},
#include "../kernels/so3/problems.def"
#undef PROBLEM
};

enum { PROBLEMS = sizeof problems / sizeof *problems };

static constants constants_for(int p) {
  constants c = {0};
  double parameters[SD_PARAMETERS_MAX] = {0}, *to = parameters;
  for (const sd_parameter *q = sd_problem_at(p)->parameter; q->name; q++)
    for (int i = 0; i < q->count; i++) *to++ = q->value[i];
  parameters[0] = 2, parameters[1] = 3, parameters[2] = 4;
  double numbers[SD_CONSTANTS];
  sd_problem_at(p)->constants(parameters, numbers);
  memcpy(&c, numbers, SO3_CONSTANTS * sizeof *numbers);
  return c;
}

static attitude attitude_number(int i) {
  return exp_quaternion(vec3_make(1.3 * sin(i), 1.1 * cos(2 * i), 0.9 * sin(3 * i + 1)));
}

static double part(vec3 v, int i) {
  return i == 0 ? v.x : i == 1 ? v.y : v.z;
}
static double entry(mat3 m, int i, int j) {
  return part(i == 0 ? m.x : i == 1 ? m.y : m.z, j);
}
static vec3 along(int i, double d) {
  return vec3_make(i == 0 ? d : 0, i == 1 ? d : 0, i == 2 ? d : 0);
}

/* torque.y = -dU along Q exp(y), by fourth-order differences */
static void test_torques(void **state) {
  (void)state;
  const double d = 1e-3;
  for (int p = 0; p < PROBLEMS; p++) {
    constants c = constants_for(p);
    for (int i = 0; i < 50; i++) {
      attitude Q = attitude_number(i);
      vec3 torque = problems[p].torque(Q, &c);
      for (int k = 0; k < 3; k++) {
        double u[4];
        for (int n = 0; n < 4; n++)
          u[n] = problems[p].potential(turn_exp(Q, along(k, d * (n < 2 ? n - 2 : n - 1))), &c);
        double slope = (8 * (u[2] - u[1]) - (u[3] - u[0])) / (12 * d);
        assert_true(fabs(part(torque, k) + slope) < 2e-8 * (1 + fabs(slope)));
      }
    }
  }
}

static void test_torque_derivatives(void **state) {
  (void)state;
  const double d = 1e-5;
  for (int p = 0; p < PROBLEMS; p++) {
    constants c = constants_for(p);
    for (int i = 0; i < 50; i++) {
      attitude Q = attitude_number(i);
      mat3 K = problems[p].torque_derivative(Q, &c);
      for (int k = 0; k < 3; k++) {
        vec3 up = problems[p].torque(turn_exp(Q, along(k, d)), &c),
             down = problems[p].torque(turn_exp(Q, along(k, -d)), &c);
        for (int j = 0; j < 3; j++) {
          double slope = (part(up, j) - part(down, j)) / (2 * d);
          assert_true(fabs(entry(K, j, k) - slope) < 2e-5 * (1 + fabs(slope)));
        }
      }
    }
  }
}

/* f(x + d) = f(x) exp(T d): the rotation from one to the other, over d */
static void check_tangent(attitude (*turn_by)(attitude, vec3), mat3 (*tangent)(vec3)) {
  const double d = 1e-5;
  for (int i = 0; i < 30; i++) {
    vec3 x = vec3_make(1.7 * sin(i), 1.2 * cos(3 * i), 0.8 * sin(5 * i));
    mat3 T = tangent(x);
    for (int k = 0; k < 3; k++) {
      quaternion up = turn_by(quaternion_identity(), vec3_add(x, along(k, d)));
      quaternion down = turn_by(quaternion_identity(), vec3_sub(x, along(k, d)));
      quaternion gap = quaternion_multiply(quaternion_conjugate(down), up);
      for (int j = 0; j < 3; j++) assert_true(fabs(part(gap.v, j) / d - entry(T, j, k)) < 1e-9);
    }
  }
}

static void test_tangents(void **state) {
  (void)state;
  check_tangent(turn_cay, cay_tangent);
  check_tangent(turn_exp, exp_tangent);
}

/* The quaternion maps against the matrices they stand for. */
static void test_rotations(void **state) {
  (void)state;
  for (int i = 0; i < 30; i++) {
    vec3 x = vec3_make(2.7 * sin(i), 1.9 * cos(3 * i), 1.8 * sin(5 * i)), p = vec3_make(0.3, -1.1, 0.7);
    double t2 = vec3_norm2(x), t = sqrt(t2);
    vec3 by_exp = hat_polynomial_apply(sin(t) / t, (1 - cos(t)) / t2, x, p);
    vec3 by_cay = hat_polynomial_apply(4 / (4 + t2), 2 / (4 + t2), x, p);
    quaternion e = exp_quaternion(x), c = cay(x);
    for (int k = 0; k < 3; k++) {
      assert_true(fabs(part(quaternion_rotate(e, p), k) - part(by_exp, k)) < 3e-15);
      assert_true(fabs(part(exp_apply(x, p), k) - part(by_exp, k)) < 3e-15);
      assert_true(fabs(part(mat3_apply(quaternion_matrix(e), p), k) - part(by_exp, k)) < 3e-15);
      assert_true(fabs(part(quaternion_rotate(c, p), k) - part(by_cay, k)) < 3e-15);
      assert_true(fabs(part(quaternion_rotate_back(e, quaternion_rotate(e, p)), k) - part(p, k)) < 3e-15);
    }
  }
}

/* The shared equations: what comes back satisfies them to the last bits. */
static void test_implicit_equations(void **state) {
  (void)state;
  constants c = constants_for(0);
  for (int i = 0; i < 100; i++) {
    vec3 P = vec3_make(3 * sin(i), 2 * cos(2 * i), 3 * sin(4 * i));
    step_log log = {.alive = mask_all_set()};
    double t = 0.02 * (1 + i % 10);
    vec3 W = solve_rotated(&c, t, P, &log), y = exp_apply(vec3_scale(-t, W), P);
    vec3 V = solve_gyroscopic(&c, t, P, &log);
    vec3 rest = vec3_sub(vec3_sub(V, P), vec3_scale(t, velocity_about(&c, gyroscopic(&c, V))));
    assert_false(mask_any(log.failed));
    assert_true(sqrt(vec3_norm2(vec3_sub(momentum_of(&c, W), y))) < 3e-15);
    assert_true(sqrt(vec3_norm2(rest)) < 3e-15);
  }
}

/* A singular system does not pass for a solved one. */
static linearised hopeless(vec3 x, const void *data) {
  (void)x, (void)data;
  linearised at = {vec3_make(1, 1, 1), mat3_diagonal(vec3_zero())};
  return at;
}
static void test_newton_gives_up(void **state) {
  (void)state;
  step_log log = {.alive = mask_all_set()};
  newton_solve(hopeless, NULL, vec3_zero(), vec3_zero(), &log);
  assert_true(mask_any(log.failed));
  assert_true(log.iterations == NEWTON_CAP);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_torques),
                                     cmocka_unit_test(test_torque_derivatives),
                                     cmocka_unit_test(test_tangents),
                                     cmocka_unit_test(test_rotations),
                                     cmocka_unit_test(test_implicit_equations),
                                     cmocka_unit_test(test_newton_gives_up)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
