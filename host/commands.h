/* commands.h - the verbs behind the command line, and what they share. */
#ifndef SD_COMMANDS_H
#define SD_COMMANDS_H

#include "plan.h"

typedef struct {
  sd_plan *plan;
  int json, quiet;
  int progress; /* -1 never, 0 on a terminal, 1 always */
  const char *steps; /* order: list of steps */
  const char *variants; /* bench: list of isas */
} sd_request;

int sd_exit_status(sd_status status);
/* One line on stderr; returns the exit status. */
int sd_complain(const sd_plan *plan, sd_status status);

int sd_command_run(const sd_request *request);
int sd_command_methods(const sd_request *request);
int sd_command_problems(const sd_request *request);
int sd_command_order(const sd_request *request);
int sd_command_bench(const sd_request *request);
int sd_command_devices(const sd_request *request);

#endif
