/* file_lock.h - a file that one run has to itself for as long as it takes: NAME.lock, with the number of its process.
 *
 * The system holds the lock, and lets it go when the process ends, however it ends; a NAME.lock that is left then stops
 * nobody.  Where there are no locks (some network file systems) there is none, and nothing is said. */
#ifndef SD_FILE_LOCK_H
#define SD_FILE_LOCK_H

#include "status.h"

typedef struct {
  char *path; /* of NAME.lock; NULL: none is held */
  int fd;
} sd_file_lock;

#define SD_NO_LOCK ((sd_file_lock){.fd = -1})

/* SD_BAD_INPUT: another run has it, or what is at NAME.lock is not ours, or it cannot be there; SD_IO: not now. */
sd_status sd_file_lock_take(sd_file_lock *lock, const char *path, sd_error *error);
/* Removes it.  Of a lock that is not held: nothing. */
void sd_file_lock_release(sd_file_lock *lock);

#endif
