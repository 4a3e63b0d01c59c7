#include "interrupt.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

/* The first one asks to stop; a second leaves at once, which harms no file: all are replaced whole. */
static void on_signal(int number) {
  (void)number;
  if (interrupted) _exit(130);
  interrupted = 1;
}

void sd_catch_signals(sd_plan *plan) {
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sd_plan_stop_on(plan, &interrupted);
}
