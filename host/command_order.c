/* command_order.c - spindrift order: one body, a list of steps, errors at the end against a reference solution
 * (a method of order 8 at a quarter of the smallest step), and the order fitted to them. */
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "number.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 16 };

/* Of the state's first two arrays, and of the energy. */
enum { PARTS = 2, NUMBERS_MOST = 64 };
typedef struct {
  double part[PARTS], E;
} errors;

typedef struct {
  double number[PARTS][NUMBERS_MOST], energy_error;
} end_state;

typedef struct {
  double step[STEPS_MAX];
  errors error[STEPS_MAX];
  int count;
  const sd_family *family;
} study;

/* Of the one member. */
static void take_end(const sd_result *result, end_state *end) {
  sd_view view = {.size = sizeof view};
  for (int k = 0; k < PARTS; k++) {
    if (sd_result_final(result, 0, (size_t)k, &view)) continue;
    const size_t rows = view.rank > 1 ? view.shape[1] : 1, columns = view.rank > 2 ? view.shape[2] : 1;
    for (size_t i = 0; i < rows * columns && i < NUMBERS_MOST; i++) end->number[k][i] = view.data[i];
  }
  if (!sd_result_final(result, 0, sd_result_array_count(result) - 1, &view)) end->energy_error = *view.data;
}

static sd_status final_state(sd_plan *plan, const char *method, double step, end_state *end) {
  char text[40];
  sd_result *result;
  sd_format(text, sizeof text, "%.17g", step);
  SD_TRY(sd_plan_set(plan, "step", text));
  SD_TRY(sd_plan_set(plan, "method", method));
  sd_status status = sd_run(plan, &result);
  if (!result) return status;
  if (status == SD_INTERRUPTED) return sd_result_destroy(result), status;
  const char *fate = sd_result_final_status(result, 0, 0);
  take_end(result, end);
  sd_result_destroy(result);
  if (status == SD_BODIES_FAILED)
    return sd_fail(&plan->error, SD_FAILED, "%s at step %g: the body failed (%s)", method, step, fate);
  return status;
}

static errors compare(const sd_family *family, const end_state *a, const end_state *b) {
  errors e = {{0}, fabs(a->energy_error)};
  for (int k = 0; k < PARTS; k++) {
    for (int i = 0; i < sd_array_numbers(&family->array[k]); i++) {
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
    if (!(e > s->family->rounding)) continue; /* rounding, not truncation */
    double u = log(s->step[i]), v = log(e);
    n++, x += u, y += v, xx += u * u, xy += u * v;
  }
  return n < 2 ? NAN : (n * xy - x * y) / (n * xx - x * x);
}

static void print_study(const char *name, const study *s) {
  const sd_array *q = s->family->array;
  printf("\n%s\n%12s  |%s - ref|    |%s - ref| %12s %8s\n", name, "step", q[0].id, q[1].id, "|E - E0|", "order");
  for (int i = 0; i < s->count; i++) {
    const errors *e = &s->error[i];
    sd_print(stdout, "%12g %12.3e %12.3e %12.3e", s->step[i], e->part[0], e->part[1], e->E);
    if (i && error_of(e) > s->family->rounding)
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
    for (int k = 0; k < PARTS; k++) sd_json_real(j, s->family->array[k].id, s->error[i].part[k]);
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

static sd_error failure_of(const sd_plan *plan, sd_status status) {
  sd_error error = {.status = status};
  const char *message = sd_plan_message(plan);
  if (status) snprintf(error.message, sizeof error.message, "%s", *message ? message : sd_status_text(status));
  return error;
}

/* The steps asked for, largest first as given; by default the family's. */
static sd_status read_steps(const sd_request *r, study *s) {
  char list[256];
  const char *given = r->steps ? r->steps : s->family->order_steps;
  if (strlen(given) >= sizeof list) return sd_fail(&r->plan->error, SD_BAD_INPUT, "step: the list is too long");
  strcpy(list, given);
  s->count = 0;
  char *rest = list;
  for (char *text; (text = sd_next_item(&rest));) {
    if (s->count == STEPS_MAX) return sd_fail(&r->plan->error, SD_BAD_INPUT, "step: more than %d steps", STEPS_MAX);
    SD_TRY(sd_plan_set(r->plan, "step", text));
    for (int i = 0; i < s->count; i++)
      if (s->step[i] == r->plan->step)
        return sd_fail(&r->plan->error, SD_BAD_INPUT, "step: %s stands twice in the list", text);
    s->step[s->count++] = r->plan->step;
  }
  if (s->count < 2)
    return sd_fail(&r->plan->error, SD_BAD_INPUT, "step: an order is measured between two steps or more, as in %s,%s",
                   "0.25", "0.125");
  return SD_OK;
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

static sd_status prepare(const sd_request *r, study *s) {
  sd_plan *plan = r->plan;
  const sd_problem_entry *problem;
  SD_TRY(sd_find_problem(plan->problem_name, &problem, &plan->error));
  s->family = problem->family;
  SD_TRY(read_steps(r, s));
  if (plan->steps)
    return sd_fail(&plan->error, SD_BAD_INPUT, "order compares runs of one length: give --time, not --steps");
  if (!plan->time) plan->time = s->family->order_time;
  sd_plan_next_source(plan);
  SD_TRY(sd_plan_set(plan, "members", "1"));
  SD_TRY(sd_plan_set(plan, "final", "1"));
  return check_steps(plan, s);
}

static sd_status find_reference(sd_plan *plan, const study *s, end_state *reference) {
  double smallest = s->step[0];
  for (int i = 1; i < s->count; i++) smallest = s->step[i] < smallest ? s->step[i] : smallest;
  plan->spare_parameters = 1; /* each of the runs from here on has one method */
  return final_state(plan, s->family->reference, smallest / 4, reference);
}

static sd_status measure(const sd_request *r, const end_state *reference, const char *name, study *s) {
  for (int i = 0; i < s->count; i++) {
    end_state end;
    SD_TRY(final_state(r->plan, name, s->step[i], &end));
    s->error[i] = compare(s->family, &end, reference);
  }
  return SD_OK;
}

/* What there is to say of a method: its study, or why there is none. */
static void show(const sd_request *r, sd_json *j, const sd_method *method, const study *s, const sd_error *error) {
  if (error->status && r->display.json) json_failure(j, method->name, method->order, error->message);
  else if (error->status) printf("\n%s\nno order: %s\n", method->name, error->message);
  else if (r->display.json) json_study(j, method->name, method->order, s);
  else print_study(method->name, s);
}

/* A method that fails does not keep the others from being measured; an interruption, or a reference that fails, does.
 */
static sd_error measure_all(const sd_request *r, study *s) {
  sd_plan *plan = r->plan;
  sd_method methods[SD_METHODS_MAX];
  int count = plan->method_count;
  end_state reference;
  sd_json j = {.to = stdout};
  memcpy(methods, plan->methods, sizeof methods);
  sd_error worst = failure_of(plan, find_reference(plan, s, &reference)), shared = worst;
  if (r->display.json) sd_json_open(&j, NULL, '[');
  for (int m = 0; m < count; m++) {
    sd_error error = shared.status ? shared : failure_of(plan, measure(r, &reference, methods[m].name, s));
    if (error.status == SD_INTERRUPTED) shared = worst = error;
    if (!worst.status) worst = error;
    show(r, &j, &methods[m], s, &error);
  }
  if (r->display.json) sd_json_close(&j, ']');
  return worst;
}

int sd_command_order(const sd_request *r) {
  study s;
  sd_catch_signals(r->plan);
  sd_status status = prepare(r, &s);
  if (status) return sd_complain(r->plan, status);
  sd_error worst = measure_all(r, &s);
  if (worst.status) sd_say(worst.message);
  return sd_exit_status(worst.status);
}
