#include "json.h"

#include "number.h"

#include <math.h>

static void quoted(FILE *to, const char *text) {
  putc('"', to);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putc('\\', to);
    if ((unsigned char)*text < 0x20) fprintf(to, "\\u%04x", *text);
    else putc(*text, to);
  }
  putc('"', to);
}

static void member(sd_json *j, const char *key) {
  if (!j->first) putc(',', j->to);
  if (j->depth) fprintf(j->to, "\n%*s", 2 * j->depth, "");
  j->first = 0;
  if (!key) return;
  quoted(j->to, key);
  fputs(": ", j->to);
}

static void number(FILE *to, double value) {
  if (isfinite(value)) sd_print(to, "%.17g", value);
  else fputs("null", to);
}

void sd_json_open(sd_json *j, const char *key, char bracket) {
  if (j->depth == 0) j->first = 1;
  member(j, key);
  putc(bracket, j->to);
  j->depth++;
  j->first = 1;
}

void sd_json_close(sd_json *j, char bracket) {
  j->depth--;
  if (!j->first) fprintf(j->to, "\n%*s", 2 * j->depth, "");
  putc(bracket, j->to);
  j->first = 0;
  if (!j->depth) putc('\n', j->to);
}

void sd_json_real(sd_json *j, const char *key, double value) {
  member(j, key);
  number(j->to, value);
}

void sd_json_open_row(sd_json *j, const char *key) {
  member(j, key);
  putc('[', j->to);
  j->first = 1;
}

void sd_json_row(sd_json *j, double value) {
  if (!j->first) fputs(", ", j->to);
  j->first = 0;
  number(j->to, value);
}

void sd_json_close_row(sd_json *j) {
  putc(']', j->to);
  j->first = 0;
}

void sd_json_reals(sd_json *j, const char *key, const double *values, int count) {
  sd_json_open_row(j, key);
  for (int i = 0; i < count; i++) sd_json_row(j, values[i]);
  sd_json_close_row(j);
}

void sd_json_whole(sd_json *j, const char *key, long long value) {
  member(j, key);
  fprintf(j->to, "%lld", value);
}

void sd_json_unsigned(sd_json *j, const char *key, unsigned long long value) {
  member(j, key);
  fprintf(j->to, "%llu", value);
}

void sd_json_truth(sd_json *j, const char *key, int value) {
  member(j, key);
  fputs(value ? "true" : "false", j->to);
}

void sd_json_text(sd_json *j, const char *key, const char *value) {
  member(j, key);
  quoted(j->to, value);
}
