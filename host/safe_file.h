/* safe_file.h - replaces a file such that a reader sees the old one or the new one, never half of one.
 *
 * The bytes go to NAME.partial, which is synced and then renamed; a failure removes it and leaves NAME as it was.  A
 * program that is killed leaves NAME.partial behind, and the next one takes it over; a NAME.partial of somebody else's
 * is not touched.  A lock on it keeps two programs from writing the same file at once.  The new file has the
 * permissions of the one that it replaces.
 *
 *   sd_safe_file file;
 *   SD_TRY(sd_safe_file_open(&file, path, error));
 *   sd_status status = sd_safe_file_write(&file, bytes, size, 0, error);
 *   return sd_safe_file_close(&file, status, SD_REPLACE, error); */
#ifndef SD_SAFE_FILE_H
#define SD_SAFE_FILE_H

#include "status.h"

#include <sys/types.h>

typedef struct {
  char *path;      /* of the file that is to be, symbolic links followed */
  char *temporary; /* its name until then: libraries that write by themselves write here */
  int fd;          /* of the temporary, for reading and writing */
  int directory;   /* for its sync */
  int replaces;    /* a file that is there, and whose these are: */
  mode_t mode;
  uid_t owner;
  gid_t group;
} sd_safe_file;

/* The version that was there is lost, or stays as NAME.previous unless it is empty.  NAME is there at every instant (on
 * file systems without hard links: NAME or NAME.previous). */
typedef enum { SD_REPLACE, SD_KEEP_PREVIOUS } sd_replacement;

/* Opens an empty temporary.  After a failure there is nothing to close.  SD_BAD_INPUT: something is there that is not
 * to be replaced, or is being written; SD_IO: a call failed. */
sd_status sd_safe_file_open(sd_safe_file *file, const char *path, sd_error *error);
sd_status sd_safe_file_write(const sd_safe_file *file, const void *bytes, size_t size, uint64_t offset,
                             sd_error *error);
/* Ends it, for good or ill: if all went well so far, the temporary becomes the file; otherwise it is removed and the
 * status handed in is returned. */
sd_status sd_safe_file_close(sd_safe_file *file, sd_status so_far, sd_replacement replacement, sd_error *error);

/* Could the file be written?  To be asked before a long run rather than after it; NAME is not touched.  SD_BAD_INPUT:
 * not under this name; SD_IO: not now. */
sd_status sd_safe_file_check(const char *path, sd_error *error);
/* Is PATH free, or a plain file?  SD_BAD_INPUT otherwise. */
sd_status sd_file_check_regular(const char *path, sd_error *error);
/* Is PATH with this suffix free, empty, or a file that begins with this text?  SD_BAD_INPUT otherwise; `kind` is what
 * the message says it should be, such as "a checkpoint". */
sd_status sd_file_check_ours(const char *path, const char *suffix, const char *magic, const char *kind,
                             sd_error *error);

/* ---- helpers that readers and writers share ---- */

/* Of an errno: does it lie in the name that was given, and not in the state of the system? */
int sd_reason_is_of_the_name(int reason);

/* All bytes, through short transfers and interruptions; -1 with errno set, and for a file that ends early errno 0. */
int sd_write_all(int fd, const void *bytes, size_t size, uint64_t offset);
int sd_read_all(int fd, void *bytes, size_t size, uint64_t offset);
/* Opens a regular file for reading and tells its size; -1 with errno set. */
int sd_open_regular(const char *path, uint64_t *size);
/* Does the file begin with this text?  What cannot be read does not. */
int sd_file_begins_with(const char *path, const char *text);
/* PATH with symbolic links at its end followed, also to a file that is not there yet, then the suffix; to be freed, or
 * NULL. */
char *sd_path_beside(const char *path, const char *suffix);
/* A path for a message: of a long one its end, so that there is room for the reason. */
const char *sd_path_shown(const char *path);

#endif
