#include "starts.h"

#include <stdlib.h>
#include <string.h>

static int make_room(sd_starts *s, size_t count) {
  size_t room = s->room ? s->room : 16;
  while (room < s->count + count) room *= 2;
  if (room == s->room) return 1;
  size_t *member = realloc(s->member, room * sizeof *member);
  if (member) s->member = member;
  double *number = member ? realloc(s->number, room * s->width * sizeof *number) : NULL;
  if (!number) return 0;
  s->number = number;
  s->room = room;
  return 1;
}

/* There is one zero: -0 would give another digest. */
static void add_start(sd_starts *s, size_t member, const double *numbers) {
  double *to = s->number + s->count * s->width;
  for (size_t k = 0; k < s->width; k++) to[k] = numbers[k] == 0 ? 0 : numbers[k];
  s->member[s->count++] = member;
}

sd_status sd_starts_add(sd_starts *s, size_t first, size_t count, const double *numbers, size_t width) {
  if (width != s->width) sd_starts_destroy(s); /* the room was for others */
  s->width = width;
  if (!make_room(s, count)) return SD_NO_MEMORY;
  for (size_t i = 0; i < count; i++) add_start(s, first + i, numbers + i * width);
  return SD_OK;
}

void sd_starts_single_out(sd_starts *s, size_t member) {
  size_t kept = 0;
  for (size_t i = 0; i < s->count; i++) {
    if (s->member[i] != member) continue;
    memmove(s->number + kept * s->width, s->number + i * s->width, s->width * sizeof *s->number);
    s->member[kept++] = 0;
  }
  s->count = kept;
}

sd_status sd_starts_copy(sd_starts *to, const sd_starts *from) {
  *to = (sd_starts){.width = from->width};
  if (!from->count) return SD_OK;
  if (!make_room(to, from->count)) return sd_starts_destroy(to), SD_NO_MEMORY;
  memcpy(to->member, from->member, from->count * sizeof *to->member);
  memcpy(to->number, from->number, from->count * from->width * sizeof *to->number);
  to->count = from->count;
  return SD_OK;
}

int sd_starts_equal(const sd_starts *a, const sd_starts *b) {
  if (a->count != b->count || a->width != b->width) return 0;
  return !a->count || (!memcmp(a->member, b->member, a->count * sizeof *a->member) &&
                       !memcmp(a->number, b->number, a->count * a->width * sizeof *a->number));
}

void sd_starts_destroy(sd_starts *s) {
  free(s->member);
  free(s->number);
  *s = (sd_starts){0};
}
