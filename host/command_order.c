/* command_order.c - spindrift order: one body, a list of steps, errors at the end against a reference solution
 * (a method of order 8 at a quarter of the smallest step), and the order fitted to them where they have one. */
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "number.h"
#include "order_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 16, METHODS_MAX = 128 };

/* Of the state's first two arrays, and of the energy. */
enum { PARTS = 2, NUMBERS_MOST = 64 };
typedef struct {
  double part[PARTS], E;
} errors;

typedef struct {
  double number[PARTS][NUMBERS_MOST], energy_error; /* zeros after those that there are */
} end_state;

typedef struct {
  double step[STEPS_MAX]; /* the largest first */
  errors error[STEPS_MAX];
  double size[STEPS_MAX];      /* of the errors; NaN: the body failed, */
  char failure[STEPS_MAX][64]; /* and this is why; or "" */
  int count;
  char problem[32];
  double own_step, time; /* the problem's, and how long all runs are */
  sd_family_info family;
  const char *part[PARTS]; /* what its arrays are called */
} study;

/* Declared, and copied from a plan that is to have others. */
typedef struct {
  char name[32];
  int order;
} method;

/* What a plan says of its failure. */
static sd_status fail_of(const sd_plan *plan, sd_status status, sd_error *error) {
  const char *message = sd_plan_message(plan);
  return sd_fail(error, status, "%s", *message ? message : sd_status_text(status));
}

/* Of the one member. */
static void take_end(const sd_result *result, end_state *end) {
  sd_view view = {.size = sizeof view};
  *end = (end_state){0};
  for (int k = 0; k < PARTS; k++) {
    if (sd_result_final(result, 0, (size_t)k, &view)) continue;
    const size_t rows = view.rank > 1 ? view.shape[1] : 1, columns = view.rank > 2 ? view.shape[2] : 1;
    for (size_t i = 0; i < rows * columns && i < NUMBERS_MOST; i++) end->number[k][i] = view.data[i];
  }
  if (!sd_result_final(result, 0, sd_result_array_count(result) - 1, &view)) end->energy_error = *view.data;
}

/* Of a body that failed there is none: `failure` then says why. */
static sd_status final_state(sd_plan *plan, const char *name, double step, end_state *end, char failure[64],
                             sd_error *error) {
  char text[40];
  *failure = 0;
  sd_result *result = NULL;
  sd_format(text, sizeof text, "%.17g", step);
  sd_status status = sd_plan_set(plan, "step", text);
  if (!status) status = sd_plan_set(plan, "method", name);
  if (!status) status = sd_run(plan, &result);
  if (result && status != SD_INTERRUPTED) take_end(result, end);
  if (status == SD_BODIES_FAILED) snprintf(failure, 64, "%s", sd_result_final_status(result, 0, 0));
  else if (status) fail_of(plan, status, error);
  sd_result_destroy(result);
  return error->status;
}

static sd_status fail_at(const char *name, double step, const char *failure, sd_error *error) {
  return sd_fail(error, SD_FAILED, "%s at step %g: the body failed (%s)", name, step, failure);
}

static errors compare(const end_state *a, const end_state *b) {
  errors e = {{0}, fabs(a->energy_error)};
  for (int k = 0; k < PARTS; k++) {
    for (int i = 0; i < NUMBERS_MOST; i++) {
      double gap = a->number[k][i] - b->number[k][i];
      e.part[k] += gap * gap;
    }
    e.part[k] = sqrt(e.part[k]);
  }
  return e;
}

static double size_of(const errors *e) {
  return hypot(e->part[0], e->part[1]);
}

static double smallest_step(const study *s) {
  return s->step[s->count - 1];
}
static double reference_step(const study *s) {
  return smallest_step(s) / 4;
}

static sd_order_fit fit(const study *s) {
  return sd_fit_order(s->step, s->size, s->count, s->family.rounding);
}

/* ---- showing ---- */

static void print_head(const study *s) {
  sd_print(stdout, "%s: one body, time %.15g, %d steps from %g to %g; reference: %s with step %g\n", s->problem,
           s->time, s->count, s->step[0], smallest_step(s), s->family.reference, reference_step(s));
}

static void print_row(const study *s, int i) {
  const errors *e = &s->error[i];
  double order = sd_order_between(s->step, s->size, i, s->family.rounding);
  if (*s->failure[i]) {
    sd_print(stdout, "%12g   the body failed (%s)\n", s->step[i], s->failure[i]);
    return;
  }
  sd_print(stdout, "%12g %12.3e %12.3e %12.3e", s->step[i], e->part[0], e->part[1], e->E);
  if (isfinite(order)) sd_print(stdout, " %8.3f", order);
  else if (s->size[i] <= s->family.rounding) fputs(" rounding", stdout);
  putchar('\n');
}

static int above_rounding(const study *s) {
  int count = 0;
  for (int i = 0; i < s->count; i++) count += s->size[i] > s->family.rounding;
  return count;
}

/* What was found, and how far it may be trusted. */
static void print_fit(const study *s, int declared) {
  sd_order_fit f = fit(s);
  if (!isfinite(f.order)) {
    printf("no order: %s (declared: %d)\n",
           above_rounding(s) < 2 ? "the errors are rounding" : "successive orders do not agree anywhere in these steps",
           declared);
    return;
  }
  sd_print(stdout, "fitted order %.3f over steps %g to %g", f.order, s->step[f.first], s->step[f.last]);
  if (!f.agreed) printf(" alone: a third would tell whether it holds");
  printf(", %sdeclared: %d\n", fabs(f.order - declared) > 0.25 * declared ? "not as " : "", declared);
}

static void print_study(const method *m, const study *s) {
  printf("\n%s\n%12s  |%s - ref|    |%s - ref| %12s %8s\n", m->name, "step", s->part[0], s->part[1], "|E - E0|",
         "order");
  for (int i = 0; i < s->count; i++) print_row(s, i);
  print_fit(s, m->order);
}

static void json_head(sd_json *j, const method *m, const study *s) {
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "method", m->name);
  sd_json_whole(j, "declared_order", m->order);
  sd_json_text(j, "problem", s->problem);
  sd_json_real(j, "time", s->time);
  sd_json_text(j, "reference", s->family.reference);
  sd_json_real(j, "reference_step", reference_step(s));
}

static void json_row(sd_json *j, const study *s, int i) {
  sd_json_open(j, NULL, '{');
  sd_json_real(j, "step", s->step[i]);
  if (*s->failure[i]) sd_json_text(j, "failed", s->failure[i]);
  else
    for (int k = 0; k < PARTS; k++) sd_json_real(j, s->part[k], s->error[i].part[k]);
  if (!*s->failure[i]) sd_json_real(j, "E", s->error[i].E);
  if (i) sd_json_real(j, "order", sd_order_between(s->step, s->size, i, s->family.rounding));
  sd_json_close(j, '}');
}

static void json_study(sd_json *j, const method *m, const study *s) {
  sd_order_fit f = fit(s);
  json_head(j, m, s);
  sd_json_real(j, "fitted_order", f.order);
  if (isfinite(f.order)) {
    sd_json_reals(j, "fitted_steps", (double[]){s->step[f.first], s->step[f.last]}, 2);
    sd_json_truth(j, "orders_agree", f.agreed);
  }
  sd_json_open(j, "errors", '[');
  for (int i = 0; i < s->count; i++) json_row(j, s, i);
  sd_json_close(j, ']');
  sd_json_close(j, '}');
}

static void json_failure(sd_json *j, const method *m, const study *s, const char *why) {
  json_head(j, m, s);
  sd_json_text(j, "error", why);
  sd_json_close(j, '}');
}

/* What there is to say of a method: its study, or why there is none. */
static void show(const sd_request *r, sd_json *j, const method *m, const study *s, const sd_error *error) {
  if (error->status && r->display.json) json_failure(j, m, s, error->message);
  else if (error->status) printf("\n%s\nno order: %s\n", m->name, error->message);
  else if (r->display.json) json_study(j, m, s);
  else print_study(m, s);
}

/* ---- what is to be measured ---- */

/* Puts a step to its place: the largest first. */
static sd_status add_step(study *s, double step, sd_error *error) {
  int at = s->count;
  for (int i = 0; i < s->count; i++)
    if (s->step[i] == step) return sd_fail(error, SD_BAD_INPUT, "step: %g stands twice in the list", step);
  for (; at > 0 && s->step[at - 1] < step; at--) s->step[at] = s->step[at - 1];
  s->step[at] = step;
  s->count++;
  return SD_OK;
}

/* The steps asked for; by default the family's, which are multiples of the problem's own. */
static sd_status read_steps(const sd_request *r, study *s, sd_error *error) {
  const char *list = r->steps ? r->steps : s->family.order_steps;
  s->count = 0;
  while (list) {
    char text[64];
    size_t length = strcspn(list, ",");
    if (length >= sizeof text) return sd_fail(error, SD_BAD_INPUT, "step: '%.40s...' is too long", list);
    snprintf(text, sizeof text, "%.*s", (int)length, list);
    list = list[length] ? list + length + 1 : NULL;
    if (s->count == STEPS_MAX) return sd_fail(error, SD_BAD_INPUT, "step: more than %d steps", STEPS_MAX);
    sd_status status = sd_plan_set(r->plan, "step", text);
    if (status) return fail_of(r->plan, status, error);
    SD_TRY(add_step(s, sd_real_from(text, NULL) * (r->steps ? 1 : s->own_step), error));
  }
  if (s->count >= 2) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "step: an order is measured between two steps or more, as in 0.25,0.125");
}

/* Complains of what is wrong with any of the runs before the first one is done. */
static sd_status check_steps(sd_plan *plan, const study *s) {
  for (int i = 0; i < s->count; i++) {
    char text[40];
    sd_format(text, sizeof text, "%.17g", s->step[i]);
    SD_TRY(sd_plan_set(plan, "step", text));
    SD_TRY(sd_plan_resolve(plan));
  }
  return SD_OK;
}

/* What a plan that has nothing but the problem says of it. */
static sd_status take_problem(sd_plan *alone, study *s, const char **family) {
  sd_method_info usual = {.size = sizeof usual};
  const char *text;
  SD_TRY(sd_plan_get(alone, "problem", &text));
  snprintf(s->problem, sizeof s->problem, "%s", text);
  SD_TRY(sd_plan_get(alone, "step", &text));
  s->own_step = sd_real_from(text, NULL);
  sd_plan_method(alone, 0, &usual);
  *family = usual.family;
  return SD_OK;
}

/* The problem, its own step, its family, whatever else is to be said of the plan. */
static sd_status find_problem(const sd_request *r, study *s, sd_error *error) {
  sd_plan *alone;
  const char *family = NULL;
  sd_array_info a = {.size = sizeof a};
  size_t f = 0;
  sd_status status = sd_plan_create(&alone);
  if (status) return sd_fail(error, status, "out of memory");
  for (size_t i = 0; i < r->setting_count && !status; i++)
    if (!strcmp(r->setting[i].key, "problem")) status = sd_plan_set(alone, "problem", r->setting[i].value);
  if (!status) status = take_problem(alone, s, &family);
  if (status) fail_of(alone, status, error);
  sd_plan_destroy(alone);
  if (status) return status;
  s->family.size = sizeof s->family;
  while (sd_list_family(f, &s->family) && strcmp(s->family.id, family)) f++;
  for (size_t k = 0; k < PARTS; k++) s->part[k] = sd_list_array(f, k, &a) ? a.id : "nothing";
  return SD_OK;
}

/* One body, as long as was asked for or as the family has it. */
static sd_status set_up(const sd_request *r, study *s) {
  char time[40];
  const char *resolved;
  sd_plan *plan = r->plan;
  sd_format(time, sizeof time, "%.17g", s->family.order_time * s->own_step);
  if (!sd_request_sets(r, "time")) SD_TRY(sd_plan_set(plan, "time", time));
  sd_plan_next_source(plan);
  SD_TRY(sd_plan_set(plan, "members", "1"));
  SD_TRY(sd_plan_set(plan, "final", "1"));
  SD_TRY(check_steps(plan, s));
  SD_TRY(sd_plan_get(plan, "time", &resolved));
  s->time = sd_real_from(resolved, NULL);
  return SD_OK;
}

static sd_status prepare(const sd_request *r, study *s, sd_error *error) {
  SD_TRY(find_problem(r, s, error));
  SD_TRY(read_steps(r, s, error));
  sd_status status = set_up(r, s);
  return status ? fail_of(r->plan, status, error) : SD_OK;
}

/* ---- measuring ---- */

static sd_status find_reference(sd_plan *plan, const study *s, end_state *reference, sd_error *error) {
  char failure[64];
  sd_plan_allow_spare(plan, 1); /* each of the runs from here on has one method */
  SD_TRY(final_state(plan, s->family.reference, reference_step(s), reference, failure, error));
  return *failure ? fail_at(s->family.reference, reference_step(s), failure, error) : SD_OK;
}

/* A step with which the body fails is left out, as long as there are others enough. */
static sd_error measure(const sd_request *r, const end_state *reference, const char *name, study *s) {
  sd_error error = {0};
  int failed = -1, good = 0;
  for (int i = 0; i < s->count && !error.status; i++) {
    end_state end;
    s->size[i] = NAN;
    if (final_state(r->plan, name, s->step[i], &end, s->failure[i], &error)) break;
    if (*s->failure[i]) {
      if (failed < 0) failed = i;
      continue;
    }
    s->error[i] = compare(&end, reference);
    s->size[i] = size_of(&s->error[i]);
    good++;
  }
  if (failed >= 0 && good < 3) fail_at(name, s->step[failed], s->failure[failed], &error);
  return error;
}

/* The plan's methods, which it will not have for long. */
static int list_methods(const sd_plan *plan, method methods[METHODS_MAX]) {
  sd_method_info m = {.size = sizeof m};
  int count = 0;
  for (; count < METHODS_MAX && sd_plan_method(plan, (size_t)count, &m); count++) {
    snprintf(methods[count].name, sizeof methods[count].name, "%s", m.id);
    methods[count].order = m.order;
  }
  return count;
}

/* A method that fails does not keep the others from being measured; an interruption, or a reference that fails, does.
 */
static sd_error measure_all(const sd_request *r, study *s) {
  method methods[METHODS_MAX];
  int count = list_methods(r->plan, methods);
  end_state reference;
  sd_json j = {.to = stdout};
  sd_error worst = {0};
  find_reference(r->plan, s, &reference, &worst);
  sd_error shared = worst;
  if (r->display.json) sd_json_open(&j, NULL, '[');
  else print_head(s);
  for (int m = 0; m < count; m++) {
    sd_error error = shared.status ? shared : measure(r, &reference, methods[m].name, s);
    if (error.status == SD_INTERRUPTED) shared = worst = error;
    if (!worst.status) worst = error;
    show(r, &j, &methods[m], s, &error);
  }
  if (r->display.json) sd_json_close(&j, ']');
  return worst;
}

int sd_command_order(const sd_request *r) {
  study s;
  sd_error error = {0};
  sd_catch_signals(r->plan);
  if (!prepare(r, &s, &error)) error = measure_all(r, &s);
  if (error.status) sd_say(error.message);
  return sd_exit_status(error.status);
}
