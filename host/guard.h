/* guard.h - calls into code that is not ours: a crash in it ends the call, not the program.
 *
 * Kernels are pure arithmetic: they hold no lock and no memory when they are left in the middle. */
#ifndef SD_GUARD_H
#define SD_GUARD_H

/* Returns 0, or the signal that the call would have died of; on any thread. */
int sd_guarded(void (*call)(void *data), void *data);
/* Where a call cannot be left in the middle, as others wait for it: a crash anywhere ends the program as it would, but
 * says first that `name` crashed; NULL: nobody is to be named any more. */
void sd_guard_name(const char *name);
/* What that is, for people. */
const char *sd_crash_text(int signal);

#endif
