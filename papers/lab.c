#include "lab.h"

#include "../host/interrupt.h"
#include "../host/number.h"

#include <string.h>

lab_text lab_number(double value) {
  lab_text t;
  sd_format(t.text, sizeof t.text, "%.17g", value);
  return t;
}

static sd_status take_machine(const sd_request *r, sd_plan *plan) {
  for (size_t i = 0; i < r->setting_count; i++) {
    sd_option_info o = {.size = sizeof o};
    if (sd_find_option(r->setting[i].key, &o) && o.about & SD_ABOUT_MACHINE)
      SD_TRY(sd_plan_set(plan, r->setting[i].key, r->setting[i].value));
  }
  return SD_OK;
}

const char *lab_problem(const sd_request *r) {
  const char *problem = "stress";
  for (size_t i = 0; i < r->setting_count; i++)
    if (!strcmp(r->setting[i].key, "problem")) problem = r->setting[i].value;
  return problem;
}

/* Parameters that the command line gives are those of its problem, whose runs begin with it. */
static sd_status take_parameters(const sd_request *r, sd_plan *plan, const char *const *settings) {
  if (strcmp(settings[0], "problem") || strcmp(settings[1], lab_problem(r))) return SD_OK;
  for (size_t i = 0; i < r->setting_count; i++)
    if (!strcmp(r->setting[i].key, "param")) SD_TRY(sd_plan_set(plan, "param", r->setting[i].value));
  return SD_OK;
}

static sd_status set_up(sd_plan *plan, const sd_request *r, const lab_starts *starts, const char *const *settings) {
  SD_TRY(take_machine(r, plan));
  SD_TRY(take_parameters(r, plan, settings));
  for (const char *const *s = settings; *s; s += 2)
    if (s[1]) SD_TRY(sd_plan_set(plan, s[0], s[1]));
  if (starts) SD_TRY(sd_plan_set_starts(plan, 0, starts->count, starts->numbers, starts->width));
  return SD_OK;
}

sd_result *lab_run(lab *l, const lab_starts *starts, const char *const *settings) {
  sd_plan *plan;
  sd_result *result = NULL;
  if (l->error.status) return NULL;
  sd_status status = sd_plan_create(&plan);
  if (status) return sd_fail(&l->error, status, "out of memory"), NULL;
  sd_catch_signals(plan);
  sd_plan_allow_spare(plan, 1);
  status = set_up(plan, l->request, starts, settings);
  if (!status) status = sd_run(plan, &result);
  if (status && status != SD_BODIES_FAILED) {
    const char *message = sd_plan_message(plan);
    sd_fail(&l->error, status, "%s", *message ? message : sd_status_text(status));
    sd_result_destroy(result);
    result = NULL;
  }
  sd_plan_destroy(plan);
  return result;
}

/* Traits of a method from a file, which is in no list. */
static uint64_t traits_of_file(const char *path) {
  sd_plan *plan;
  sd_method_info m = {.size = sizeof m};
  uint64_t traits = 0;
  char problem[32], fit[32];
  if (sd_plan_create(&plan)) return 0;
  if (!sd_plan_set(plan, "method", path) && !sd_plan_fit(plan, problem, fit) && sd_plan_method(plan, 0, &m))
    traits = m.traits;
  sd_plan_destroy(plan);
  return traits;
}

int lab_has(const char *method, const char *trait) {
  sd_trait_info t = {.size = sizeof t};
  sd_method_info m = {.size = sizeof m};
  size_t k = 0, length = strcspn(method, "@");
  while (sd_list_trait(k, &t) && strcmp(t.id, trait)) k++;
  if (length > 2 && !strncmp(method + length - 2, ".h", 2)) return (int)(traits_of_file(method) >> k & 1);
  for (size_t i = 0; sd_list_method(i, &m); i++)
    if (strlen(m.id) == length && !strncmp(m.id, method, length)) return (int)(m.traits >> k & 1);
  return 0;
}

const char *lab_fit(const char *method) {
  return lab_has(method, "spherical-only") ? "J=2,2,2" : NULL;
}

const char *lab_adaptive(const char *method, const char *param) {
  return lab_has(method, "adaptive") ? param : NULL;
}
