/* command_bench.c - spindrift bench: nanoseconds per body-step, per thread, for methods and variants. */
#include "commands.h"
#include "json.h"

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

static int wanted(const char *list, const sd_variant *v, const sd_variant *best) {
  if (!v->usable) return 0;
  if (!strcmp(list, "all")) return 1;
  if (!strcmp(list, "auto")) return !strcmp(v->name, best->name);
  size_t length = strlen(v->name);
  for (const char *at = strstr(list, v->name); at; at = strstr(at + 1, v->name))
    if ((at == list || at[-1] == ',') && (!at[length] || at[length] == ',')) return 1;
  return 0;
}

/* A thousand steps, and no samples but the first and the last: what is measured is the integration. */
static sd_status defaults(sd_plan *plan) {
  if (!plan->steps && !plan->time) SD_TRY(sd_plan_set(plan, "steps", "1000"));
  if (!plan->every) {
    SD_TRY(sd_plan_resolve(plan));
    plan->every = plan->total_steps;
  }
  return SD_OK;
}

int sd_command_bench(const sd_request *r) {
  sd_plan *plan = r->plan;
  const char *list = r->variants ? r->variants : "auto";
  sd_variant best;
  sd_status status = sd_find_variant("auto", &best, &plan->error);
  char processor[128];
  machine(processor, sizeof processor);
  if (!status && !strchr(list, ',') && strcmp(list, "all")) status = sd_find_variant(list, &best, &plan->error);
  if (!status) status = defaults(plan);
  if (!status) status = sd_plan_resolve(plan);
  if (status) return sd_complain(plan, status);

  sd_json j = {.to = stdout};
  if (r->json) {
    sd_json_open(&j, NULL, '{');
    sd_json_text(&j, "machine", processor);
    sd_json_text(&j, "compiler", __VERSION__);
    sd_json_open(&j, "results", '[');
  } else {
    printf("%s, compiler %s, %zu bodies, %lld steps, %d thread%s\n\n%-14s %-14s %-9s %10s %12s %8s\n", processor,
           __VERSION__, plan->bodies, (long long)plan->total_steps, plan->thread_count,
           plan->thread_count == 1 ? "" : "s", "problem", "method", "isa", "ns/step", "million/s", "newton");
  }
  int failed = 0;
  for (int i = 0; i < sd_variant_count() && !status; i++) {
    sd_variant v = sd_variant_at(i);
    sd_result *result;
    if (!wanted(list, &v, &best)) continue;
    status = sd_plan_set(plan, "isa", v.name);
    if (!status) status = sd_run(plan, &result);
    if (status == SD_BODIES_FAILED) failed = 1, status = SD_OK;
    if (status) break;
    for (size_t m = 0; m < sd_result_count(result); m++) {
      const sd_summary *s = sd_result_summary(result, m);
      if (!r->json) {
        printf("%-14s %-14s %-9s %10.2f %12.2f %8.2f\n", s->problem, s->method, v.name, s->ns_per_body_step,
               1e3 / s->ns_per_body_step, s->newton_mean);
        fflush(stdout);
        continue;
      }
      sd_json_open(&j, NULL, '{');
      sd_json_text(&j, "problem", s->problem);
      sd_json_text(&j, "method", s->method);
      sd_json_text(&j, "isa", v.name);
      sd_json_whole(&j, "threads", plan->thread_count);
      sd_json_real(&j, "ns_per_body_step", s->ns_per_body_step);
      sd_json_real(&j, "newton", s->newton_mean);
      sd_json_close(&j, '}');
    }
    sd_result_destroy(result);
  }
  if (r->json) {
    sd_json_close(&j, ']');
    sd_json_close(&j, '}');
  }
  return status ? sd_complain(plan, status) : failed ? 3 : 0;
}
