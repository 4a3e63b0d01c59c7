/* commands.h - the verbs behind the command line, and what they share. */
#ifndef SD_COMMANDS_H
#define SD_COMMANDS_H

#include "plan.h"

enum { SD_OPTIONS_MAX = 64 };

typedef struct {
  sd_plan *plan; /* with the options set */
  struct {
    const char *key, *value;
  } setting[SD_OPTIONS_MAX]; /* the same options, in their order */
  size_t setting_count;
  const char *study; /* run: the file, if one is named */
  int json, quiet, series;
  int progress; /* -1 never, 0 on a terminal, 1 always */
  const char *steps; /* order: list of steps */
  const char *variants, *problems; /* bench: lists */
} sd_request;

int sd_exit_status(sd_status status);
/* One line on stderr, whatever the message has in it. */
void sd_say(const char *message);
/* Says the plan's message; returns the exit status. */
int sd_complain(const sd_plan *plan, sd_status status);

int sd_command_run(const sd_request *request);
int sd_command_methods(const sd_request *request);
int sd_command_problems(const sd_request *request);
int sd_command_order(const sd_request *request);
int sd_command_bench(const sd_request *request);
int sd_command_devices(const sd_request *request);
int sd_command_selftest(const sd_request *request);

#endif
