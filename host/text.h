/* text.h - a text that grows.  open_memstream, the C library's, loses what it has no memory for and does not say so. */
#ifndef SD_TEXT_H
#define SD_TEXT_H

#include <stdarg.h>
#include <stddef.h>

typedef struct {
  char *bytes;
  size_t length, room;
  int failed;
} sd_text;

/* After a failure nothing more is added. */
void sd_text_add(sd_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sd_text_add_list(sd_text *text, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
/* The whole, with a zero at its end, to be freed; NULL if any of it was lost. */
char *sd_text_take(sd_text *text);

/* Cuts the next item off a list with commas, which may be empty; NULL after the last. */
char *sd_next_item(char **list);

/* What so many of it are called: 1 body, 2 bodies. */
static inline const char *sd_plural(size_t count, const char *one, const char *many) {
  return count == 1 ? one : many;
}

#endif
