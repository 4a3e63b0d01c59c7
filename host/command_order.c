/* command_order.c - spindrift order: one body, a list of steps, errors at the end against a reference solution
 * (a method of order 8 at a quarter of the smallest step), and the order fitted to them. */
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "number.h"

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
  double step[STEPS_MAX];
  errors error[STEPS_MAX];
  int count;
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

static sd_status final_state(sd_plan *plan, const char *name, double step, end_state *end, sd_error *error) {
  char text[40];
  sd_result *result = NULL;
  sd_format(text, sizeof text, "%.17g", step);
  sd_status status = sd_plan_set(plan, "step", text);
  if (!status) status = sd_plan_set(plan, "method", name);
  if (!status) status = sd_run(plan, &result);
  if (result && status != SD_INTERRUPTED) take_end(result, end);
  if (status == SD_BODIES_FAILED)
    sd_fail(error, SD_FAILED, "%s at step %g: the body failed (%s)", name, step, sd_result_final_status(result, 0, 0));
  else if (status) fail_of(plan, status, error);
  sd_result_destroy(result);
  return error->status;
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

static double error_of(const errors *e) {
  return hypot(e->part[0], e->part[1]);
}

/* Least-squares slope of log error over log step; NaN when fewer than two steps are above rounding. */
static double fitted_order(const study *s) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (int i = 0; i < s->count; i++) {
    double e = error_of(&s->error[i]);
    if (!(e > s->family.rounding)) continue; /* rounding, not truncation */
    double u = log(s->step[i]), v = log(e);
    n++, x += u, y += v, xx += u * u, xy += u * v;
  }
  return n < 2 ? NAN : (n * xy - x * y) / (n * xx - x * x);
}

static void print_study(const char *name, const study *s) {
  printf("\n%s\n%12s  |%s - ref|    |%s - ref| %12s %8s\n", name, "step", s->part[0], s->part[1], "|E - E0|", "order");
  for (int i = 0; i < s->count; i++) {
    const errors *e = &s->error[i];
    sd_print(stdout, "%12g %12.3e %12.3e %12.3e", s->step[i], e->part[0], e->part[1], e->E);
    if (i && error_of(e) > s->family.rounding)
      sd_print(stdout, " %8.3f", log(error_of(e - 1) / error_of(e)) / log(s->step[i - 1] / s->step[i]));
    putchar('\n');
  }
  sd_print(stdout, "fitted order %.3f\n", fitted_order(s));
}

static void json_study(sd_json *j, const char *name, int declared, const study *s) {
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "method", name);
  sd_json_whole(j, "declared_order", declared);
  sd_json_real(j, "fitted_order", fitted_order(s));
  sd_json_open(j, "errors", '[');
  for (int i = 0; i < s->count; i++) {
    sd_json_open(j, NULL, '{');
    sd_json_real(j, "step", s->step[i]);
    for (int k = 0; k < PARTS; k++) sd_json_real(j, s->part[k], s->error[i].part[k]);
    sd_json_real(j, "E", s->error[i].E);
    sd_json_close(j, '}');
  }
  sd_json_close(j, ']');
  sd_json_close(j, '}');
}

static void json_failure(sd_json *j, const char *name, int declared, const char *why) {
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "method", name);
  sd_json_whole(j, "declared_order", declared);
  sd_json_text(j, "error", why);
  sd_json_close(j, '}');
}

/* The steps asked for, largest first as given; by default the family's. */
static sd_status read_steps(const sd_request *r, study *s, sd_error *error) {
  const char *list = r->steps ? r->steps : s->family.order_steps;
  for (s->count = 0; list; s->count++) {
    char text[64];
    size_t length = strcspn(list, ",");
    if (length >= sizeof text) return sd_fail(error, SD_BAD_INPUT, "step: '%.40s...' is too long", list);
    snprintf(text, sizeof text, "%.*s", (int)length, list);
    list = list[length] ? list + length + 1 : NULL;
    if (s->count == STEPS_MAX) return sd_fail(error, SD_BAD_INPUT, "step: more than %d steps", STEPS_MAX);
    sd_status status = sd_plan_set(r->plan, "step", text);
    if (status) return fail_of(r->plan, status, error);
    s->step[s->count] = sd_real_from(text, NULL);
    for (int i = 0; i < s->count; i++)
      if (s->step[i] == s->step[s->count])
        return sd_fail(error, SD_BAD_INPUT, "step: %s stands twice in the list", text);
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

/* The family of the problem, whatever else is to be said of the plan. */
static sd_status find_family(const sd_request *r, study *s, sd_error *error) {
  sd_plan *alone;
  sd_method_info usual = {.size = sizeof usual};
  sd_array_info a = {.size = sizeof a};
  size_t f = 0;
  sd_status status = sd_plan_create(&alone);
  if (status) return sd_fail(error, status, "out of memory");
  for (size_t i = 0; i < r->setting_count && !status; i++)
    if (!strcmp(r->setting[i].key, "problem")) status = sd_plan_set(alone, "problem", r->setting[i].value);
  if (!status) status = sd_plan_resolve(alone);
  if (status) fail_of(alone, status, error);
  else sd_plan_method(alone, 0, &usual);
  sd_plan_destroy(alone);
  if (status) return status;
  s->family.size = sizeof s->family;
  while (sd_list_family(f, &s->family) && strcmp(s->family.id, usual.family)) f++;
  for (size_t k = 0; k < PARTS; k++) s->part[k] = sd_list_array(f, k, &a) ? a.id : "nothing";
  return SD_OK;
}

/* One body, as long as was asked for or as the family has it. */
static sd_status set_up(const sd_request *r, const study *s) {
  char time[40];
  sd_plan *plan = r->plan;
  sd_format(time, sizeof time, "%.17g", s->family.order_time);
  if (!sd_request_sets(r, "time")) SD_TRY(sd_plan_set(plan, "time", time));
  sd_plan_next_source(plan);
  SD_TRY(sd_plan_set(plan, "members", "1"));
  SD_TRY(sd_plan_set(plan, "final", "1"));
  return check_steps(plan, s);
}

static sd_status prepare(const sd_request *r, study *s, sd_error *error) {
  SD_TRY(find_family(r, s, error));
  SD_TRY(read_steps(r, s, error));
  if (sd_request_sets(r, "steps"))
    return sd_fail(error, SD_BAD_INPUT, "order compares runs of one length: give --time, not --steps");
  sd_status status = set_up(r, s);
  return status ? fail_of(r->plan, status, error) : SD_OK;
}

static sd_status find_reference(sd_plan *plan, const study *s, end_state *reference, sd_error *error) {
  double smallest = s->step[0];
  for (int i = 1; i < s->count; i++) smallest = s->step[i] < smallest ? s->step[i] : smallest;
  sd_plan_allow_spare(plan, 1); /* each of the runs from here on has one method */
  return final_state(plan, s->family.reference, smallest / 4, reference, error);
}

static sd_error measure(const sd_request *r, const end_state *reference, const char *name, study *s) {
  sd_error error = {0};
  for (int i = 0; i < s->count && !error.status; i++) {
    end_state end;
    if (!final_state(r->plan, name, s->step[i], &end, &error)) s->error[i] = compare(&end, reference);
  }
  return error;
}

/* What there is to say of a method: its study, or why there is none. */
static void show(const sd_request *r, sd_json *j, const method *m, const study *s, const sd_error *error) {
  if (error->status && r->display.json) json_failure(j, m->name, m->order, error->message);
  else if (error->status) printf("\n%s\nno order: %s\n", m->name, error->message);
  else if (r->display.json) json_study(j, m->name, m->order, s);
  else print_study(m->name, s);
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
