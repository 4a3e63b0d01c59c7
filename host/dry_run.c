/* dry_run.c - what plans would do: every setting as it is resolved, the memory, and the time, by a short measurement of
 * each method on as many members as tell what one of them costs. */
#include "commands.h"
#include "duration.h"
#include "interrupt.h"
#include "json.h"
#include "number.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MEASURED_MEMBERS = 16384 };
static const double long_enough = 0.2; /* seconds for one method */

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The same plan with fewer members, and nothing to be kept or written. */
static sd_status make_sample(const sd_plan *plan, long long members, sd_plan **sample) {
  char text[32];
  SD_TRY(sd_plan_copy(plan, sample));
  sd_plan_next_source(*sample);
  snprintf(text, sizeof text, "%lld", members);
  SD_TRY(sd_plan_set(*sample, "members", text));
  SD_TRY(sd_plan_set(*sample, "sweep", "none"));
  SD_TRY(sd_plan_set(*sample, "trajectories", "0"));
  return sd_plan_set(*sample, "final", "0");
}

/* Twice as many steps again and again, until they take long enough; seconds for one. */
static sd_status measure_method(sd_plan *plan, const char *method, long long steps, double *seconds) {
  sd_simulation *s;
  SD_TRY(sd_simulation_create(plan, method, &s));
  sd_status status = SD_OK;
  long long done = 0, more = 1;
  double taken = 0, last = 0;
  while (!status && done < steps && taken < long_enough) {
    if (more > steps - done) more = steps - done;
    double begun = now();
    status = sd_simulation_advance(s, more);
    last = (now() - begun) / (double)more;
    taken += last * (double)more;
    done += more;
    more *= 2;
  }
  *seconds = last; /* of the longest stretch; the first ones warm up */
  sd_simulation_destroy(s);
  return status;
}

/* Of a sweep: lines NAME=LOW:HIGH:COUNT. */
static sd_status points_of(sd_plan *plan, long long *points) {
  const char *lines;
  *points = 1;
  SD_TRY(sd_plan_get(plan, "sweep", &lines));
  for (const char *colon = lines; (colon = strchr(colon, ':')); colon += strcspn(colon, "\n")) {
    colon = strchr(colon + 1, ':');
    *points *= strtoll(colon + 1, NULL, 10);
  }
  return SD_OK;
}

/* Of all methods, all members and all steps. */
static sd_status estimate(sd_plan *plan, double *seconds) {
  long long members, steps, points, measured;
  sd_plan *sample = NULL;
  sd_method_info m = {.size = sizeof m};
  *seconds = 0;
  SD_TRY(sd_whole_of(plan, "members", &members));
  SD_TRY(sd_whole_of(plan, "steps", &steps));
  SD_TRY(points_of(plan, &points));
  members *= points;
  measured = members < MEASURED_MEMBERS ? members : MEASURED_MEMBERS;
  sd_status status = make_sample(plan, measured, &sample);
  if (!status) sd_catch_signals(sample);
  for (size_t i = 0; !status && sd_plan_method(plan, i, &m); i++) {
    double step;
    status = measure_method(sample, m.id, steps, &step);
    *seconds += step * (double)steps * (double)members / (double)measured;
  }
  if (status && sample) sd_say(*sd_plan_message(sample) ? sd_plan_message(sample) : sd_status_text(status));
  sd_plan_destroy(sample);
  return status;
}

/* ---- showing ---- */

/* A list of numbers, some of them after a name, in the digits that people write: 0.3, where a plan says
 * 0.29999999999999999. */
static void print_shortly(const char *list) {
  char text[32], *end;
  for (;;) {
    size_t name = strcspn(list, "=,");
    if (list[name] == '=') {
      printf("%.*s=", (int)name, list);
      list += name + 1;
    }
    double value = sd_real_from(list, &end);
    size_t length = strcspn(list, ",");
    if (end == list + length && length) fputs(sd_real_text(value, 6, text), stdout);
    else printf("%.*s", (int)length, list);
    list += length;
    if (!*list) return;
    putchar(*list++);
  }
}

/* A whole number has all its digits in any case. */
static void show_line(sd_json *j, const char *key, const char *value, int real) {
  if (j) {
    sd_json_text(j, key, value);
    return;
  }
  printf("  %-18s ", key);
  if (real) print_shortly(value);
  else fputs(value, stdout);
  putchar('\n');
}

/* A line for each, of those that may be given again and again; in the JSON these are lists. */
static void show_setting(sd_json *j, const sd_option_info *o, const char *values) {
  int several = o->kind == SD_OPTION_PARAMETER || o->kind == SD_OPTION_IMPULSE || o->kind >= SD_OPTION_SWEEP;
  int real = several || o->kind == SD_OPTION_POSITIVE || o->kind == SD_OPTION_NOT_NEGATIVE;
  char *copy = strdup(values), *line = copy, *end;
  if (!copy) return;
  if (o->kind == SD_OPTION_SYSTEM) *copy = 0; /* of any length, and in the file that it comes from */
  if (j && several) sd_json_open(j, o->key, '[');
  for (; *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end) *end++ = 0;
    show_line(j, j && several ? NULL : o->key, line, real);
  }
  if (j && several) sd_json_close(j, ']');
  free(copy);
}

static void show_plan(sd_json *j, sd_plan *plan) {
  sd_option_info o = {.size = sizeof o};
  const char *value;
  for (size_t i = 0; sd_list_option(i, &o); i++)
    if (!sd_plan_get(plan, o.key, &value) && *value) show_setting(j, &o, value);
}

/* About how long. */
static const char *time_text(double seconds, char text[32]) {
  return seconds < 1 ? "less than a second" : sd_duration_text(seconds, text);
}

static void show_costs(sd_json *j, const char *machine, double bytes, double seconds) {
  char time[32];
  if (j) {
    sd_json_text(j, "runs_on", machine);
    sd_json_real(j, "memory_bytes", bytes);
    sd_json_real(j, "estimated_seconds", seconds);
    return;
  }
  printf("runs on: %s\n", machine);
  const char *unit = bytes < 0x1p20 ? "KiB" : bytes < 0x1p30 ? "MiB" : "GiB";
  sd_print(stdout, "memory: about %.1f %s\n",
           bytes / (bytes < 0x1p20   ? 0x1p10
                    : bytes < 0x1p30 ? 0x1p20
                                     : 0x1p30),
           unit);
  printf("time: %s, by a short measurement\n", time_text(seconds, time));
}

static sd_status try_plan(sd_json *j, sd_plan *plan, double *all) {
  double seconds;
  char machine[160];
  sd_status status = sd_plan_machine(plan, machine);
  if (status) return sd_complain(plan, status), status;
  SD_TRY(estimate(plan, &seconds));
  *all += seconds;
  if (j) sd_json_open(j, NULL, '{');
  show_plan(j, plan);
  show_costs(j, machine, sd_plan_memory(plan), seconds);
  if (j) sd_json_close(j, '}');
  return SD_OK;
}

int sd_try_plans(const sd_request *r, sd_plan *const *plans, size_t count) {
  sd_json json = {.to = stdout}, *j = r->display.json ? &json : NULL;
  sd_claim *claim = NULL;
  char message[512], time[32];
  double all = 0;
  sd_status status = sd_request_claim(r, plans, count, &claim, message);
  sd_claim_release(claim);
  if (status) return sd_say(message), sd_exit_status(status);
  if (j) sd_json_open(j, NULL, '[');
  for (size_t i = 0; i < count && !status; i++) {
    if (!j && count > 1) printf("%srun %zu of %zu\n", i ? "\n" : "", i + 1, count);
    status = try_plan(j, plans[i], &all);
  }
  if (j) sd_json_close(j, ']');
  else if (count > 1 && !status) printf("\nall %zu runs: %s\n", count, time_text(all, time));
  return sd_exit_status(status);
}
