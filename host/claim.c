#define _XOPEN_SOURCE 700
#include "claim.h"

#include "checkpoint.h"
#include "output_file.h"
#include "safe_file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- names ---- */

static const char *const names_of_output[] = {"",
                                              ".partial",
                                              ".previous",
                                              ".previous.partial",
                                              ".lock",
                                              ".incomplete",
                                              ".incomplete.partial",
                                              ".incomplete.previous",
                                              ".incomplete.previous.partial"};
static const char *const names_of_checkpoint[] = {"", ".partial", ".previous", ".previous.partial", ".lock"};
enum {
  OUTPUT_NAMES = sizeof names_of_output / sizeof *names_of_output,
  CHECKPOINT_NAMES = sizeof names_of_checkpoint / sizeof *names_of_checkpoint
};

/* A name without its spelling: in which directory, and what it is called there. */
typedef struct {
  char *path, *name;
  dev_t device;
  ino_t directory;
} place;

static void leave(place *p) {
  free(p->path);
}

/* 0: in no directory that there is, and so in nobody's way. */
static int find_place(place *p, const char *path, const char *suffix) {
  struct stat about = {0};
  *p = (place){.path = sd_path_beside(path, suffix)};
  if (!p->path) return 0;
  char *slash = strrchr(p->path, '/');
  p->name = slash ? slash + 1 : p->path;
  char kept = *p->name;
  if (slash) *p->name = 0; /* up to the slash, for a moment */
  int found = !stat(slash ? p->path : ".", &about);
  *p->name = kept;
  p->device = about.st_dev;
  p->directory = about.st_ino;
  return found;
}

static int same_place(const char *a, const char *a_suffix, const char *b, const char *b_suffix) {
  place p, q;
  int found = find_place(&p, a, a_suffix) & find_place(&q, b, b_suffix);
  int same = found && p.device == q.device && p.directory == q.directory && !strcmp(p.name, q.name);
  leave(&p);
  leave(&q);
  return same;
}

static sd_status check_pair(const char *output, const char *checkpoint, sd_error *error) {
  for (int i = 0; i < OUTPUT_NAMES; i++)
    for (int k = 0; k < CHECKPOINT_NAMES; k++)
      if (same_place(output, names_of_output[i], checkpoint, names_of_checkpoint[k]))
        return sd_fail(error, SD_BAD_INPUT,
                       "output and checkpoint would both write %.200s%s; give one of them another name",
                       sd_path_shown(output), names_of_output[i]);
  return SD_OK;
}

static sd_status check_names(const sd_intent *w, sd_error *error) {
  if (!*w->output) return SD_OK;
  for (int i = 1; i < OUTPUT_NAMES && w->input; i++) /* the file itself may be written again: it stays as .previous */
    if (same_place(w->output, names_of_output[i], w->input, ""))
      return sd_fail(error, SD_BAD_INPUT, "%.200s is read, and output would write it too; give --output another name",
                     sd_path_shown(w->input));
  if (!*w->checkpoint) return SD_OK;
  SD_TRY(check_pair(w->output, w->checkpoint, error));
  for (size_t i = 0; i < w->count; i++) SD_TRY(check_pair(w->output, w->checkpoints[i], error));
  return SD_OK;
}

/* ---- files ---- */

/* The run itself takes the lock again, and keeps it. */
static sd_status check_checkpoint(const char *path, sd_error *error) {
  sd_file_lock lock;
  SD_TRY(sd_file_lock_take(&lock, path, error));
  sd_status status = sd_checkpoint_check(path, error);
  sd_file_lock_release(&lock);
  return status;
}

static sd_status lock_output(const char *path, sd_file_lock *lock, sd_error *error) {
  SD_TRY(sd_file_lock_take(lock, path, error));
  sd_status status = sd_output_check(path, error);
  if (status) sd_file_lock_release(lock);
  return status;
}

sd_status sd_claim_files(const sd_intent *w, sd_file_lock *output, sd_error *error) {
  *output = SD_NO_LOCK;
  SD_TRY(check_names(w, error));
  for (size_t i = 0; i < w->count && *w->checkpoint; i++) SD_TRY(check_checkpoint(w->checkpoints[i], error));
  return *w->output ? lock_output(w->output, output, error) : SD_OK;
}
