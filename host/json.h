/* json.h - writes JSON: numbers in full double precision, what is not finite as null. */
#ifndef SD_JSON_H
#define SD_JSON_H

#include "text.h"

#include <stdio.h>

typedef struct {
  FILE *to;      /* a stream, */
  sd_text *text; /* or, where that is NULL, a text */
  int depth;
  int first; /* of the innermost object or array */
} sd_json;

/* A key of NULL is for array members and the document itself. */
void sd_json_open(sd_json *j, const char *key, char bracket); /* '{' or '[' */
void sd_json_close(sd_json *j, char bracket);                 /* '}' or ']' */
void sd_json_real(sd_json *j, const char *key, double value);
void sd_json_reals(sd_json *j, const char *key, const double *values, int count);
void sd_json_whole(sd_json *j, const char *key, long long value);
void sd_json_unsigned(sd_json *j, const char *key, unsigned long long value);
/* A row of numbers, one at a time. */
void sd_json_open_row(sd_json *j, const char *key);
void sd_json_row(sd_json *j, double value);
void sd_json_close_row(sd_json *j);
void sd_json_truth(sd_json *j, const char *key, int value);
void sd_json_text(sd_json *j, const char *key, const char *value);

#endif
