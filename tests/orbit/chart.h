/* chart.h - point masses: position and momentum, in units of the first orbit. */

static const double orbit_unit[2] = {1664, 1.387};

/* A further body that rests off the plane: nothing is exact then. */
static inline void orbit_prepare(harness *t) {
  static const char *const name[2] = {"mu1", "at1"};
  const double value[2][3] = {{300}, {2500, -400, 900}};
  for (int k = 0, at = 0; t->problem->parameter[k].name; at += t->problem->parameter[k++].count)
    for (int n = 0; n < 2; n++)
      if (!strcmp(t->problem->parameter[k].name, name[n]))
        memcpy(t->parameters + at, value[n], (size_t)t->problem->parameter[k].count * sizeof(double));
}

static inline double orbit_coordinate(const harness_end *state, int k) {
  return state->number[k] / orbit_unit[k / 3];
}

/* Position, then momentum. */
static inline harness_start orbit_start(const double x[6]) {
  harness_start start;
  for (int k = 0; k < 6; k++) start.number[k] = x[k] * orbit_unit[k / 3];
  return start;
}

static inline harness_start orbit_displaced(const harness *t, const harness_start *s, const double *tangent) {
  double x[6];
  (void)t;
  for (int k = 0; k < 6; k++) x[k] = s->number[k] / orbit_unit[k / 3] + tangent[k];
  return orbit_start(x);
}

static inline harness_start orbit_start_of(const harness_end *state) {
  double x[6];
  for (int k = 0; k < 6; k++) x[k] = orbit_coordinate(state, k);
  return orbit_start(x);
}

static inline void orbit_tangent_to(const harness *t, const harness_end *base, const harness_end *state, double *x) {
  (void)t;
  for (int k = 0; k < 6; k++) x[k] = orbit_coordinate(state, k) - orbit_coordinate(base, k);
}

static inline void orbit_form(const harness *t, const harness_end *base, double *w) {
  (void)t, (void)base;
  memset(w, 0, 36 * sizeof *w);
  for (int i = 0; i < 3; i++) w[6 * i + 3 + i] = 1, w[6 * (3 + i) + i] = -1;
}

static inline double orbit_distance(const harness_end *a, const harness_end *b) {
  double sum = 0;
  for (int k = 0; k < 6; k++) sum += pow(orbit_coordinate(a, k) - orbit_coordinate(b, k), 2);
  return sqrt(sum);
}

static const chart orbit_chart = {.family = "orbit",
                                  .dimension = 6,
                                  .problem = "orbit-elliptic",
                                  .step = 600,
                                  .start = {{0.1 * 1664, 1664, -0.2 * 1664, 1.05 * 1.387, 0.1 * 1.387, 0.15 * 1.387}},
                                  .prepare = orbit_prepare,
                                  .exact = {"wh", "encke"}, /* but with forces, by which battery_orbit measures it */
                                  .displaced = orbit_displaced,
                                  .start_of = orbit_start_of,
                                  .tangent_to = orbit_tangent_to,
                                  .form = orbit_form,
                                  .distance = orbit_distance,
                                  .trial = {{"orbit-elliptic", 9600, 240, 15, 1}},
                                  .eighth = {"orbit-elliptic", 9600, 320, 160, 1},
                                  .eighth_distance = orbit_distance};
