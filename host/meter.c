#include "meter.h"

#include "commands.h"
#include "duration.h"
#include "number.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { BAR = 20 };
static const double between_rewrites = 0.2, between_lines = 10; /* seconds */

static double seconds_since(const struct timespec *t) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec - t->tv_sec) + 1e-9 * (double)(now.tv_nsec - t->tv_nsec);
}

sd_meter sd_meter_make(const sd_display *display, size_t runs) {
  sd_meter m = {.runs = runs, .terminal = sd_terminal_of(stderr), .from = -1};
  int watched =
      display->progress == SD_PROGRESS_ALWAYS || (display->progress == SD_PROGRESS_AUTO && isatty(STDERR_FILENO));
  m.show = watched && !display->quiet;
  return m;
}

void sd_meter_clear(const sd_meter *m) {
  if (m->show && m->terminal.rewrites) fputs("\r\033[K", stderr);
}

/* A checkpoint that cannot be saved, and that it can again, when it comes to that. */
static void tell_trouble(sd_meter *m, const char *trouble) {
  char message[600];
  if (!trouble == !m->in_trouble) return;
  m->in_trouble = trouble != NULL;
  sd_meter_clear(m);
  snprintf(message, sizeof message, "%.500s; the run goes on and tries again", trouble ? trouble : "");
  sd_say(trouble ? message : "the checkpoint is saved again");
}

/* What was done before, as by the process that left the checkpoint, took none of this one's time; and a run that is
 * made longer begins anew. */
static void count(sd_meter *m, double done) {
  if (m->from < 0 || done < m->done) {
    m->from = done;
    clock_gettime(CLOCK_MONOTONIC, &m->begun);
  }
  m->done = done;
}

typedef struct {
  int goes; /* how soon, where there is no room: the highest first */
  char text[64];
} piece;
enum { PIECES = 9 };

static void write_bar(double done, char text[64]) {
  memset(text, '.', BAR + 2);
  memset(text, '#', 1 + (size_t)(BAR * done));
  text[0] = '[', text[BAR + 1] = ']', text[BAR + 2] = 0;
}

/* Two looks are needed to know how fast it goes. */
static void write_time_left(const sd_meter *m, char text[64]) {
  char left[32] = "?";
  double ours = m->done - m->from;
  if (m->done >= 1) sd_duration_text(0, left);
  else if (ours > 0) sd_duration_text(seconds_since(&m->begun) * (1 - m->done) / ours, left);
  snprintf(text, 64, "%s left", left);
}

static void write_pieces(const sd_meter *m, const sd_report *r, piece p[PIECES]) {
  memset(p, 0, PIECES * sizeof *p);
  static const int goes[PIECES] = {0, 2, 8, 3, 4, 1, 5, 6, 7};
  for (int i = 0; i < PIECES; i++) p[i].goes = goes[i];
  write_bar(m->done, p[0].text);
  snprintf(p[1].text, sizeof p[1].text, "%-12s", r->method);
  if (m->until) sd_format(p[2].text, sizeof p[2].text, "to time %g", r->time);
  sd_format(p[3].text, sizeof p[3].text, "%.0f/%.0f M body-steps", 1e-6 * r->body_steps, 1e-6 * r->body_steps_total);
  sd_format(p[4].text, sizeof p[4].text, "%.1f M/s", 1e-6 * r->body_steps_per_second);
  write_time_left(m, p[5].text);
  sd_format(p[6].text, sizeof p[6].text, "|E-E0| %.1e", fabs(r->worst_error)); /* -0, too */
  snprintf(p[7].text, sizeof p[7].text, "%zu failed", r->failed);
  char share[16] = "";
  if (r->neighbour_share > 0) sd_format(share, sizeof share, ", %.1f %%", 100 * r->neighbour_share);
  if (r->neighbour_rebuilds > 0)
    sd_format(p[8].text, sizeof p[8].text, "neighbours %.0f times%s", r->neighbour_rebuilds, share);
}

/* The pieces for which there is room, and one column to spare: a full line would go on in the next. */
static void write_line(const piece p[PIECES], int width, char line[PIECES * 66]) {
  int last = PIECES;
  size_t length;
  do {
    length = 0;
    line[0] = 0;
    for (int i = 0; i < PIECES; i++)
      if (p[i].goes <= last && *p[i].text) {
        const char *space = !length ? "" : i > 3 ? ", " : " ";
        length += (size_t)snprintf(line + length, PIECES * 66 - length, "%s%s", space, p[i].text);
      }
  } while (length >= (size_t)width && last-- >= 0);
}

int sd_meter_tell(void *data, const sd_report *r) {
  sd_meter *m = data;
  piece pieces[PIECES];
  char line[PIECES * 66];
  int rewrites = m->terminal.rewrites;
  tell_trouble(m, r->trouble);
  count(m, ((double)m->run + r->done) / (double)m->runs);
  double pause = rewrites ? between_rewrites : between_lines; /* a first line comes at once: it is at work */
  if (!m->show || (m->done < 1 && m->shown.tv_sec && seconds_since(&m->shown) < pause)) return 0;
  clock_gettime(CLOCK_MONOTONIC, &m->shown);
  write_pieces(m, r, pieces);
  write_line(pieces, sd_terminal_of(stderr).width, line); /* it may have been changed */
  if (rewrites) fprintf(stderr, "\r%s%s", line, m->done < 1 ? "\033[K" : "\r\033[K");
  else fprintf(stderr, "%s\n", line);
  fflush(stderr);
  return 0;
}
