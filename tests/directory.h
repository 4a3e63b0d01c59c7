/* directory.h - a directory for a test, with a file in it that is written, looked at and damaged; after cmocka.h. */
#ifndef DIRECTORY_H
#define DIRECTORY_H

#include "../host/status.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[64], path[80], previous[96], partial[96];

static inline int make_directory(void **state) {
  (void)state;
  strcpy(directory, "/tmp/spindrift-files-XXXXXX");
  if (!mkdtemp(directory)) return -1;
  snprintf(path, sizeof path, "%s/file", directory);
  snprintf(previous, sizeof previous, "%s.previous", path);
  snprintf(partial, sizeof partial, "%s.partial", path);
  return 0;
}

static inline void empty_directory(void) {
  DIR *listing = opendir(directory);
  assert_non_null(listing);
  for (struct dirent *entry; (entry = readdir(listing));) {
    char name[512];
    if (entry->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s", directory, entry->d_name);
    if (unlink(name)) rmdir(name);
  }
  closedir(listing);
}

static inline int remove_directory(void **state) {
  (void)state;
  empty_directory();
  return rmdir(directory);
}

static inline int is_there(const char *name) {
  return !access(name, F_OK);
}

/* Nothing but NAME and NAME.previous. */
static inline void assert_no_leftovers(void) {
  DIR *listing = opendir(directory);
  for (struct dirent *entry; (entry = readdir(listing));)
    if (entry->d_name[0] != '.' && strcmp(entry->d_name, "file") && strcmp(entry->d_name, "file.previous"))
      fail_msg("left over: %s", entry->d_name);
  closedir(listing);
}

typedef struct {
  unsigned char *byte;
  size_t size;
} content;

static inline content read_content(const char *name) {
  content c = {malloc(1 << 24), 0};
  FILE *file = fopen(name, "rb");
  if (!file) fail_msg("%s: %s", name, strerror(errno));
  c.size = fread(c.byte, 1, 1 << 24, file);
  fclose(file);
  return c;
}

static inline void write_content(const char *name, const void *bytes, size_t size) {
  FILE *file = fopen(name, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, size, file), size);
  assert_int_equal(fclose(file), 0);
}

static inline int has_content(const char *name, const content *wanted) {
  if (!is_there(name)) return 0;
  content c = read_content(name);
  int same = c.size == wanted->size && !memcmp(c.byte, wanted->byte, c.size);
  free(c.byte);
  return same;
}

/* One line that names the file. */
static inline void assert_clear(const sd_error *error, const char *says) {
  if (!strstr(error->message, "file") || strchr(error->message, '\n') || !strstr(error->message, says))
    fail_msg("'%s' should name the file and say '%s'", error->message, says);
}

static inline void assert_text(const char *name, const char *text) {
  content wanted = {(unsigned char *)(uintptr_t)text, strlen(text)};
  if (!has_content(name, &wanted)) fail_msg("%s is not '%s'", name, text);
}

#endif
