/* options.h - the options of a run, one line each of one list.  From it come the settings of a plan, the command line
 * and its help, the keys of a study, and what files say of a plan.
 *
 * Options that a family has of its own, the deviations of its starts, stand in the family's table; the list has a place
 * for them. */
#ifndef SD_OPTIONS_H
#define SD_OPTIONS_H

#include "registry.h"

typedef enum {
  SD_OPTION_TEXT,         /* char[size] */
  SD_OPTION_PATH,         /* char *, of any length */
  SD_OPTION_POSITIVE,     /* double */
  SD_OPTION_NOT_NEGATIVE, /* double */
  SD_OPTION_UNSIGNED,     /* uint64_t, size_t */
  SD_OPTION_INTEGER,      /* int64_t */
  SD_OPTION_INT,          /* int */
  SD_OPTION_CHOICE,       /* int: which of the words */
  SD_OPTION_FLAG,         /* int; it has no value */
  SD_OPTION_PROBLEM,      /* char[size] */
  SD_OPTION_METHODS,      /* char[size]: a list with commas */
  SD_OPTION_PARAMETER,    /* NAME=VALUE[,VALUE,VALUE] */
  SD_OPTION_IMPULSE,      /* t=T,dv=X,Y,Z[,size=S][,angle=A] */
  SD_OPTION_SPREAD        /* double, in the list of those that were given */
} sd_option_kind;

/* What an option is about, which says who takes it. */
enum {
  SD_ABOUT_ENSEMBLE = 1, /* what is integrated, */
  SD_ABOUT_SAMPLES = 2,  /* when it is looked at, */
  SD_ABOUT_STATES = 4,   /* whose states are kept: */
  SD_ABOUT_SCIENCE = 7,  /* this is what files say of a plan */
  SD_ABOUT_MACHINE = 8,  /* where it is done */
  SD_ABOUT_OUTPUT = 16,
  SD_ABOUT_CHECKPOINT = 32,
  SD_ABOUT_SAVING = 64,   /* how often a checkpoint is saved */
  SD_ABOUT_PLAN = 127,    /* all that sd_plan_set takes; the others are the command line's alone: */
  SD_ABOUT_FORMAT = 128,  /* of what is printed */
  SD_ABOUT_NOTES = 256,   /* beside it */
  SD_ABOUT_DISPLAY = 512, /* of a run, while it goes on and after it */
  SD_ABOUT_MEMBER = 1024, /* a single one of an ensemble */
  SD_ABOUT_ROUNDS = 2048  /* of measuring */
};

/* Options that are given together: a later source that gives one of a group replaces all of it. */
enum { SD_NO_GROUP, SD_LENGTH, SD_IMPULSES, SD_SIZE, SD_FIRST, SD_GROUPS };

/* An array in a study. */
enum {
  SD_NOT_LISTED,
  SD_LISTED_JOINED,   /* with commas, as one value */
  SD_LISTED_REPEATED, /* as if given again and again */
  SD_LISTED_RUNS      /* a run for each */
};

typedef struct {
  const char *key, *synonym;
  const char *name; /* the one of the two that was looked for */
  sd_option_kind kind;
  int about;
  const char *placeholder;     /* of the value, in the help */
  const char *text;            /* what it is, in the help and in files */
  const char *value;           /* by default, as it would be given, or NULL */
  const sd_start_array *start; /* of a family's own option: what spreads, and by how much where nothing is given */
  const char *otherwise;       /* what the default is or means, in words, or NULL */
  uint64_t low, high;          /* of a whole number */
  uint64_t multiple;           /* that it must be of; 0: of none */
  const char *words;           /* of a choice, with bars in between */
  int listed;                  /* what an array in a study means, which is not for others */
  int group;
  size_t offset, size; /* in sd_plan, or in sd_display: where what was given goes */
  size_t resolved;     /* in sd_plan: the number that files have; 0: none */
} sd_option;

/* What the command line alone is told. */
enum { SD_ROUNDS_MOST = 99 };
typedef struct {
  int json, quiet, series, trajectory;
  enum { SD_PROGRESS_AUTO, SD_PROGRESS_ALWAYS, SD_PROGRESS_NEVER } progress;
  char member[64];
  int rounds;
} sd_display;

/* The options in the order of the list, with those of all families; 0 after the last. */
int sd_option_at(size_t index, sd_option *option);
/* By either of its names; 0 if there is none. */
int sd_option_find(const char *name, sd_option *option);

/* For people: what it is, and the default, or "". */
enum { SD_OPTION_ROOM = 160 };
const char *sd_option_text(const sd_option *option, char text[SD_OPTION_ROOM]);
const char *sd_option_default(const sd_option *option, char text[SD_OPTION_ROOM]);

void sd_display_set_defaults(sd_display *display);
/* Of one that is not the plan's. */
sd_status sd_display_set(sd_display *display, const sd_option *option, const char *value, sd_error *error);

#endif
