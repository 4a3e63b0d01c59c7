/* verbs.h - what the command line can be asked to do: one line per verb, and which options are a verb's.  Help, manual
 * and completion are made of it. */
#ifndef SD_VERBS_H
#define SD_VERBS_H

#include "commands.h"

typedef struct {
  const char *name;
  int (*command)(const sd_request *);
  const char *file; /* what it may be given without a dash, or NULL */
  const char *summary, *usage;
  int takes; /* what the options that it takes are about */
} sd_verb;

/* NULL after the last, or if there is none of that name. */
const sd_verb *sd_verb_at(size_t index);
const sd_verb *sd_verb_find(const char *name);
/* What the word without a dash is, or NULL. */
const char *sd_verb_file(const sd_verb *verb);

int sd_verb_takes(const sd_verb *verb, const sd_option_info *option);
/* Where in the request an option goes that is not for the plan with this verb, a list for instance; or NULL. */
const char **sd_verb_place(const sd_verb *verb, const char *key, sd_request *request);
/* What a verb's help has of an option: "--key VALUE", and what it is with its default. */
typedef struct {
  char left[64], right[560];
} sd_option_help;
void sd_verb_help(const sd_verb *verb, const sd_option_info *option, sd_option_help *help);

/* For a terminal: all verbs, and one with its options. */
void sd_help(void);
void sd_help_verb(const sd_verb *verb);

#endif
