/* corpus_checkpoint.c - writes the checkpoints of real runs that the fuzzer begins with, into the working directory; to
 * be run in tests/corpus/checkpoint when the format, or what a body has, changes. */
#include "../host/plan.h"
#include "../host/plan_text.h"
#include "../host/snapshot.h"
#include "../host/words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 40 };

static void must(int good, const char *what) {
  if (good) return;
  fprintf(stderr, "%s\n", what);
  abort();
}

static int is_past(void *data, const sd_report *report) {
  return report->done > *(const double *)data;
}

static void set(sd_plan *plan, const char *key, const char *value) {
  must(!sd_plan_set(plan, key, value), sd_plan_message(plan));
}

static sd_plan *small_plan(const char *problem, const char *methods) {
  const char *const settings[][2] = {{"bodies", "2"},  {"steps", "9"},        {"every", "3"},    {"final", "1"},
                                     {"threads", "1"}, {"trajectories", "1"}, {"output", "o.h5"}};
  sd_plan *plan;
  must(!sd_plan_create(&plan), "out of memory");
  set(plan, "problem", problem);
  set(plan, "method", methods);
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) set(plan, settings[i][0], settings[i][1]);
  return plan;
}

static void forget_previous(const char *name) {
  char previous[64];
  snprintf(previous, sizeof previous, "%s.previous", name);
  unlink(previous);
}

/* Runs until so much of it is done; takes the plan over. */
static void leave(sd_plan *plan, const char *name, double done) {
  sd_result *result;
  unlink(name);
  set(plan, "checkpoint", name);
  sd_plan_on_progress(plan, is_past, &done);
  sd_status status = sd_run(plan, &result);
  must(!status || status == SD_INTERRUPTED, sd_plan_message(plan));
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  forget_previous(name);
}

static int is_doubled(void *data, const sd_report *report) {
  (void)data;
  return report->time > 2;
}

/* In its third length. */
static void leave_longer(sd_plan *plan, const char *name) {
  sd_result *result;
  unlink(name);
  set(plan, "checkpoint", name);
  set(plan, "checkpoint-every", "0");
  sd_plan_on_progress(plan, is_doubled, NULL);
  must(sd_run(plan, &result) == SD_INTERRUPTED, sd_plan_message(plan));
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  forget_previous(name);
}

static void leave_study(void) {
  sd_plan *plans[] = {small_plan("stress", "vlv"), small_plan("stress", "vlv")};
  set(plans[1], "step", "0.25");
  for (int i = 0; i < 2; i++) must(!sd_plan_resolve(plans[i]), sd_plan_message(plans[i]));
  char *study = sd_plans_text(plans, 2);
  plans[1]->study = study;
  plans[1]->number = 2;
  leave(plans[1], "study", 0.1);
  sd_plan_destroy(plans[0]);
  free(study);
}

/* The file of a run in the middle, with one block replaced, by name. */
static void forge(const char *name, const char *tag, const void *data, size_t size) {
  sd_checkpoint *file;
  sd_error error = {0};
  sd_block block[BLOCKS];
  int used;
  must(!sd_checkpoint_load("midway", &file, &used, &error), error.message);
  size_t count = sd_checkpoint_count(file);
  must(count <= BLOCKS, "more blocks than there is room for");
  for (size_t i = 0; i < count; i++) {
    block[i] = sd_checkpoint_block(file, i);
    if (!strcmp(block[i].tag, tag)) block[i].data = data, block[i].size = size;
  }
  unlink(name);
  must(!sd_checkpoint_write(name, block, count, &error), error.message);
  sd_checkpoint_destroy(file);
  forget_previous(name);
}

int main(void) {
  const double rigid[7] = {1, 2, 3, 4, 1, 0, -1}, point[6] = {7000, 0, 1, 0, 7, 0};
  const char settings[] = "problem stress\nmethod vlv,eln\noutput x\n";
  unsigned char beyond[24], *to = beyond;
  sd_plan *plan = small_plan("stress", "vlv,eln");
  must(!sd_plan_set_starts(plan, 1, 1, rigid, 7), sd_plan_message(plan));
  leave(plan, "midway", 0.6);
  leave(small_plan("stress", "vlv,eln"), "complete", 1);
  leave(small_plan("stress", "vlv,eln"), "between", 0.499);
  plan = small_plan("orbit-elliptic", "verlet");
  set(plan, "impulse", "t=50,dv=0.1,0,0");
  must(!sd_plan_set_starts(plan, 0, 1, point, 6), sd_plan_message(plan));
  leave(plan, "orbit", 0.1);
  leave_study();
  plan = small_plan("stress", "vlv");
  set(plan, "until-decided", "yes");
  leave_longer(plan, "until");
  sd_put_word(&to, 2);
  sd_put_word(&to, 1);
  sd_put_reals(&to, rigid, 1);
  forge("beyond-the-methods", "position", beyond, sizeof beyond);
  forge("odd-position", "position", beyond, 8);
  forge("names-an-output", "study", settings, sizeof settings - 1);
  return 0;
}
