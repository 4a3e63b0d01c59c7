/* escape.h - text from a file, or a name, as it may be shown: no byte of it reaches a terminal as a command. */
#ifndef SD_ESCAPE_H
#define SD_ESCAPE_H

#include <stdio.h>

/* Control characters, and bytes that are not UTF-8, as \x1b. */
void sd_print_escaped(FILE *to, const char *text, size_t size);
/* As one word of a shell's command line, quoted where it must be. */
void sd_print_shell_word(FILE *to, const char *text);

#endif
