#include "terminal.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { USUAL = 80 };

static int width_of(int fd) {
  struct winsize size = {0};
  if (!ioctl(fd, TIOCGWINSZ, &size) && size.ws_col) return size.ws_col;
  const char *columns = getenv("COLUMNS");
  int width = columns ? atoi(columns) : 0;
  return width > 0 ? width : USUAL;
}

sd_terminal sd_terminal_of(FILE *stream) {
  int fd = fileno(stream);
  if (fd < 0 || !isatty(fd)) return (sd_terminal){.width = INT_MAX};
  const char *kind = getenv("TERM"), *plain = getenv("NO_COLOR");
  int able = kind && *kind && strcmp(kind, "dumb") && !(plain && *plain);
  return (sd_terminal){width_of(fd), able, able};
}

/* How much of it goes into a line of so many columns: up to a space, or, where there is none, all of a word. */
static size_t fitting(const char *text, size_t room) {
  size_t end = strlen(text);
  if (end <= room) return end;
  for (size_t i = 1; i <= room; i++)
    if (text[i] == ' ' && text[i - 1] != ' ') end = i;
  return end <= room ? end : strcspn(text + 1, " ") + 1;
}

void sd_print_wrapped(FILE *to, int width, int indent, const char *text) {
  size_t used = 0;
  for (;;) {
    size_t length = fitting(text, (size_t)width > used ? (size_t)width - used : 1);
    fwrite(text, 1, length, to);
    putc('\n', to);
    text += length + strspn(text + length, " ");
    if (!*text) return;
    used = (size_t)fprintf(to, "%*s", indent, "");
  }
}
