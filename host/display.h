/* display.h - the options of the command line: those of a plan, and its own, which say what is shown of a run. */
#ifndef SD_DISPLAY_H
#define SD_DISPLAY_H

#include "status.h"

/* What its own are about, beside what those of a plan are. */
enum {
  SD_ABOUT_FORMAT = 1 << 16,                /* of what is printed */
  SD_ABOUT_NOTES = 1 << 17,                 /* beside it */
  SD_ABOUT_DISPLAY = 1 << 18,               /* of a run, while it goes on and after it */
  SD_ABOUT_MEMBER = 1 << 19,                /* a single one of an ensemble */
  SD_ABOUT_ROUNDS = 1 << 20,                /* of measuring */
  SD_ABOUT_TRIAL = 1 << 21,                 /* what would be done */
  SD_ABOUT_DETAIL = 1 << 22,                /* of a file */
  SD_ABOUT_PICTURE = 1 << 23,               /* of what was measured */
  SD_ABOUT_FIGURES = 1 << 24,               /* of the literature */
  SD_ABOUT_EXPORT = 1 << 25,                /* to other programs */
  SD_ABOUT_SHOWING = ~(SD_ABOUT_FORMAT - 1) /* any of these */
};

enum { SD_ROUNDS_MOST = 99 };
typedef struct {
  int json, csv, quiet, series, trajectory, fail_on_drift, dry_run, verbose, source, quick, png;
  enum { SD_PROGRESS_AUTO, SD_PROGRESS_ALWAYS, SD_PROGRESS_NEVER } progress;
  const char *member; /* or NULL */
  int rounds;
  const char *format; /* of other programs, or NULL */
  const char *run;    /* of several in a file, or NULL */
  const char *map, *map_of;
} sd_display;

/* All of them, a plan's first; 0 after the last.  One that takes no value has no placeholder. */
int sd_line_option_at(size_t index, sd_option_info *option);
/* By either of its names; 0 if there is none. */
int sd_line_option_find(const char *name, sd_option_info *option);

sd_display sd_display_defaults(void);
/* Of one that is not the plan's. */
sd_status sd_display_set(sd_display *display, const char *key, const char *value, sd_error *error);

#endif
