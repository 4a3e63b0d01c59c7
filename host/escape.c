#include "escape.h"

#include <string.h>

/* How many bytes follow the first one of a UTF-8 character, and the smallest character that needs so many. */
static int followers(unsigned char first, unsigned long *character, unsigned long *least) {
  static const unsigned long smallest[] = {0, 0x80, 0x800, 0x10000};
  int count = first < 0x80             ? 0
              : (first & 0xe0) == 0xc0 ? 1
              : (first & 0xf0) == 0xe0 ? 2
              : (first & 0xf8) == 0xf0 ? 3
                                       : -1;
  if (count < 0) return -1;
  *character = count ? first & (0x3fU >> count) : first;
  *least = smallest[count];
  return count;
}

/* The length of the character that the text begins with; 0 if it cannot be shown as it is. */
static size_t showable(const unsigned char *text, size_t size) {
  unsigned long character, least;
  int count = followers(*text, &character, &least);
  if (count < 0 || (size_t)count >= size) return 0;
  for (int i = 1; i <= count; i++) {
    if ((text[i] & 0xc0) != 0x80) return 0;
    character = character << 6 | (text[i] & 0x3f);
  }
  int control = character < 0x20 || (character >= 0x7f && character < 0xa0);
  int surrogate = character >= 0xd800 && character < 0xe000;
  return control || surrogate || character < least || character > 0x10ffff ? 0 : (size_t)count + 1;
}

void sd_print_escaped(FILE *to, const char *text, size_t size) {
  while (size) {
    size_t length = showable((const unsigned char *)text, size);
    if (length) fwrite(text, 1, length, to);
    else fprintf(to, "\\x%02x", (unsigned char)*text);
    text += length ? length : 1;
    size -= length ? length : 1;
  }
}

void sd_print_shell_word(FILE *to, const char *text) {
  static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/+-:@%,=";
  int quoted = !*text || text[strspn(text, plain)] != 0;
  if (quoted) putc('\'', to);
  for (const char *quote; (quote = strchr(text, '\'')); text = quote + 1) {
    sd_print_escaped(to, text, (size_t)(quote - text));
    fputs("'\\''", to);
  }
  sd_print_escaped(to, text, strlen(text));
  if (quoted) putc('\'', to);
}
