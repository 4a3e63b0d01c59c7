/* rest.h - what is left of a text that somebody else may have written, taken piece by piece.
 *
 * Every length is held against what is left before anything is done with it.  After the first thing that is not as it
 * should be nothing more is taken: the caller looks once, at `bad`. */
#ifndef SD_REST_H
#define SD_REST_H

#include <stddef.h>
#include <stdint.h>

/* Plain ASCII, and line feeds. */
static inline int sd_is_printable(char c) {
  return c == '\n' || (c >= ' ' && c <= '~');
}

typedef struct {
  const char *at, *end;
  int bad;
} sd_rest;

void sd_take_word(sd_rest *rest, const char *word);
/* A decimal number of at most `most`, for there is no more of what it counts. */
size_t sd_take_count(sd_rest *rest, size_t most);
const char *sd_take_bytes(sd_rest *rest, size_t count);
/* Up to the end of the line, which is taken, too; it must fit. */
void sd_take_line(sd_rest *rest, char *text, size_t room);
/* 32 hexadecimal digits. */
void sd_take_digest(sd_rest *rest, char digest[33]);
/* Sixteen hexadecimal digits, and the character that must follow: a word, or a real by its bits. */
enum { SD_BITS_SIZE = 17 };
uint64_t sd_take_bits(sd_rest *rest, char after);
double sd_take_real(sd_rest *rest, char after);

#endif
