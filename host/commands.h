/* commands.h - the verbs behind the command line, and what they share. */
#ifndef SD_COMMANDS_H
#define SD_COMMANDS_H

#include "display.h"

enum { SD_OPTIONS_MAX = 64 };

typedef struct {
  sd_plan *plan; /* with the options set */
  struct {
    const char *key, *value;
  } setting[SD_OPTIONS_MAX]; /* the same options, in their order */
  size_t setting_count;
  const char *file;   /* the one that is named: a study, a checkpoint, a result */
  const char **files; /* merge: all of them */
  size_t file_count;
  const struct sd_study *study; /* what that says, if it is one */
  sd_display display;
  const char *steps;                                    /* order, precision: a list */
  const char *backends, *variants, *devices, *problems; /* bench: lists */
  const char *plot;                                     /* a picture to draw */
  const char *output;                                   /* report, plot, figure, export: where what they make goes */
  const char *method, *member;                          /* export: of whose states */
} sd_request;

enum { SD_EXIT_DRIFT = 4 }; /* done, and what was asked to be told apart */
int sd_exit_status(sd_status status);
/* The processes that this one runs with, or NULL. */
sd_ranks *sd_cli_ranks(void);
/* Whether the command line gives this option to the plan. */
int sd_request_sets(const sd_request *request, const char *key);
/* What a run of the plan has for an option that is a whole number. */
sd_status sd_whole_of(sd_plan *plan, const char *key, long long *value);
/* A family by its id, and its place in the list. */
size_t sd_family_of(const char *id, sd_family_info *family);
/* One line on stderr, whatever the message has in it; of several processes that run together, by the first alone. */
void sd_say(const char *message);
/* Says the plan's message; returns the exit status. */
int sd_complain(const sd_plan *plan, sd_status status);

/* sd_claim_files for plans of the request; the message has the line of the study that is at fault. */
sd_status sd_request_claim(const sd_request *request, sd_plan *const *plans, size_t count, sd_claim **claim,
                           char message[512]);

/* Runs plans one after the other, with progress, and shows and saves their results, which are to have the digests of
 * the plans if they are to be compared.  Takes the plans over; returns the exit status. */
int sd_run_plans(const sd_request *request, sd_plan **plans, size_t count, int compares);

/* What the plans would do, without doing it; returns the exit status. */
int sd_try_plans(const sd_request *request, sd_plan *const *plans, size_t count);
/* The results of plans as comma-separated values. */
void sd_print_csv(FILE *to, sd_plan *const *plans, const sd_result *const *results, size_t count);

/* Whether a word names a file with a problem or a method of one's own; takes it into the plan, as a problem or as a
 * method, and says its id; finds a problem that the plan's method can run, and a parameter for it, or "". */
int sd_is_own(const char *name);
sd_status sd_plan_take_own(sd_plan *plan, const char *kind, const char *file, char id[32]);
sd_status sd_plan_fit(sd_plan *plan, char problem[32], char fit[32]);

int sd_command_run(const sd_request *request);
int sd_command_resume(const sd_request *request);
int sd_command_rerun(const sd_request *request);
int sd_command_export(const sd_request *request);
int sd_command_merge(const sd_request *request);
int sd_command_info(const sd_request *request);
int sd_command_verify(const sd_request *request);
int sd_command_methods(const sd_request *request);
int sd_command_problems(const sd_request *request);
int sd_command_order(const sd_request *request);
int sd_command_bench(const sd_request *request);
int sd_command_devices(const sd_request *request);
int sd_command_selftest(const sd_request *request);
int sd_command_precision(const sd_request *request);
int sd_command_plot(const sd_request *request);
int sd_command_report(const sd_request *request);
int sd_command_manual(const sd_request *request);
int sd_command_completion(const sd_request *request);
int sd_command_check(const sd_request *request); /* these three in papers/ */
int sd_command_properties(const sd_request *request);
int sd_command_figure(const sd_request *request);

#endif
