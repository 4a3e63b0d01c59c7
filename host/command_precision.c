/* command_precision.c - spindrift precision: error against cost, over methods and steps.
 *
 * Every method runs the same members with every step; the error is the median over the members of the distance of the
 * end state from a reference, the cost the time of one trajectory on one thread, the least of several rounds, in which
 * all take turns.  The reference is a method of high order at a fraction of the smallest step, and its own error how
 * far it is from itself at twice that step. */
#include "commands.h"
#include "distance.h"
#include "interrupt.h"
#include "json.h"
#include "number.h"
#include "plotting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 16, METHODS_MAX = 128, PARTS = 2 };

typedef struct {
  double error[PARTS], cost; /* cost: seconds of a trajectory */
  size_t failed;
} point;

typedef struct {
  const sd_request *request;
  sd_plan *plan;
  char method[METHODS_MAX][32];
  int methods;
  double step[STEPS_MAX];
  int steps;
  point at[METHODS_MAX][STEPS_MAX];
  sd_family_info family;
  const char *part[PARTS]; /* what the family's first arrays are called */
  char problem[48], time[40];
  long long members;
  double reference_step, floor[PARTS]; /* of the reference: its step, its own error */
  sd_result *reference;
  sd_error error;
  double own_step; /* the problem's */
} study;

static sd_status fail_of(study *s, sd_status status) {
  const char *message = sd_plan_message(s->plan);
  return status ? sd_fail(&s->error, status, "%s", *message ? message : sd_status_text(status)) : SD_OK;
}

/* ---- what is to be measured ---- */

static void find_parts(study *s, const char *family) {
  sd_array_info a = {.size = sizeof a};
  size_t f = sd_family_of(family, &s->family);
  for (size_t k = 0; k < PARTS; k++) s->part[k] = sd_list_array(f, k, &a) ? a.id : "nothing";
}

static void find_step(study *s) {
  sd_problem_info p = {.size = sizeof p};
  for (size_t i = 0; sd_list_problem(i, &p); i++)
    if (!strcmp(p.id, s->problem)) s->own_step = p.step;
}

/* Those asked for; by default the family's, which are multiples of the problem's own. */
static sd_status read_steps(study *s) {
  const char *list = s->request->steps ? s->request->steps : s->family.order_steps;
  while (list) {
    char text[64];
    size_t length = strcspn(list, ",");
    snprintf(text, sizeof text, "%.*s", (int)(length < sizeof text ? length : sizeof text - 1), list);
    list = list[length] ? list + length + 1 : NULL;
    if (s->steps == STEPS_MAX) return sd_fail(&s->error, SD_BAD_INPUT, "step: more than %d steps", STEPS_MAX);
    SD_TRY(fail_of(s, sd_plan_set(s->plan, "step", text)));
    s->step[s->steps] = sd_real_from(text, NULL) * (s->request->steps ? 1 : s->own_step);
    sd_format(text, sizeof text, "%.17g", s->step[s->steps++]);
    SD_TRY(fail_of(s, sd_plan_set(s->plan, "step", text)));
    SD_TRY(fail_of(s, sd_plan_resolve(s->plan)));
  }
  return SD_OK;
}

static sd_status set_defaults(study *s) {
  const sd_request *r = s->request;
  char time[40];
  sd_format(time, sizeof time, "%.17g", s->family.order_time * s->own_step);
  if (!sd_request_sets(r, "time")) SD_TRY(sd_plan_set(s->plan, "time", time));
  if (!sd_request_sets(r, "members")) SD_TRY(sd_plan_set(s->plan, "members", "64"));
  SD_TRY(sd_whole_of(s->plan, "members", &s->members));
  sd_format(time, sizeof time, "%lld", s->members);
  SD_TRY(sd_plan_set(s->plan, "final", time));
  return sd_plan_set(s->plan, "threads", "1");
}

static sd_status prepare(study *s) {
  const char *text;
  sd_method_info m = {.size = sizeof m};
  if (sd_request_sets(s->request, "steps"))
    return sd_fail(&s->error, SD_BAD_INPUT, "precision compares runs of one length: give --time, not --steps");
  if (s->request->plot) SD_TRY(sd_picture_possible(s->request->plot, &s->error));
  SD_TRY(fail_of(s, sd_plan_get(s->plan, "problem", &text)));
  snprintf(s->problem, sizeof s->problem, "%s", text);
  if (!sd_plan_method(s->plan, 0, &m)) return sd_fail(&s->error, SD_FAILED, "there is no method");
  find_parts(s, m.family);
  find_step(s);
  SD_TRY(fail_of(s, set_defaults(s)));
  SD_TRY(read_steps(s));
  SD_TRY(fail_of(s, sd_plan_get(s->plan, "time", &text)));
  snprintf(s->time, sizeof s->time, "%s", text);
  for (; s->methods < METHODS_MAX && sd_plan_method(s->plan, (size_t)s->methods, &m); s->methods++)
    snprintf(s->method[s->methods], sizeof s->method[0], "%s", m.id);
  sd_plan_allow_spare(s->plan, 1); /* each of the runs from here on has one method */
  return SD_OK;
}

/* ---- measuring ---- */

/* One method at one step, looked at only at its start and its end. */
static sd_result *run(study *s, const char *method, double step) {
  char text[40];
  sd_result *result = NULL;
  sd_format(text, sizeof text, "%.17g", step);
  sd_status status = sd_plan_set(s->plan, "step", text);
  if (!status) status = sd_plan_set(s->plan, "method", method);
  sd_format(text, sizeof text, "%.0f", fmax(1, sd_real_from(s->time, NULL) / step));
  if (!status) status = sd_plan_set(s->plan, "every", text);
  if (!status) status = sd_run(s->plan, &result);
  if (!status || status == SD_BODIES_FAILED) return result;
  fail_of(s, status);
  sd_result_destroy(result);
  return NULL;
}

/* Halves the step, from half the smallest on, as long as that brings the reference nearer to itself. */
static sd_status find_reference(study *s) {
  enum { HALVINGS = 8 };
  double step = s->step[0], best = INFINITY;
  for (int i = 1; i < s->steps; i++) step = fmin(step, s->step[i]);
  sd_result *before = run(s, s->family.reference, step);
  for (int i = 0; i < HALVINGS && before; i++) {
    double floor[PARTS];
    sd_result *now = run(s, s->family.reference, step /= 2);
    for (size_t k = 0; k < PARTS && now; k++) floor[k] = sd_median_distance(before, now, k);
    if (!now || (s->reference && !(hypot(floor[0], floor[1]) < best / 2))) {
      sd_result_destroy(now);
      break;
    }
    best = hypot(floor[0], floor[1]);
    memcpy(s->floor, floor, sizeof floor);
    s->reference_step = step;
    sd_result_destroy(before);
    s->reference = before = now;
  }
  if (before != s->reference) sd_result_destroy(before);
  if (!s->reference && !s->error.status) sd_fail(&s->error, SD_FAILED, "the reference failed");
  return s->error.status;
}

static void measure(study *s, int m, int i, int first) {
  sd_result *result = run(s, s->method[m], s->step[i]);
  if (!result) return;
  const sd_summary *found = sd_result_summary(result, 0);
  double cost = found->ns_per_body_step * 1e-9 * found->time / found->step;
  point *p = &s->at[m][i];
  p->cost = first ? cost : fmin(p->cost, cost);
  p->failed = found->failed;
  for (size_t k = 0; k < PARTS && first; k++) p->error[k] = sd_median_distance(result, s->reference, k);
  sd_result_destroy(result);
}

static sd_status measure_all(study *s) {
  SD_TRY(find_reference(s));
  for (int round = 0; round < s->request->display.rounds; round++)
    for (int m = 0; m < s->methods; m++)
      for (int i = 0; i < s->steps && !s->error.status; i++) measure(s, m, i, round == 0);
  return s->error.status;
}

/* ---- showing ---- */

static double error_of(const point *p) {
  return hypot(p->error[0], p->error[1]);
}

/* What a trajectory with this error costs, between the steps that were run; NaN beyond them. */
static double cost_at(const study *s, int m, double wanted) {
  double least = NAN;
  for (int i = 0; i + 1 < s->steps; i++) {
    const point *a = &s->at[m][i], *b = a + 1;
    double x = log(error_of(a)), y = log(error_of(b)), t = (log(wanted) - x) / (y - x);
    if (!(t >= 0 && t <= 1)) continue;
    double cost = exp(log(a->cost) + t * (log(b->cost) - log(a->cost)));
    if (!(cost >= least)) least = cost;
  }
  return least;
}

static void print_table(const study *s) {
  sd_print(stdout,
           "%s to %s, %lld members, one thread; error: median over members against %s at %g, itself good to %.0e\n\n",
           s->problem, s->time, s->members, s->family.reference, s->reference_step, hypot(s->floor[0], s->floor[1]));
  printf("%-12s %12s  |%s - ref|   |%s - ref|   us/trajectory\n", "method", "step", s->part[0], s->part[1]);
  for (int m = 0; m < s->methods; m++)
    for (int i = 0; i < s->steps; i++) {
      const point *p = &s->at[m][i];
      sd_print(stdout, "%-12s %12g %12.3e %12.3e %15.2f", i ? "" : s->method[m], s->step[i], p->error[0], p->error[1],
               1e6 * p->cost);
      if (p->failed) printf("  %zu of %lld failed", p->failed, s->members);
      putchar('\n');
    }
}

/* For errors a factor of a hundred apart: who gets there with the least time. */
static void print_cheapest(const study *s) {
  int any = 0;
  for (double wanted = 1e-1; wanted > 1e-13; wanted /= 100) {
    int best = -1, second = -1;
    for (int m = 0; m < s->methods; m++) {
      double cost = cost_at(s, m, wanted);
      if (!(cost > 0)) continue;
      if (best < 0 || cost < cost_at(s, best, wanted)) second = best, best = m;
      else if (second < 0 || cost < cost_at(s, second, wanted)) second = m;
    }
    if (best < 0) continue;
    if (!any++) puts("\nleast time for an error of");
    sd_print(stdout, "%8.0e  %-12s %10.2f us", wanted, s->method[best], 1e6 * cost_at(s, best, wanted));
    if (second >= 0) sd_print(stdout, ", then %-12s %10.2f us", s->method[second], 1e6 * cost_at(s, second, wanted));
    putchar('\n');
  }
}

static void print_json(const study *s) {
  sd_json j = {.to = stdout};
  sd_json_open(&j, NULL, '{');
  sd_json_text(&j, "problem", s->problem);
  sd_json_real(&j, "time", sd_real_from(s->time, NULL));
  sd_json_whole(&j, "members", s->members);
  sd_json_open(&j, "reference", '{');
  sd_json_text(&j, "method", s->family.reference);
  sd_json_real(&j, "step", s->reference_step);
  for (int k = 0; k < PARTS; k++) sd_json_real(&j, s->part[k], s->floor[k]);
  sd_json_close(&j, '}');
  sd_json_open(&j, "results", '[');
  for (int m = 0; m < s->methods; m++)
    for (int i = 0; i < s->steps; i++) {
      const point *p = &s->at[m][i];
      sd_json_open(&j, NULL, '{');
      sd_json_text(&j, "method", s->method[m]);
      sd_json_real(&j, "step", s->step[i]);
      for (int k = 0; k < PARTS; k++) sd_json_real(&j, s->part[k], p->error[k]);
      sd_json_real(&j, "seconds_per_trajectory", p->cost);
      sd_json_whole(&j, "failed", (long long)p->failed);
      sd_json_close(&j, '}');
    }
  sd_json_close(&j, ']');
  sd_json_close(&j, '}');
}

static sd_status plot(study *s) {
  const char *path = s->request->plot;
  sd_text script = {0};
  sd_picture_begin(&script, path, 860, 520);
  for (int m = 0; m < s->methods; m++) {
    sd_text_add(&script, "$m%d << EOD\n", m);
    for (int i = 0; i < s->steps; i++)
      if (error_of(&s->at[m][i]) > 0 && isfinite(error_of(&s->at[m][i])))
        sd_text_add(&script, "%.9g %.9g\n", 1e6 * s->at[m][i].cost, error_of(&s->at[m][i]));
    sd_text_add(&script, "EOD\n");
  }
  sd_text_add(
      &script,
      "set title 'work and precision: %s to t = %s'\nset logscale xy\nset format y '10^{%%T}'\nset xlabel 'time of one "
      "trajectory, one thread [µs]'\nset ylabel 'error of the end state, median of %lld'\nplot ",
      s->problem, s->time, s->members);
  for (int m = 0; m < s->methods; m++) {
    char style[64];
    sd_text_add(&script, "%s$m%d using 1:2 with linespoints lw 2 ps 0.8 %s title '%s' noenhanced", m ? ", " : "", m,
                sd_style_of(s->method[m], style), s->method[m]);
  }
  double level = hypot(s->floor[0], s->floor[1]);
  if (level > 0) sd_text_add(&script, ", %.3g with lines lc rgb '#999999' dt 3 title 'reference'", level);
  sd_text_add(&script, "\n");
  return sd_picture_draw(&script, path, &s->error);
}

int sd_command_precision(const sd_request *r) {
  study *s = calloc(1, sizeof *s);
  if (!s) return sd_say("out of memory"), 1;
  s->request = r;
  s->plan = r->plan;
  sd_catch_signals(r->plan);
  if (!prepare(s) && !measure_all(s)) {
    if (r->display.json) print_json(s);
    else print_table(s), print_cheapest(s);
    if (r->plot) plot(s);
  }
  if (s->error.status) sd_say(s->error.message);
  int status = sd_exit_status(s->error.status);
  sd_result_destroy(s->reference);
  free(s);
  return status;
}
