/* safe_file.h - replaces a file such that a reader sees the old one or the new one, never half of one.
 *
 * The bytes go to NAME.partial, which is synced and then renamed; a failure removes it and leaves NAME as it was.  A
 * program that is killed leaves NAME.partial behind, and the next one takes it over.  A lock on it keeps two programs
 * from writing the same file at once.
 *
 *   sd_safe_file file;
 *   SD_TRY(sd_safe_file_open(&file, path, error));
 *   sd_status status = sd_safe_file_write(&file, bytes, size, 0, error);
 *   return sd_safe_file_close(&file, status, SD_REPLACE, error); */
#ifndef SD_SAFE_FILE_H
#define SD_SAFE_FILE_H

#include "status.h"

typedef struct {
  char *path;      /* of the file that is to be, symbolic links followed */
  char *temporary; /* its name until then: libraries that write by themselves write here */
  int fd;          /* of the temporary, for reading and writing */
  int directory;   /* for its sync */
} sd_safe_file;

/* The version that was there is lost, or stays as NAME.previous.  NAME is there at every instant (on file systems
 * without hard links: NAME or NAME.previous). */
typedef enum { SD_REPLACE, SD_KEEP_PREVIOUS } sd_replacement;

/* Opens an empty temporary.  After a failure there is nothing to close. */
sd_status sd_safe_file_open(sd_safe_file *file, const char *path, sd_error *error);
sd_status sd_safe_file_write(const sd_safe_file *file, const void *bytes, size_t size, uint64_t offset,
                             sd_error *error);
/* Ends it, for good or ill: if all went well so far, the temporary becomes the file; otherwise it is removed and the
 * status handed in is returned. */
sd_status sd_safe_file_close(sd_safe_file *file, sd_status so_far, sd_replacement replacement, sd_error *error);

/* Could the file be written?  To be asked before a long run rather than after it; NAME is not touched. */
sd_status sd_safe_file_check(const char *path, sd_error *error);

/* ---- helpers that readers and writers share ---- */

/* All bytes, through short transfers and interruptions; -1 with errno set, and for a file that ends early errno 0. */
int sd_write_all(int fd, const void *bytes, size_t size, uint64_t offset);
int sd_read_all(int fd, void *bytes, size_t size, uint64_t offset);
/* Opens a regular file for reading and tells its size; -1 with errno set. */
int sd_open_regular(const char *path, uint64_t *size);
/* Does the file begin with this text?  What cannot be read does not. */
int sd_file_begins_with(const char *path, const char *text);
/* PATH with symbolic links followed (as given where there is no such file), then the suffix; to be freed, or NULL. */
char *sd_path_beside(const char *path, const char *suffix);
/* A path for a message: of a long one its end, so that there is room for the reason. */
const char *sd_path_shown(const char *path);

#endif
