#include "nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int edit_distance(const char *a, const char *b) {
  size_t n = strlen(b);
  int row[64];
  if (n >= 64) return 64;
  for (size_t j = 0; j <= n; j++) row[j] = (int)j;
  for (size_t i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= n; j++) {
      int change = diagonal + (tolower((unsigned char)a[i - 1]) != b[j - 1]), least = row[j] + 1;
      diagonal = row[j];
      if (row[j - 1] + 1 < least) least = row[j - 1] + 1;
      row[j] = change < least ? change : least;
    }
  }
  return row[n];
}

static int begins_with(const char *name, const char *part) {
  for (; *part; name++, part++)
    if (tolower((unsigned char)*part) != *name) return 0;
  return 1;
}

/* Whoever writes a whole word of a name meant that name, however many letters it has besides: slow, where there is
 * top-slow, and not split. */
static int distance_of(const char *wrong, const char *name) {
  enum { EQUAL = -3, BEGINNING = -2, WORD = -1, SHORTEST = 3 }; /* equal but for capitals */
  size_t length = strlen(wrong);
  int letters = edit_distance(wrong, name);
  if (length < SHORTEST || !letters) return letters ? letters : EQUAL;
  if (begins_with(name, wrong) && name[length] == '-') return BEGINNING;
  for (const char *dash = name; (dash = strchr(dash, '-')); dash++)
    if (begins_with(dash + 1, wrong) && (!dash[1 + length] || dash[1 + length] == '-')) return WORD;
  return letters;
}

void sd_nearest_consider(sd_nearest *nearest, const char *wrong, const char *candidate) {
  int distance = distance_of(wrong, candidate);
  if (nearest->count && distance > nearest->distance) return;
  if (!nearest->count || distance < nearest->distance) nearest->count = 0;
  nearest->distance = distance;
  for (int i = 0; i < nearest->count; i++)
    if (!strcmp(nearest->name[i], candidate)) return;
  if (nearest->count < SD_NEAREST_MOST) nearest->name[nearest->count++] = candidate;
}

/* Names that are merely as far away as others are no better guesses than the first of them. */
const char *sd_nearest_question(const sd_nearest *nearest, const char *dashes, char text[SD_NEAREST_ROOM]) {
  int count = nearest->distance < 0 ? nearest->count : nearest->count > 0;
  int length = snprintf(text, SD_NEAREST_ROOM, "did you mean");
  for (int i = 0; i < count && length < SD_NEAREST_ROOM; i++)
    length += snprintf(text + length, SD_NEAREST_ROOM - (size_t)length, "%s '%s%s'", !i ? "" : " or", dashes,
                       nearest->name[i]);
  if (length < SD_NEAREST_ROOM) snprintf(text + length, SD_NEAREST_ROOM - (size_t)length, "?");
  return text;
}
