/* chart.h - rigid bodies: rotation vector and body momentum. */

static inline void so3_prepare(harness *t) {
  harness_set_inertia(t, 2, 3, 4);
}

static inline harness_start so3_displaced(const harness *t, const harness_start *s, const double *tangent) {
  harness_start m = *s;
  double angle = sqrt(tangent[0] * tangent[0] + tangent[1] * tangent[1] + tangent[2] * tangent[2]), e[3];
  double c = cos(angle / 2), w = s->q[0];
  const double *v = s->q + 1;
  for (int i = 0; i < 3; i++) e[i] = angle > 0 ? sin(angle / 2) / angle * tangent[i] : 0;
  m.q[0] = w * c - v[0] * e[0] - v[1] * e[1] - v[2] * e[2];
  for (int i = 0; i < 3; i++) {
    m.q[1 + i] = c * v[i] + w * e[i] + v[(i + 1) % 3] * e[(i + 2) % 3] - v[(i + 2) % 3] * e[(i + 1) % 3];
    m.W[i] += tangent[3 + i] / t->parameters[i];
  }
  return m;
}

static inline harness_start so3_start_of(const harness_end *state) {
  harness_start s;
  harness_quaternion(state->Q, s.q);
  memcpy(s.W, state->W, sizeof s.W);
  return s;
}

/* The rotation vector of Q_base^T Q, and J W - J W_base. */
static inline void so3_tangent_to(const harness *t, const harness_end *base, const harness_end *end, double *x) {
  double R[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      R[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) R[3 * i + j] += base->Q[3 * k + i] * end->Q[3 * k + j];
    }
  double axis[3] = {(R[7] - R[5]) / 2, (R[2] - R[6]) / 2, (R[3] - R[1]) / 2};
  double sine = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  double scale = sine > 0 ? asin(sine) / sine : 1;
  for (int i = 0; i < 3; i++) x[i] = scale * axis[i];
  for (int i = 0; i < 3; i++) x[3 + i] = t->parameters[i] * (end->W[i] - base->W[i]);
}

/* The canonical two-form at momentum P, body frame: w((a, p), (b, r)) = r.a - p.b + P.(a x b) */
static inline void so3_form(const harness *t, const harness_end *base, double *w) {
  memset(w, 0, 36 * sizeof *w);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double P = t->parameters[i] * base->W[i];
    w[6 * i + 3 + i] = 1;
    w[6 * (3 + i) + i] = -1;
    w[6 * j + k] = P;
    w[6 * k + j] = -P;
  }
}

static inline double so3_velocity_distance(const harness_end *a, const harness_end *b) {
  return sqrt(pow(a->W[0] - b->W[0], 2) + pow(a->W[1] - b->W[1], 2) + pow(a->W[2] - b->W[2], 2));
}

static const chart so3_chart = {
    .family = "so3",
    .dimension = 6,
    .problem = "stress",
    .step = 0.25,
    .start = {{0.9, 0.2, -0.35, 0.3}, {0.4, -0.5, 0.7}},
    .prepare = so3_prepare,
    .displaced = so3_displaced,
    .start_of = so3_start_of,
    .tangent_to = so3_tangent_to,
    .form = so3_form,
    .distance = harness_distance,
    .trial = {{"stress", 5, 0x1p-2, 0x1p-6, 1}, {"pendulum", 4, 0x1p-3, 0x1p-7, 0}, {"top-slow", 1, 0x1p-6, 0x1p-9, 0}},
    .eighth = {"stress", 120, 0x1p-2, 0x1p-3, 1},
    .eighth_distance = so3_velocity_distance};
