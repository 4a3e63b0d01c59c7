/* chart.h - systems of many bodies: position and rotation vector of each, then momentum and body momentum of each. */

enum {
  ASSEMBLY_BODIES = 2, /* that a tangent vector moves: those of the chart's problem */
  ASSEMBLY_HALF = 6 * ASSEMBLY_BODIES,
  ASSEMBLY_DIMENSION = 2 * ASSEMBLY_HALF
};

/* Where the numbers of a body are in a state: each array has those of all bodies. */
static inline const double *assembly_of(const harness_end *state, size_t before, size_t each, size_t body) {
  return state->number + before * state->bodies + each * body;
}
static inline const double *assembly_position(const harness_end *state, size_t body) {
  return assembly_of(state, 0, 3, body);
}
static inline const double *assembly_velocity(const harness_end *state, size_t body) {
  return assembly_of(state, 3, 3, body);
}
static inline const double *assembly_attitude(const harness_end *state, size_t body) {
  return assembly_of(state, 6, 9, body);
}
static inline const double *assembly_rate(const harness_end *state, size_t body) {
  return assembly_of(state, 15, 3, body);
}
enum { ASSEMBLY_SHOWN = 18 }; /* of a body, up to the rate */

/* Masses and moments, of the bodies that a tangent vector moves. */
typedef struct {
  double mass, J[3];
} assembly_inertia;

static inline void assembly_inertias(const harness *t, assembly_inertia inertia[ASSEMBLY_BODIES]) {
  sd_shared_topology *shared = topology_for(t->problem, t->parameters);
  const sd_topology *topology = sd_topology_of(shared);
  for (int b = 0; b < ASSEMBLY_BODIES; b++) {
    const double *species = topology->species + topology->species_of[b] * SD_SPECIES_NUMBERS;
    inertia[b].mass = species[SD_SPECIES_MASS];
    memcpy(inertia[b].J, species + SD_SPECIES_INERTIA, sizeof inertia[b].J);
  }
  sd_topology_let_go(shared);
}

/* Nothing touches: a contact's force has no second derivative where it begins.  Times are such that a step of 0.1 is
 * neither small nor near where methods become unstable. */
static inline void assembly_prepare(harness *t) {
  static const struct {
    const char *name;
    double value[3];
  } own[] = {{"J", {0.5, 0.8, 0.9}},
             {"m", {1.2}},
             {"D", {1.1}},
             {"Km", {1.3}},
             {"Ka", {5}},
             {"Ks", {4}},
             {"Kp", {0}},
             {"tilt", {0.4}},
             {"gravity", {0.1, -0.2, 0.15}}};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    int count = !strcmp(own[i].name, "J") || !strcmp(own[i].name, "gravity") ? 3 : 1;
    memcpy(parameter_named(t->problem, t->parameters, own[i].name), own[i].value, (size_t)count * sizeof(double));
  }
  if (t->method.entry->traits & SPHERICAL) make_spherical(t->problem, t->parameters);
}

static inline harness_start assembly_displaced(const harness *t, const harness_start *s, const double *tangent) {
  harness_start m = *s;
  assembly_inertia inertia[ASSEMBLY_BODIES];
  assembly_inertias(t, inertia);
  for (int b = 0; b < ASSEMBLY_BODIES; b++) {
    const double *place = tangent + 6 * b, *momentum = place + ASSEMBLY_HALF;
    double *to = m.number + SD_START_NUMBERS * b;
    rotation_turned(s->number + SD_START_NUMBERS * b + SD_START_ATTITUDE, place + 3, to + SD_START_ATTITUDE);
    for (int i = 0; i < 3; i++) {
      to[SD_START_POSITION + i] += place[i];
      to[SD_START_VELOCITY + i] += momentum[i] / inertia[b].mass;
      to[SD_START_RATE + i] += momentum[3 + i] / inertia[b].J[i];
    }
  }
  return m;
}

static inline harness_start assembly_start_of(const harness_end *state) {
  harness_start s = {{0}};
  for (size_t b = 0; b < state->bodies; b++) {
    double *to = s.number + SD_START_NUMBERS * b;
    memcpy(to + SD_START_POSITION, assembly_position(state, b), 3 * sizeof *to);
    memcpy(to + SD_START_VELOCITY, assembly_velocity(state, b), 3 * sizeof *to);
    memcpy(to + SD_START_RATE, assembly_rate(state, b), 3 * sizeof *to);
    rotation_quaternion(assembly_attitude(state, b), to + SD_START_ATTITUDE);
  }
  return s;
}

static inline void assembly_tangent_to(const harness *t, const harness_end *base, const harness_end *end, double *x) {
  assembly_inertia inertia[ASSEMBLY_BODIES];
  assembly_inertias(t, inertia);
  for (size_t b = 0; b < ASSEMBLY_BODIES; b++) {
    double *place = x + 6 * b, *momentum = place + ASSEMBLY_HALF;
    rotation_between(assembly_attitude(base, b), assembly_attitude(end, b), place + 3);
    for (int i = 0; i < 3; i++) {
      place[i] = assembly_position(end, b)[i] - assembly_position(base, b)[i];
      momentum[i] = inertia[b].mass * (assembly_velocity(end, b)[i] - assembly_velocity(base, b)[i]);
      momentum[3 + i] = inertia[b].J[i] * (assembly_rate(end, b)[i] - assembly_rate(base, b)[i]);
    }
  }
}

/* dp with dx of every body, and the form of a rotation at body momentum P: see the chart of rigid bodies. */
static inline void assembly_form(const harness *t, const harness_end *base, double *w) {
  enum { N = ASSEMBLY_DIMENSION };
  assembly_inertia inertia[ASSEMBLY_BODIES];
  assembly_inertias(t, inertia);
  memset(w, 0, (size_t)N * N * sizeof *w);
  for (int i = 0; i < ASSEMBLY_HALF; i++) w[N * i + ASSEMBLY_HALF + i] = 1, w[N * (ASSEMBLY_HALF + i) + i] = -1;
  for (int b = 0; b < ASSEMBLY_BODIES; b++)
    for (int i = 0; i < 3; i++) {
      int j = 6 * b + 3 + (i + 1) % 3, k = 6 * b + 3 + (i + 2) % 3;
      double P = inertia[b].J[i] * assembly_rate(base, (size_t)b)[i];
      w[N * j + k] = P;
      w[N * k + j] = -P;
    }
}

static inline double assembly_distance(const harness_end *a, const harness_end *b) {
  double sum = 0;
  for (size_t i = 0; i < ASSEMBLY_SHOWN * a->bodies; i++)
    sum += (a->number[i] - b->number[i]) * (a->number[i] - b->number[i]);
  return sqrt(sum);
}

/* Two bodies of a rod off where their bond is at rest; the third is for the smallest of rings. */
static const chart assembly_chart = {
    .family = "assembly",
    .dimension = ASSEMBLY_DIMENSION,
    .problem = "rod",
    .step = 0.1,
    .start = {{0.1,  0.2, -0.1, 0.3,  -0.2, 0.1,  0.9,  0.2,  -0.1, 0.15, 0.5,  -0.4, 0.3,
               0.7,  1.2, 0.1,  -0.2, 0.1,  0.25, 0.95, -0.1, 0.15, 0.2,  -0.3, 0.2,  0.6,
               -0.8, 1.1, 0.3,  0.1,  0.2,  -0.1, 1,    0.1,  0.1,  -0.1, 0.2,  0.1,  -0.4}},
    .prepare = assembly_prepare,
    .trials_from_start = 1,
    .displaced = assembly_displaced,
    .start_of = assembly_start_of,
    .tangent_to = assembly_tangent_to,
    .form = assembly_form,
    .distance = assembly_distance,
    .trial = {{"rod", 1, 0x1p-4, 0x1p-8, 1}, {"full-body", 1, 0x1p-4, 0x1p-8, 0}},
    .eighth = {"rod", 16, 0x1p-2, 0x1p-3, 1},
    .eighth_distance = assembly_distance};
