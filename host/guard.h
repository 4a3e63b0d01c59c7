/* guard.h - calls into code that is not ours: a crash in it ends the call, not the program.
 *
 * Kernels are pure arithmetic: they hold no lock and no memory when they are left in the middle. */
#ifndef SD_GUARD_H
#define SD_GUARD_H

/* Returns 0, or the signal that the call would have died of; on any thread. */
int sd_guarded(void (*call)(void *data), void *data);
/* Leaves the guarded call that this thread is in, as if it had died of the signal here: for who waits for another that
 * did. */
void sd_guard_leave(int signal);
/* What that is, for people. */
const char *sd_crash_text(int signal);

#endif
