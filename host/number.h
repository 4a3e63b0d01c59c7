/* number.h - numbers from text and to text, the same in every locale.
 *
 * A program that uses the library may have set a locale that writes 0,5 for 0.5; files, documents and options have the
 * point all the same.  So the host reads and prints no floating-point number but through here (tools/check_sources
 * looks).  The caller's locale, the thread's or the process's, is back when a function returns. */
#ifndef SD_NUMBER_H
#define SD_NUMBER_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

/* 0 where there was no memory for it; then the functions below follow the caller's locale. */
int sd_numbers_ready(void);

/* strtod, fprintf, vfprintf, snprintf, vsnprintf. */
double sd_real_from(const char *text, char **end);
int sd_print(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int sd_print_list(FILE *to, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
int sd_format(char *to, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
int sd_format_list(char *to, size_t size, const char *format, va_list arguments) __attribute__((format(printf, 3, 0)));

/* A number in as few digits as bring it back, `least` or more: with 6 a million is 1e+06, with 15 it is 1000000. */
const char *sd_real_text(double value, int least, char text[32]);

/* A whole number in decimal, also as 1e6 or 1.5e3, or in hexadecimal after 0x: every digit counts. */
typedef enum {
  SD_WHOLE,
  SD_NOT_A_NUMBER,
  SD_NOT_WHOLE,
  SD_BEYOND /* less than 0, or more than 64 bits */
} sd_wholeness;
sd_wholeness sd_whole_from(const char *text, uint64_t *value);

#endif
