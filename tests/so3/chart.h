/* chart.h - rigid bodies: rotation vector and body momentum. */

/* The numbers of a start: quaternion w x y z, of any length, velocity; of a state: matrix by rows, velocity. */
enum { SO3_START_VELOCITY = 4, SO3_ATTITUDE = 0, SO3_VELOCITY = 9, SO3_NUMBERS = 12 };

static inline void so3_prepare(harness *t) {
  const double J[3] = {2, 3, 4};
  for (int i = 0; i < 3; i++) t->parameters[i] = t->method.entry->traits & SPHERICAL ? J[0] : J[i];
}

static inline harness_start so3_displaced(const harness *t, const harness_start *s, const double *tangent) {
  harness_start m = *s;
  rotation_turned(s->number, tangent, m.number);
  for (int i = 0; i < 3; i++) m.number[SO3_START_VELOCITY + i] += tangent[3 + i] / t->parameters[i];
  return m;
}

static inline harness_start so3_start_of(const harness_end *state) {
  harness_start s;
  rotation_quaternion(state->number + SO3_ATTITUDE, s.number);
  for (int i = 0; i < 3; i++) s.number[SO3_START_VELOCITY + i] = state->number[SO3_VELOCITY + i];
  return s;
}

/* The rotation vector of Q_base^T Q, and J W - J W_base. */
static inline void so3_tangent_to(const harness *t, const harness_end *base, const harness_end *end, double *x) {
  const double *W0 = base->number + SO3_VELOCITY, *W = end->number + SO3_VELOCITY;
  rotation_between(base->number + SO3_ATTITUDE, end->number + SO3_ATTITUDE, x);
  for (int i = 0; i < 3; i++) x[3 + i] = t->parameters[i] * (W[i] - W0[i]);
}

/* The canonical two-form at momentum P, body frame: w((a, p), (b, r)) = r.a - p.b + P.(a x b) */
static inline void so3_form(const harness *t, const harness_end *base, double *w) {
  memset(w, 0, 36 * sizeof *w);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double P = t->parameters[i] * base->number[SO3_VELOCITY + i];
    w[6 * i + 3 + i] = 1;
    w[6 * (3 + i) + i] = -1;
    w[6 * j + k] = P;
    w[6 * k + j] = -P;
  }
}

static inline double so3_distance_from(int first, const harness_end *a, const harness_end *b) {
  double sum = 0;
  for (int i = first; i < SO3_NUMBERS; i++) sum += (a->number[i] - b->number[i]) * (a->number[i] - b->number[i]);
  return sqrt(sum);
}
static inline double so3_distance(const harness_end *a, const harness_end *b) {
  return so3_distance_from(SO3_ATTITUDE, a, b);
}
static inline double so3_velocity_distance(const harness_end *a, const harness_end *b) {
  return so3_distance_from(SO3_VELOCITY, a, b);
}

static const chart so3_chart = {
    .family = "so3",
    .dimension = 6,
    .problem = "stress",
    .free = "free",
    .step = 0.25,
    .start = {{0.9, 0.2, -0.35, 0.3, 0.4, -0.5, 0.7}},
    .prepare = so3_prepare,
    .displaced = so3_displaced,
    .start_of = so3_start_of,
    .tangent_to = so3_tangent_to,
    .form = so3_form,
    .distance = so3_distance,
    .trial = {{"stress", 5, 0x1p-2, 0x1p-6, 1}, {"pendulum", 4, 0x1p-3, 0x1p-7, 0}, {"top-slow", 1, 0x1p-6, 0x1p-9, 0}},
    .eighth = {"stress", 120, 0x1p-2, 0x1p-3, 1},
    .eighth_distance = so3_velocity_distance};
