/* chart.h - points on the circle: the angle and the velocity. */

static inline harness_start circle_displaced(const harness *t, const harness_start *s, const double *tangent) {
  double c = cos(tangent[0]), d = sin(tangent[0]);
  (void)t;
  return (harness_start){
      {c * s->number[0] - d * s->number[1], d * s->number[0] + c * s->number[1], s->number[2] + tangent[1]}};
}
static inline harness_start circle_start_of(const harness_end *state) {
  return (harness_start){{state->number[0], state->number[1], state->number[2]}};
}
static inline void circle_tangent_to(const harness *t, const harness_end *base, const harness_end *state, double *x) {
  const double *a = base->number, *b = state->number;
  (void)t;
  x[0] = atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]);
  x[1] = b[2] - a[2];
}
static inline void circle_form(const harness *t, const harness_end *base, double *w) {
  (void)t, (void)base;
  w[0] = w[3] = 0;
  w[1] = 1;
  w[2] = -1;
}
static inline double circle_distance(const harness_end *a, const harness_end *b) {
  double sum = 0;
  for (int k = 0; k < 3; k++) sum += (a->number[k] - b->number[k]) * (a->number[k] - b->number[k]);
  return sqrt(sum);
}

static const chart circle_chart = {.family = "circle",
                                   .dimension = 2,
                                   .problem = "swing",
                                   .step = 0.25,
                                   .start = {{0.6, 0.8, 0.7}},
                                   .displaced = circle_displaced,
                                   .start_of = circle_start_of,
                                   .tangent_to = circle_tangent_to,
                                   .form = circle_form,
                                   .distance = circle_distance,
                                   .trial = {{"swing", 5, 0x1p-3, 0x1p-7, 1}},
                                   .eighth = {"swing", 30, 0x1p-1, 0x1p-2, 1},
                                   .eighth_distance = circle_distance};
