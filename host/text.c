#include "text.h"

#include "number.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Room for so many more characters and a zero. */
static int make_room(sd_text *text, size_t more) {
  if (text->bytes && more < text->room - text->length) return 1;
  if (more >= SIZE_MAX / 2 - text->length) return 0;
  size_t wanted = text->length + more + 1, room = wanted < SIZE_MAX / 4 ? 2 * wanted : wanted;
  char *bytes = realloc(text->bytes, room);
  if (!bytes) return 0;
  text->bytes = bytes;
  text->room = room;
  return 1;
}

void sd_text_add(sd_text *text, const char *format, ...) {
  va_list arguments;
  if (text->failed) return;
  va_start(arguments, format);
  int length = sd_format_list(NULL, 0, format, arguments);
  va_end(arguments);
  text->failed = length < 0 || !make_room(text, (size_t)length);
  if (text->failed) return;
  va_start(arguments, format);
  text->failed = sd_format_list(text->bytes + text->length, (size_t)length + 1, format, arguments) != length;
  va_end(arguments);
  text->length += (size_t)length;
}

char *sd_text_take(sd_text *text) {
  sd_text_add(text, "%s", ""); /* so that an empty text is one, too */
  sd_text whole = *text;
  *text = (sd_text){0};
  if (!whole.failed) return whole.bytes;
  free(whole.bytes);
  return NULL;
}
