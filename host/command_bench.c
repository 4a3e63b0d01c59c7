/* command_bench.c - spindrift bench: nanoseconds per body-step for methods, problems and variants. */
#include "commands.h"
#include "interrupt.h"
#include "json.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>

static void machine(char *name, size_t size) {
  FILE *info = fopen("/proc/cpuinfo", "r");
  char line[256];
  snprintf(name, size, "unknown processor");
  while (info && fgets(line, sizeof line, info)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) || !colon) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(name, size, "%s", colon + 2);
    break;
  }
  if (info) fclose(info);
}

/* The variants asked for, in `chosen`: all that this processor runs, or those named. */
static sd_status choose_variants(const char *given, int *chosen, sd_error *error) {
  char copy[128], *list = copy;
  snprintf(copy, sizeof copy, "%s", given);
  for (char *name; (name = sd_next_item(&list));) {
    sd_variant v;
    if (!strcmp(name, "all")) {
      for (int i = 0; i < sd_variant_count(); i++) chosen[i] = sd_variant_at(i).usable;
      continue;
    }
    if (sd_find_variant(name, &v, error)) {
      size_t used = strlen(error->message);
      snprintf(error->message + used, sizeof error->message - used, ", all");
      return error->status;
    }
    for (int i = 0; i < sd_variant_count(); i++) chosen[i] |= !strcmp(sd_variant_at(i).name, v.name);
  }
  return SD_OK;
}

/* A thousand steps, and no samples but the first and the last: what is measured is the integration. */
static sd_status defaults(sd_plan *plan) {
  if (!plan->steps && !plan->time) SD_TRY(sd_plan_set(plan, "steps", "1000"));
  SD_TRY(sd_plan_resolve(plan));
  if (!plan->every) plan->every = plan->total_steps;
  return sd_plan_resolve(plan);
}

static void write_row(const sd_request *r, sd_json *j, const sd_summary *s, const char *isa) {
  if (!r->display.json) {
    sd_print(stdout, "%-14s %-14s %-9s %10.2f %12.2f %8.2f\n", s->problem, s->method, isa, s->ns_per_body_step,
             1e3 / s->ns_per_body_step, s->newton_mean);
    fflush(stdout);
    return;
  }
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "problem", s->problem);
  sd_json_text(j, "method", s->method);
  sd_json_text(j, "isa", isa);
  sd_json_whole(j, "threads", r->plan->thread_count);
  sd_json_real(j, "ns_per_body_step", s->ns_per_body_step);
  sd_json_real(j, "newton", s->newton_mean);
  sd_json_close(j, '}');
}

static void write_head(const sd_request *r, sd_json *j) {
  char processor[128];
  const sd_plan *plan = r->plan;
  machine(processor, sizeof processor);
  if (r->display.json) {
    sd_json_open(j, NULL, '{');
    sd_json_text(j, "machine", processor);
    sd_json_text(j, "compiler", __VERSION__);
    sd_json_whole(j, "bodies", (long long)plan->bodies);
    sd_json_whole(j, "steps", plan->total_steps);
    sd_json_open(j, "results", '[');
    return;
  }
  printf("%s, compiler %s, %zu bodies, %lld steps, %d thread%s\n\n%-14s %-14s %-9s %10s %12s %8s\n", processor,
         __VERSION__, plan->bodies, (long long)plan->total_steps, plan->thread_count,
         plan->thread_count == 1 ? "" : "s", "problem", "method", "isa", "ns/step", "million/s", "newton");
}

/* One problem and variant, all methods.  Bodies that fail do not end the others' measurement. */
static sd_status measure(const sd_request *r, sd_json *j, const char *isa, int *failed) {
  sd_result *result;
  SD_TRY(sd_plan_set(r->plan, "isa", isa));
  sd_status status = sd_run(r->plan, &result);
  for (size_t m = 0; result && m < sd_result_count(result); m++) write_row(r, j, sd_result_summary(result, m), isa);
  sd_result_destroy(result);
  fflush(stdout);
  if (status != SD_BODIES_FAILED) return status;
  *failed = 1;
  return SD_OK;
}

int sd_command_bench(const sd_request *r) {
  sd_plan *plan = r->plan;
  int chosen[16] = {0}, failed = 0;
  char problems[256], check[256], *list = check;
  snprintf(problems, sizeof problems, "%s", r->problems ? r->problems : "stress");
  snprintf(check, sizeof check, "%s", problems);
  sd_catch_signals(plan);
  sd_status status = choose_variants(r->variants ? r->variants : "auto", chosen, &plan->error);
  for (char *name;
       !status && (name = sd_next_item(&list));) { /* every problem is checked before the first is measured */
    status = sd_plan_set(plan, "problem", name);
    if (!status) status = defaults(plan);
  }
  if (status) return sd_complain(plan, status);
  sd_json j = {.to = stdout};
  write_head(r, &j);
  list = problems;
  for (char *name; !status && (name = sd_next_item(&list));) {
    status = sd_plan_set(plan, "problem", name);
    for (int i = 0; i < sd_variant_count() && !status && !ferror(stdout); i++) /* for nobody, if nobody reads */
      if (chosen[i]) status = measure(r, &j, sd_variant_at(i).name, &failed);
  }
  if (r->display.json) {
    sd_json_close(&j, ']');
    sd_json_close(&j, '}');
  }
  return status ? sd_complain(plan, status) : failed ? 3 : 0;
}
