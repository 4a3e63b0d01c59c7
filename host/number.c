#include "number.h"

#include <locale.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- a locale for the length of one call; a thread has its own ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t plain; /* for as long as the process lives: any thread may be using it */

static void make_plain(void) {
  plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static locale_t enter(void) {
  pthread_once(&once, make_plain);
  return uselocale(plain);
}

static void leave(locale_t before) {
  uselocale(before);
}

int sd_numbers_ready(void) {
  leave(enter());
  return plain != (locale_t)0;
}

double sd_real_from(const char *text, char **end) {
  locale_t before = enter();
  double value = strtod(text, end);
  leave(before);
  return value;
}

int sd_print_list(FILE *to, const char *format, va_list arguments) {
  locale_t before = enter();
  int printed = vfprintf(to, format, arguments);
  leave(before);
  return printed;
}

int sd_print(FILE *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int printed = sd_print_list(to, format, arguments);
  va_end(arguments);
  return printed;
}

int sd_format_list(char *to, size_t size, const char *format, va_list arguments) {
  locale_t before = enter();
  int length = vsnprintf(to, size, format, arguments);
  leave(before);
  return length;
}

int sd_format(char *to, size_t size, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int length = sd_format_list(to, size, format, arguments);
  va_end(arguments);
  return length;
}

const char *sd_real_text(double value, int least, char text[32]) {
  for (int digits = least; digits <= 17; digits++) {
    sd_format(text, 32, "%.*g", digits, value);
    if (sd_real_from(text, NULL) == value) break;
  }
  return text;
}

/* ---- whole numbers ---- */

static int is_digit(char c) {
  return c >= '0' && c <= '9';
}

static int hexadecimal_digit(char c) {
  if (is_digit(c)) return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

static sd_wholeness hexadecimal(const char *text, uint64_t *value) {
  if (!*text) return SD_NOT_A_NUMBER;
  int beyond = 0;
  for (; *text; text++) {
    int digit = hexadecimal_digit(*text);
    if (digit < 0) return SD_NOT_A_NUMBER;
    beyond |= *value >> 60 != 0;
    *value = *value << 4 | (uint64_t)digit;
  }
  return beyond ? SD_BEYOND : SD_WHOLE;
}

/* Digits with or without a point among them: where it is, and how many digits there are. */
typedef struct {
  const char *text;
  long before_point, count;
} digits;

static const char *read_digits(const char *text, digits *d) {
  *d = (digits){.text = text, .before_point = -1};
  for (; is_digit(*text) || (*text == '.' && d->before_point < 0); text++)
    if (*text == '.') d->before_point = d->count;
    else d->count++;
  if (d->before_point < 0) d->before_point = d->count;
  return text;
}

static int digit_at(const digits *d, long i) {
  int after_point = i >= d->before_point && d->text[d->before_point] == '.';
  return i < d->count ? d->text[i + after_point] - '0' : 0;
}

/* e+12; a size beyond all use is as good as any other. */
static const char *read_exponent(const char *text, long *exponent) {
  enum { ENORMOUS = 100000000 };
  const char *at = text + 1;
  *exponent = 0;
  if (*text != 'e' && *text != 'E') return text;
  int negative = *at == '-';
  if (*at == '+' || *at == '-') at++;
  if (!is_digit(*at)) return text;
  for (; is_digit(*at); at++)
    if (*exponent < ENORMOUS) *exponent = 10 * *exponent + (*at - '0');
  if (negative) *exponent = -*exponent;
  return at;
}

static sd_wholeness decimal(const char *text, uint64_t *value) {
  digits d;
  long exponent;
  text = read_digits(text, &d);
  if (!d.count) return SD_NOT_A_NUMBER;
  text = read_exponent(text, &exponent);
  if (*text) return SD_NOT_A_NUMBER;
  long point = d.before_point + exponent; /* so many digits are of the whole part */
  for (long i = point < 0 ? 0 : point; i < d.count; i++)
    if (digit_at(&d, i)) return SD_NOT_WHOLE;
  for (long i = 0; i < point && (i < d.count || *value); i++) {
    unsigned digit = (unsigned)digit_at(&d, i);
    if (*value > (UINT64_MAX - digit) / 10) return SD_BEYOND;
    *value = 10 * *value + digit;
  }
  return SD_WHOLE;
}

sd_wholeness sd_whole_from(const char *text, uint64_t *value) {
  *value = 0;
  text += strspn(text, " ");
  int negative = *text == '-';
  if (*text == '+' || *text == '-') text++;
  int sixteen = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  sd_wholeness found = sixteen ? hexadecimal(text + 2, value) : decimal(text, value);
  return found == SD_WHOLE && negative && *value ? SD_BEYOND : found;
}
