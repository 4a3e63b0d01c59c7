#define _XOPEN_SOURCE 700 /* for stacks of handlers */
#include "guard.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>

enum { CRASHES = 4, STACK = 1 << 16 };
static const int crashes[CRASHES] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
static struct sigaction before[CRASHES];
static pthread_once_t installed = PTHREAD_ONCE_INIT;

static _Thread_local sigjmp_buf *way_out; /* NULL: no call of ours is on the way */

/* A crash elsewhere is the business of whoever caught it before us: it happens again, and then it is theirs. */
static void on_crash(int number) {
  if (way_out) siglongjmp(*way_out, number);
  for (int i = 0; i < CRASHES; i++)
    if (crashes[i] == number) sigaction(number, &before[i], NULL);
}

static void install(void) {
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
  for (int i = 0; i < CRASHES; i++) sigaction(crashes[i], &action, &before[i]);
}

/* The handler has a stack of its own: what overflows may be that of the call. */
int sd_guarded(void (*call)(void *), void *data) {
  char stack[STACK];
  sigjmp_buf here;
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack}, old;
  pthread_once(&installed, install);
  if (sigaltstack(&other, &old)) return call(data), 0;
  int crashed = sigsetjmp(here, 1);
  if (!crashed) {
    way_out = &here;
    call(data);
  }
  way_out = NULL;
  sigaltstack(&old, NULL);
  return crashed;
}

void sd_guard_leave(int number) {
  if (way_out) siglongjmp(*way_out, number);
}

const char *sd_crash_text(int number) {
  switch (number) {
  case SIGSEGV: return "it reached for memory that is not its own";
  case SIGBUS: return "it reached for memory that is not there";
  case SIGFPE: return "it divided a whole number by zero";
  default: return "an instruction that the processor does not know";
  }
}
