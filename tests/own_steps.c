/* own_steps.c - a problem's header in the hands of a method, for test_symbolic.py: compiled with -DSD_METHOD,
 * -DSD_METHOD_HEADER, -DOWN, -DOWN_HEADER and a width.  own_steps N prints the bits of potential, torque and derivative
 * at some attitudes, then of lane 0's state after N steps. */
#include SD_METHOD_HEADER

#include <family.h>

#include OWN_HEADER

#include <stdio.h>
#include <stdlib.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define FUNCTIONS_OF(name) PROBLEM_FUNCTIONS(name)

static void print_reals(const char *name, const void *of, size_t bytes) {
  real numbers[16];
  memcpy(numbers, of, bytes);
  printf("%s", name);
  for (size_t i = 0; i < bytes / sizeof(real); i++) {
    double lanes[SD_LANES];
    real_store(lanes, numbers[i]);
    printf(" %a", lanes[0]);
  }
  putchar('\n');
}

static constants constants_of_own(vec3 *turned, vec3 *W) {
  double parameters[SD_PARAMETERS_MAX] = {0}, *to = parameters;
  for (const sd_parameter *q = JOIN(OWN, _parameters); q->name; q++)
    for (int i = 0; i < q->count; i++) *to++ = q->value[i];
  constants c = constants_with_inertia(vec3_splat(parameters));
  JOIN(OWN, _load)(&c, parameters + SD_OWN);
  *turned = vec3_splat(parameters + 3);
  *W = vec3_splat(parameters + 6);
  return c;
}

int main(int argc, char **argv) {
  const problem p = FUNCTIONS_OF(OWN);
  vec3 turned, W;
  constants c = constants_of_own(&turned, &W);
  for (int i = 0; i < 20; i++) {
    vec3 x = vec3_make(real_splat(0.31 * i - 2.9), real_splat(0.17 * (i % 7) - 0.4), real_splat(0.23 * (i % 5) - 0.6));
    attitude Q = exp_quaternion(x);
    real U = p.potential(Q, &c);
    vec3 torque = p.torque(Q, &c), kept = p.momentum(Q, x, &c);
    mat3 K = p.torque_derivative(Q, &c), matrix = attitude_matrix(Q);
    print_reals("Q", &matrix, sizeof matrix);
    print_reals("U", &U, sizeof U);
    print_reals("torque", &torque, sizeof torque);
    print_reals("K", &K, sizeof K);
    print_reals("momentum", &kept, sizeof kept);
  }
  state s = {exp_quaternion(turned), W, {real_splat(0)}, vec3_zero()};
  state_recall(&s, &p, &c);
#ifdef SD_BEGIN
  SD_BEGIN(&s, &c);
#endif
  step_log log = {mask_all_set(), mask_none(), mask_none(), real_splat(0)};
  for (long n = argc > 1 ? atol(argv[1]) : 0; n > 0; n--)
    s = JOIN(SD_METHOD, _step)(s, &p, &c, real_splat(0.125), &log);
  mat3 matrix = attitude_matrix(s.Q);
  print_reals("end", &matrix, sizeof matrix);
  print_reals("W", &s.W, sizeof s.W);
  return 0;
}
