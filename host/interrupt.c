#include "interrupt.h"

#include <signal.h>

static volatile sig_atomic_t interrupted;

static void on_signal(int number) {
  (void)number;
  interrupted = 1;
}

void sd_catch_signals(sd_plan *plan) {
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sd_plan_stop_on(plan, &interrupted);
}
