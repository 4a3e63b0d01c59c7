#include "interrupt.h"

#include "commands.h"
#include "terminal.h"

#include <signal.h>
#include <unistd.h>

static sd_control control;

/* The first one asks to stop; a second leaves at once, which harms no file: all are replaced whole. */
static void on_stop(int number) {
  (void)number;
  if (sd_control_stopped(&control)) _exit(130);
  sd_control_stop(&control);
}

static void on_save(int number) {
  (void)number;
  sd_control_save(&control);
}

static void say_saved(void *data, const char *path) {
  char message[1100];
  (void)data;
  if (path) snprintf(message, sizeof message, "saved %s; going on", path);
  else snprintf(message, sizeof message, "nothing saved, there is no --checkpoint; going on");
  if (sd_terminal_of(stderr).rewrites) fputs("\r\033[K", stderr); /* where a line of progress may be */
  sd_say(message);
}

void sd_catch_signals(sd_plan *plan) {
  struct sigaction stop = {.sa_handler = on_stop}, save = {.sa_handler = on_save, .sa_flags = SA_RESTART}, before;
  sigaction(SIGINT, &stop, NULL);
  sigaction(SIGTERM, &stop, NULL);
  if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &stop, NULL); /* nohup */
  sigaction(SIGUSR1, &save, NULL);
  sd_plan_control(plan, &control);
  sd_plan_on_saved(plan, say_saved, NULL);
}
