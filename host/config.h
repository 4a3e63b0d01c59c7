/* config.h - study files: TOML in; out come runs, each a list of settings as sd_plan_set takes them. */
#ifndef SD_CONFIG_H
#define SD_CONFIG_H

#include "spindrift.h"

#ifdef __cplusplus
extern "C" {
#endif

#include "status.h" /* in here, for config.cpp calls sd_fail, which is C */

typedef struct {
  char *key;
  char *value;
  int line; /* of the file: where the value stands */
} sd_setting;

/* One combination of what a study may list: problems, sizes, steps, seeds.  What the file leaves out is not set, and
 * has the plan's default. */
typedef struct {
  sd_setting *setting;
  size_t count;
} sd_study_run;

typedef struct sd_study {
  sd_study_run *run; /* problems outside, then sizes, steps and seeds, all in the order of the file */
  size_t count;
  char *title; /* or NULL */
  int series;  /* wanted in the JSON */
} sd_study;

/* Reads the keys and their types; names and ranges of the values are for sd_plan_set and sd_run to judge.  After a
 * failure the study is empty, and the message begins with the file and, where there is one, the line. */
sd_status sd_study_read(sd_study *study, const char *path, sd_error *error);
void sd_study_destroy(sd_study *study);

#ifdef __cplusplus
}
#endif
#endif
