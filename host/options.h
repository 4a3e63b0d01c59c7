/* options.h - the options of a run, one line each of one list.  From it come the settings of a plan, sd_list_option
 * and with it the command line, its help and the keys of a study, and what files say of a plan.
 *
 * Options that a family has of its own, the deviations of its starts, stand in the family's table; the list has a place
 * for them. */
#ifndef SD_OPTIONS_H
#define SD_OPTIONS_H

#include "registry.h"

/* Options that are given together: a later source that gives one of a group replaces all of it. */
enum { SD_NO_GROUP, SD_LENGTH, SD_IMPULSES, SD_BURNS, SD_EVENTS, SD_SIZE, SD_FIRST, SD_SWEEPS, SD_SCATTERS, SD_GROUPS };

/* Parts of a whole, which merge.c puts together: ranges of members, or of the points of a sweep.  Only of the latter is
 * there more in files than of the whole: which points. */
enum { SD_OF_WHOLE, SD_OF_PARTS, SD_OF_MEMBERS, SD_OF_POINTS };

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
  size_t offset, size; /* in sd_plan: where what was given goes, among its settings or to its place */
  size_t resolved;     /* in sd_specification: the number that a run has, or 0 */
  int derived;         /* that number follows from others, which files have */
  int own;             /* of which parts of a whole it may differ, where their plans are the same otherwise */
  size_t found;        /* in sd_plan: the number that its place has in the end, or 0: as given */
} sd_option;

/* The options in the order of the list, with those of all families; 0 after the last. */
int sd_option_at(size_t index, sd_option *option);
/* By either of its names; 0 if there is none. */
int sd_option_find(const char *name, sd_option *option);

/* For people: what it is, and the default, or "". */
enum { SD_OPTION_ROOM = 160 };
const char *sd_option_text(const sd_option *option, char text[SD_OPTION_ROOM]);
const char *sd_option_default(const sd_option *option, char text[SD_OPTION_ROOM]);

#endif
