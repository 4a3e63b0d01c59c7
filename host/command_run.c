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
  struct timespec begun, shown;
} progress_line;

static double seconds_since(const struct timespec *t) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - t->tv_sec) + 1e-9 * (double)(now.tv_nsec - t->tv_nsec);
}

/* A bar of twenty characters, rewritten in place a few times a second. */
static int on_progress(void *data, const sd_report *r) {
  progress_line *line = data;
  if (!line->show || (r->done < 1 && seconds_since(&line->shown) < 0.2)) return interrupted;
  clock_gettime(CLOCK_MONOTONIC, &line->shown);
  double taken = seconds_since(&line->begun), left = r->done > 0 ? taken * (1 - r->done) / r->done : 0;
  char bar[21];
  for (int i = 0; i < 20; i++) bar[i] = i < (int)(20 * r->done) ? '#' : '.';
  bar[20] = 0;
  fprintf(stderr, "\r[%s] %3.0f %%  %-12s %.1f M body-steps/s  %.0f s left  |E-E0| %.1e", bar, 100 * r->done, r->method,
          1e-6 * r->body_steps_per_second, left, r->worst_error);
  if (r->failed) fprintf(stderr, "  %zu failed", r->failed);
  fputs(r->done < 1 ? "\033[K" : "\r\033[K", stderr);
  fflush(stderr);
  return interrupted;
}

int sd_command_run(const sd_request *r) {
  progress_line line = {.show = !r->quiet && (r->progress > 0 || (r->progress == 0 && isatty(STDERR_FILENO)))};
  clock_gettime(CLOCK_MONOTONIC, &line.begun);
  sd_plan_on_progress(r->plan, on_progress, &line);
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sd_result *result;
  sd_status status = sd_run(r->plan, &result);
  if (line.show && status == SD_INTERRUPTED) fputc('\n', stderr);
  if (!result || !sd_result_count(result)) sd_result_destroy(result), result = NULL;
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
