/* probe.h - a problem's functions held against one another at an attitude, for the host's checks, on one lane: the
 * torque against differences of the potential, its derivative against differences of the torque, and the momentum maps
 * against the motion, under which they should not change. */
#ifndef SD_SO3_PROBE_H
#define SD_SO3_PROBE_H

enum { PROBED = 3, LEVELS = 3 };

/* Derivatives of up to three numbers along a line, from differences of three widths. */
typedef struct {
  double value[3], error;
} slope;

typedef struct {
  const problem *p;
  const constants *c;
  attitude Q;
  vec3 W;
  int of; /* what is looked at: 0 the potential, 1 the torque, 2 the momentum maps */
} probed;

FN vec3 probe_at(const probed *x, vec3 along, double by) {
  attitude Q = turn_exp(x->Q, vec3_scale(by, along));
  if (x->of == 0) return vec3_make(-x->p->potential(Q, x->c), 0, 0);
  if (x->of == 1) return x->p->torque(Q, x->c);
  vec3 torque = x->p->torque(x->Q, x->c), push = vec3_add(gyroscopic(x->c, x->W), torque);
  return x->p->momentum(Q, vec3_axpy(by, push, momentum_of(x->c, x->W)), x->c);
}

static slope probe_slope(const probed *x, vec3 along) {
  double by = 0.02, table[LEVELS][3];
  slope s = {{0}, 0};
  for (int i = 0; i < LEVELS; i++, by /= 2) {
    vec3 change = vec3_scale(0.5 / by, vec3_sub(probe_at(x, along, by), probe_at(x, along, -by)));
    memcpy(table[i], &change, sizeof table[i]);
  }
  for (int k = 0; k < 3; k++) { /* Richardson's: what is left goes with the sixth power of the width */
    double once = (4 * table[1][k] - table[0][k]) / 3, next = (4 * table[2][k] - table[1][k]) / 3;
    s.value[k] = (16 * next - once) / 15;
    s.error = real_max(s.error, real_abs(next - once));
  }
  return s;
}

FN double probe_size(const double *numbers, int count) {
  double size = 0;
  for (int k = 0; k < count; k++) size = real_max(size, real_abs(numbers[k]));
  return size;
}

/* Column j of what is found: the slope along axis j. */
static void probe_axes(const probed *x, sd_comparison *to) {
  for (int j = 0; j < 3; j++) {
    const double e[3] = {j == 0, j == 1, j == 2};
    slope s = probe_slope(x, vec3_splat(e));
    for (int i = 0; i < to->rows; i++)
      if (to->columns > 1) to->found[to->columns * i + j] = s.value[i];
    if (to->columns == 1) to->found[j] = s.value[0];
    to->error = real_max(to->error, s.error);
  }
  int count = to->rows * to->columns;
  to->scale = real_max(probe_size(to->given, count), probe_size(to->found, count));
}

static int so3_probe(const problem *p, const double *parameters, const double *numbers,
                     void (*set)(const double *, double *), double place[3], sd_comparison to[SD_COMPARISONS_MAX]) {
  sd_job job = {.slots = NULL};
  memcpy(job.parameters, parameters, sizeof job.parameters);
  set(parameters, job.constants);
  const constants c = constants_of_group(&job, 0);
  for (int i = 0; i < 3; i++) place[i] = 1.8 * numbers[i];
  probed x = {p, &c, exp_quaternion(vec3_splat(place)), vec3_splat(numbers + 3), 0};
  vec3 torque = p->torque(x.Q, &c);
  mat3 derivative = p->torque_derivative(x.Q, &c);
  to[0] = (sd_comparison){
      .what = "torque", .beside = "the potential", .rows = 3, .columns = 1, .rule = "torque(Q).y = -DU(Q).(Q hat(y))"};
  memcpy(to[0].given, &torque, sizeof torque);
  probe_axes(&x, &to[0]);
  to[1] = (sd_comparison){.what = "torque_derivative",
                          .beside = "the torque",
                          .rows = 3,
                          .columns = 3,
                          .rule = "torque(Q exp(y)) = torque(Q) + K y + ..."};
  memcpy(to[1].given, &derivative, sizeof derivative);
  x.of = 1;
  probe_axes(&x, &to[1]);
  x.of = 2;
  slope motion = probe_slope(&x, x.W);
  to[2] = (sd_comparison){.what = "momentum",
                          .beside = "the motion",
                          .rows = 3,
                          .columns = 1,
                          .error = motion.error,
                          .rule = "momentum(Q, J W) does not change along Q' = Q hat(W), (J W)' = J W x W + torque"};
  memcpy(to[2].found, motion.value, sizeof motion.value);
  to[2].scale = real_max(1, real_max(to[0].scale, probe_size((const double *)&c.J, 3)));
  return PROBED;
}

#define PROBE(name) name##_probe, "rotation vector"
#define PROBLEM_PROBE(name)                                                                                      \
  static int name##_probe(const double *parameters, const double *numbers, double place[3], sd_comparison *to) { \
    const problem p = PROBLEM_FUNCTIONS(name);                                                                   \
    return so3_probe(&p, parameters, numbers, name##_constants, place, to);                                      \
  }

#endif
