/* command_run.c - spindrift run: progress on stderr, the comparison on stdout. */
#include "commands.h"

#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_signal(int number) {
  (void)number;
  interrupted = 1;
}

typedef struct {
  int show;
  time_t begun;
} progress_line;

static int on_progress(void *data, const char *method, double done) {
  progress_line *line = data;
  if (line->show) {
    double taken = difftime(time(NULL), line->begun);
    fprintf(stderr, "\r%3.0f %%  %-14s %.0f s left   ", 100 * done, method, done > 0 ? taken * (1 - done) / done : 0);
    if (done >= 1) fputs("\r\033[K", stderr);
    fflush(stderr);
  }
  return interrupted;
}

int sd_command_run(const sd_request *r) {
  progress_line line = {r->progress > 0 || (r->progress == 0 && isatty(STDERR_FILENO)), time(NULL)};
  sd_plan_on_progress(r->plan, on_progress, &line);
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sd_result *result;
  sd_status status = sd_run(r->plan, &result);
  if (line.show && status == SD_INTERRUPTED) fputc('\n', stderr);
  if (!result) return sd_complain(r->plan, status);
  if (*r->plan->skipped && !r->quiet)
    fprintf(stderr, "spindrift: not run, for spherical bodies only: %s\n", r->plan->skipped);
  sd_status written = r->json ? sd_result_write_json(result, stdout) : sd_result_write_table(result, stdout);
  sd_result_destroy(result);
  if (written) {
    fprintf(stderr, "spindrift: cannot write the result to standard output\n");
    return 1;
  }
  return sd_complain(r->plan, status);
}
