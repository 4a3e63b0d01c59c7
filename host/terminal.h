/* terminal.h - what a stream is shown on: how wide it is, and what it understands. */
#ifndef SD_TERMINAL_H
#define SD_TERMINAL_H

#include <stdio.h>

typedef struct {
  int width;    /* columns; INT_MAX where nobody looks */
  int colour;   /* may be used */
  int rewrites; /* a line can be written over */
} sd_terminal;

/* A file or a pipe has no width; TERM=dumb and NO_COLOR want plain lines. */
sd_terminal sd_terminal_of(FILE *stream);

/* The text and a line break; what is longer than the width is broken at spaces, and goes on so many columns from the
 * left. */
void sd_print_wrapped(FILE *to, int width, int indent, const char *text);

#endif
