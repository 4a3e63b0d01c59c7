#include "text.h"

#include "number.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Into the room that there is, and again if that was too little. */
void sd_text_add_list(sd_text *text, const char *format, va_list arguments) {
  va_list again;
  if (text->failed) return;
  size_t room = text->bytes ? text->room - text->length : 0;
  va_copy(again, arguments);
  int length = sd_format_list(room ? text->bytes + text->length : NULL, room, format, arguments);
  text->failed = length < 0 || !make_room(text, (size_t)length);
  if (!text->failed && (size_t)length >= room)
    text->failed = sd_format_list(text->bytes + text->length, (size_t)length + 1, format, again) != length;
  va_end(again);
  if (!text->failed) text->length += (size_t)length;
}

void sd_text_add(sd_text *text, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  sd_text_add_list(text, format, arguments);
  va_end(arguments);
}

char *sd_text_take(sd_text *text) {
  sd_text_add(text, "%s", ""); /* so that an empty text is one, too */
  sd_text whole = *text;
  *text = (sd_text){0};
  if (!whole.failed) return whole.bytes;
  free(whole.bytes);
  return NULL;
}

char *sd_next_item(char **list) {
  char *item = *list, *comma = item ? strchr(item, ',') : NULL;
  if (comma) *comma = 0;
  *list = comma ? comma + 1 : NULL;
  return item;
}
