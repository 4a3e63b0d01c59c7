#include "json.h"

#include "number.h"

#include <math.h>
#include <stdarg.h>

static void put(sd_json *j, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(sd_json *j, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (j->to) sd_print_list(j->to, format, arguments);
  else sd_text_add_list(j->text, format, arguments);
  va_end(arguments);
}

static void quoted(sd_json *j, const char *text) {
  put(j, "\"");
  while (*text) {
    size_t plain = 0;
    while ((unsigned char)text[plain] >= 0x20 && text[plain] != '"' && text[plain] != '\\') plain++;
    if (plain) put(j, "%.*s", (int)plain, text);
    text += plain;
    if (!*text) break;
    put(j, (unsigned char)*text < 0x20 ? "\\u%04x" : "\\%c", *text);
    text++;
  }
  put(j, "\"");
}

static void member(sd_json *j, const char *key) {
  if (!j->first) put(j, ",");
  if (j->depth) put(j, "\n%*s", 2 * j->depth, "");
  j->first = 0;
  if (!key) return;
  quoted(j, key);
  put(j, ": ");
}

static void number(sd_json *j, double value) {
  if (isfinite(value)) put(j, "%.17g", value);
  else put(j, "null");
}

void sd_json_open(sd_json *j, const char *key, char bracket) {
  if (j->depth == 0) j->first = 1;
  member(j, key);
  put(j, "%c", bracket);
  j->depth++;
  j->first = 1;
}

void sd_json_close(sd_json *j, char bracket) {
  j->depth--;
  if (!j->first) put(j, "\n%*s", 2 * j->depth, "");
  put(j, "%c", bracket);
  j->first = 0;
  if (!j->depth) put(j, "\n");
}

void sd_json_real(sd_json *j, const char *key, double value) {
  member(j, key);
  number(j, value);
}

void sd_json_open_row(sd_json *j, const char *key) {
  member(j, key);
  put(j, "[");
  j->first = 1;
}

void sd_json_row(sd_json *j, double value) {
  if (!j->first) put(j, ", ");
  j->first = 0;
  number(j, value);
}

void sd_json_close_row(sd_json *j) {
  put(j, "]");
  j->first = 0;
}

void sd_json_reals(sd_json *j, const char *key, const double *values, int count) {
  sd_json_open_row(j, key);
  for (int i = 0; i < count; i++) sd_json_row(j, values[i]);
  sd_json_close_row(j);
}

void sd_json_whole(sd_json *j, const char *key, long long value) {
  member(j, key);
  put(j, "%lld", value);
}

void sd_json_unsigned(sd_json *j, const char *key, unsigned long long value) {
  member(j, key);
  put(j, "%llu", value);
}

void sd_json_truth(sd_json *j, const char *key, int value) {
  member(j, key);
  put(j, "%s", value ? "true" : "false");
}

void sd_json_text(sd_json *j, const char *key, const char *value) {
  member(j, key);
  quoted(j, value);
}
