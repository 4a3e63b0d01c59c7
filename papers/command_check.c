/* command_check.c - spindrift check FILE.h: a problem or a method of one's own, held against what it says of itself. */
#include "properties.h"

#include "../host/number.h"

#include <math.h>
#include <string.h>

typedef struct {
  lab l;
  const char *file;
  const char *problem, *method; /* what is run: one of the two is the file */
  char id[32];                  /* of it */
  char fitting[32], fit[32];    /* a problem for a method, and what it needs of that, or "" */
  char usual[32];               /* a method to try a problem with */
  sd_family_info family;
  sd_method_info info; /* of the method */
  double step;         /* the problem's */
  size_t wrong;
} check;

static void say(check *c, int right, const char *what, const char *text) {
  printf("  %-18s %s%s\n", what, right ? "" : "WRONG: ", text);
  c->wrong += (size_t)!right;
}

/* ---- what kind of file it is ---- */

static sd_status complain(check *c, const sd_plan *plan, sd_status status) {
  return sd_fail(&c->l.error, status, "%s", sd_plan_message(plan));
}

static void take_plan(check *c, sd_plan *plan) {
  const char *text;
  size_t f = 0;
  c->info.size = sizeof c->info;
  c->family.size = sizeof c->family;
  if (!sd_plan_get(plan, "step", &text)) c->step = sd_real_from(text, NULL);
  sd_plan_method(plan, 0, &c->info); /* its id does not last */
  snprintf(c->usual, sizeof c->usual, "%s", c->info.id);
  while (sd_list_family(f, &c->family) && strcmp(c->family.id, c->info.family)) f++;
}

static sd_status look(check *c, sd_plan *plan) {
  const char *id;
  if (!sd_plan_set(plan, "problem", c->file)) {
    c->problem = c->file;
    sd_status status = sd_plan_get(plan, "problem", &id);
    if (status) return complain(c, plan, status);
    snprintf(c->id, sizeof c->id, "%s", id);
    take_plan(c, plan);
    c->method = c->family.reference;
    return SD_OK;
  }
  sd_status status = sd_plan_set(plan, "method", c->file);
  if (status) return complain(c, plan, status);
  c->method = c->file;
  status = sd_plan_fit(plan, c->fitting, c->fit);
  c->problem = c->fitting;
  if (status) return complain(c, plan, status);
  take_plan(c, plan);
  if (!strcmp(c->family.id, "assembly")) { /* the first of its problems begins in contact, where no order shows */
    const char *fit = lab_fit(c->file);
    c->problem = "full-body";
    snprintf(c->fit, sizeof c->fit, "%s", fit ? fit : "");
    status = sd_plan_set(plan, "problem", c->problem);
    if (!status && fit) status = sd_plan_set(plan, "param", fit);
    if (!status) status = sd_plan_resolve(plan);
    if (status) return complain(c, plan, status);
    take_plan(c, plan);
  }
  snprintf(c->id, sizeof c->id, "%s", c->info.id);
  return SD_OK;
}

/* ---- runs ---- */

/* On the processor, or, where no variant of its kernels is named but "auto", where a run would be. */
static sd_result *run(check *c, const char *method, double step, double time, const char *members, const char *isa) {
  lab_text h = lab_number(step), t = lab_number(time);
  return LAB_RUN(&c->l, "problem", c->problem, "method", method, "param", *c->fit ? c->fit : NULL, "members", members,
                 "final", members, "step", h.text, "time", t.text, "isa", isa, "backend",
                 isa && !strcmp(isa, "auto") ? NULL : "cpu");
}

/* How far the ends of two runs are from one another: their first two arrays, of the first member. */
static double distance(const sd_result *a, const sd_result *b) {
  double sum = 0;
  for (size_t k = 0; k < 2; k++) {
    sd_view x = {.size = sizeof x}, y = {.size = sizeof y};
    if (!a || !b || sd_result_final(a, 0, k, &x) || sd_result_final(b, 0, k, &y)) return NAN;
    size_t numbers = (x.rank > 1 ? x.shape[1] : 1) * (x.rank > 2 ? x.shape[2] : 1);
    for (size_t i = 0; i < numbers; i++) sum += (x.data[i] - y.data[i]) * (x.data[i] - y.data[i]);
  }
  return sqrt(sum);
}

/* Between two steps, one half of the other, the largest first; NaN where errors are rounding. */
static double measure_order(check *c, const char *method) {
  double time = 16 * c->step, order = NAN, before = NAN;
  sd_result *exact = run(c, c->family.reference, c->step / 16, time, "1", NULL);
  for (double h = c->step; h >= c->step / 8; h /= 2) {
    sd_result *end = run(c, method, h, time, "1", NULL);
    double error = distance(end, exact);
    if (error > c->family.rounding && before == before) order = log2(before / error);
    before = error;
    sd_result_destroy(end);
  }
  sd_result_destroy(exact);
  return order;
}

static void check_order(check *c, const char *method, int declared, const char *what) {
  char text[160];
  double order = measure_order(c, method);
  if (c->l.error.status) return;
  if (order != order) sd_format(text, sizeof text, "%d declared; the errors are rounding at every step", declared);
  else
    sd_format(text, sizeof text, "%.2f measured, %d declared, %g apart are allowed", order, declared, 0.25 * declared);
  say(c, order != order || fabs(order - declared) <= 0.25 * declared, what, text);
}

/* What ran it, where that is a device. */
static int was_on_device(const sd_result *r) {
  return strstr(sd_result_why(r), "auto: cuda") != NULL;
}

/* The same bits from every variant that this processor runs, and from a device if there is one. */
static void check_variants(check *c, const char *method) {
  sd_variant_info v = {.size = sizeof v};
  char first[33] = "", text[256] = "the same bits:", others[64] = "", none[256];
  for (size_t i = 0, last = 0; !last; i++) {
    last = !sd_list_variant(i, &v);
    if (last ? !sd_devices(NULL, 0, none) : !v.usable) continue;
    sd_result *r = run(c, method, c->step, 16 * c->step, "19", last ? "auto" : v.name);
    if (!r) return;
    const char *name = last ? "cuda" : v.name;
    if (!*first) snprintf(first, sizeof first, "%s", sd_result_digest(r));
    else if (strcmp(first, sd_result_digest(r))) snprintf(others, sizeof others, "%s has others than the first", name);
    size_t used = strlen(text);
    if (!last || was_on_device(r)) snprintf(text + used, sizeof text - used, " %s", name);
    sd_result_destroy(r);
  }
  say(c, !*others, "variants", *others ? others : text);
}

/* ---- a problem ---- */

/* With a method of high order and a quarter of the step, energy and momenta stay. */
static void check_motion(check *c) {
  char text[200];
  sd_result *r = run(c, c->family.reference, c->step / 4, 40 * c->step, "16", NULL);
  if (!r) return;
  const sd_summary *s = sd_result_summary(r, 0);
  double scale = fmax(1, s->energy_scale), energy = s->energy_max_abs_error / scale,
         momentum = s->momentum_max_error / scale;
  sd_format(text, sizeof text, "%s with step %g for time %g: changes by %.1e, of 1e-07 allowed%s", c->family.reference,
            c->step / 4, 40 * c->step, energy, s->failed ? "; members failed" : "");
  say(c, !s->failed && energy <= 1e-7, "energy", text);
  sd_format(text, sizeof text, "momentum maps change by %.1e on the way, of 1e-07 allowed", momentum);
  say(c, s->failed || momentum <= 1e-7, "momenta", text);
  sd_result_destroy(r);
}

static void check_problem(check *c, sd_plan *plan) {
  char message[512];
  sd_status status = sd_plan_probe(plan, stdout, &c->wrong, message);
  if (status) {
    sd_fail(&c->l.error, status, "%s", message);
    return;
  }
  if (c->wrong) return; /* what follows from that needs no telling */
  check_motion(c);
  if (!c->l.error.status) check_order(c, c->usual, c->info.order, c->usual);
  if (!c->l.error.status) check_variants(c, c->usual);
}

/* ---- a method ---- */

static void check_traits(check *c, const declared_trait *traits, int count) {
  for (int i = 0; i < count && !c->l.error.status; i++) {
    int right = as_declared(c->file, &traits[i]), declared = lab_has(c->file, traits[i].trait);
    char text[200];
    sd_format(text, sizeof text, "%s declared, and the defect is %.1e%s", declared ? "" : "not", traits[i].found->value,
              right      ? ""
              : declared ? ": take it out of the line, or find the error"
                         : ": it holds; add it to the line");
    say(c, right, traits[i].trait, text + (declared ? 1 : 0));
  }
}

static void check_traits_of_bodies(check *c) {
  static properties p;
  declared_trait traits[DECLARED];
  measure_properties(&c->l, c->file, c->info.order, &settings_of_body[GENERIC], &p);
  declared_traits(&p, traits);
  check_traits(c, traits, DECLARED);
}

static void check_traits_of_orbits(check *c) {
  finding found[ORBIT_TRAITS];
  declared_trait traits[ORBIT_TRAITS];
  measure_orbit_traits(&c->l, c->file, c->info.order, found, traits);
  check_traits(c, traits, ORBIT_TRAITS);
}

static void check_method(check *c) {
  check_order(c, c->file, c->info.order, "order");
  if (c->l.error.status) return;
  if (!strcmp(c->family.id, "so3")) check_traits_of_bodies(c);
  else if (!strcmp(c->family.id, "orbit")) check_traits_of_orbits(c);
  else say(c, 1, "traits", "not measured");
  if (!c->l.error.status) check_variants(c, c->file);
}

/* ---- the verb ---- */

int sd_command_check(const sd_request *r) {
  check c = {.l = {.request = r}, .file = r->file};
  if (!r->file) return sd_say("which file? Its name is missing"), 2;
  if (!look(&c, r->plan)) {
    int is_problem = c.problem == c.file;
    printf("%s: %s %s, for %s\n", r->file, is_problem ? "problem" : "method", c.id, c.family.plural);
    if (is_problem) check_problem(&c, r->plan);
    else check_method(&c);
  }
  if (c.l.error.status) return sd_say(c.l.error.message), sd_exit_status(c.l.error.status);
  printf(c.wrong ? "%zu of this is not as it should be\n" : "all is as it should be\n", c.wrong);
  return c.wrong != 0;
}
