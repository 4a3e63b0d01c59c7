#include "rest.h"

#include <stdio.h>
#include <string.h>

void sd_take_word(sd_rest *r, const char *word) {
  size_t length = strlen(word);
  r->bad = r->bad || length > (size_t)(r->end - r->at) || memcmp(r->at, word, length);
  if (!r->bad) r->at += length;
}

size_t sd_take_count(sd_rest *r, size_t most) {
  size_t value = 0, digits = 0;
  for (; !r->bad && r->at < r->end && *r->at >= '0' && *r->at <= '9'; r->at++, digits++) {
    size_t digit = (size_t)(*r->at - '0');
    r->bad = value > most / 10 || value * 10 + digit > most;
    value = r->bad ? 0 : value * 10 + digit;
  }
  r->bad = r->bad || !digits;
  return r->bad ? 0 : value;
}

const char *sd_take_bytes(sd_rest *r, size_t count) {
  const char *bytes = r->at;
  r->bad = r->bad || count > (size_t)(r->end - r->at);
  if (r->bad) return "";
  r->at += count;
  return bytes;
}

void sd_take_line(sd_rest *r, char *text, size_t room) {
  const char *end = r->bad ? NULL : memchr(r->at, '\n', (size_t)(r->end - r->at));
  size_t length = end ? (size_t)(end - r->at) : 0;
  r->bad = !end || length >= room;
  memcpy(text, r->at, r->bad ? 0 : length);
  text[r->bad ? 0 : length] = 0;
  if (!r->bad) r->at = end + 1;
}

static int digit_of(char c) {
  static const char digits[] = "0123456789abcdef";
  const char *found = memchr(digits, c, 16);
  return found ? (int)(found - digits) : -1;
}

void sd_take_digest(sd_rest *r, char digest[33]) {
  const char *bytes = sd_take_bytes(r, 32);
  for (int i = 0; i < 32 && !r->bad; i++) r->bad = digit_of(bytes[i]) < 0;
  snprintf(digest, 33, "%.32s", bytes);
}

uint64_t sd_take_bits(sd_rest *r, char after) {
  uint64_t value = 0;
  const char *bytes = sd_take_bytes(r, SD_BITS_SIZE);
  for (int i = 0; i < SD_BITS_SIZE - 1 && !r->bad; i++) {
    int digit = digit_of(bytes[i]);
    r->bad = digit < 0;
    value = value << 4 | (uint64_t)(digit & 15);
  }
  r->bad = r->bad || bytes[SD_BITS_SIZE - 1] != after;
  return value;
}

double sd_take_real(sd_rest *r, char after) {
  double value;
  uint64_t bits = sd_take_bits(r, after);
  memcpy(&value, &bits, sizeof value);
  return value;
}
