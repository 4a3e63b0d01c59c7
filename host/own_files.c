/* own_files.c - a problem or a method of the user's own, for verbs that are given its file: what it is called, and what
 * it can be run with. */
#include "commands.h"

#include <string.h>

int sd_is_own(const char *name) {
  size_t length = name ? strlen(name) : 0;
  return length > 2 && !strcmp(name + length - 2, ".h");
}

static sd_status try_problem(sd_plan *plan, const sd_problem_info *p, const char *fit) {
  SD_TRY(sd_plan_set(plan, "problem", p->id));
  if (fit) SD_TRY(sd_plan_set(plan, "param", fit));
  return sd_plan_resolve(plan);
}

/* The first problem that its method is for; some want bodies of a kind. */
sd_status sd_plan_fit(sd_plan *plan, char problem[32], char fit[32]) {
  sd_problem_info p = {.size = sizeof p};
  sd_family_info f = {.size = sizeof f};
  sd_status status = SD_BAD_INPUT;
  sd_plan_allow_spare(plan, 1);
  for (int fitted = 0; fitted < 2 && status; fitted++)
    for (size_t i = 0; status && sd_list_problem(i, &p); i++) {
      for (size_t k = 0; sd_list_family(k, &f) && strcmp(f.id, p.family);) k++;
      if (fitted && !f.fit) continue;
      status = try_problem(plan, &p, fitted ? f.fit : NULL);
      snprintf(problem, 32, "%s", p.id);
      snprintf(fit, 32, "%s", fitted ? f.fit : "");
    }
  return status;
}

sd_status sd_plan_take_own(sd_plan *plan, const char *kind, const char *file, char id[32]) {
  char problem[32], fit[32];
  const char *found;
  SD_TRY(sd_plan_set(plan, kind, file));
  if (!strcmp(kind, "method")) SD_TRY(sd_plan_fit(plan, problem, fit));
  SD_TRY(sd_plan_get(plan, kind, &found));
  snprintf(id, 32, "%s", found);
  return SD_OK;
}
