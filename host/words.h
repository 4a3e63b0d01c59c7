/* words.h - numbers in a file: eight bytes each, the lowest first, whatever the machine; reals as IEEE 754 has them.
 * Each call moves the place on. */
#ifndef SD_WORDS_H
#define SD_WORDS_H

#include <stdint.h>
#include <string.h>

static inline void sd_put_word(unsigned char **to, uint64_t value) {
  for (int i = 0; i < 8; i++) *(*to)++ = (unsigned char)(value >> 8 * i);
}
static inline uint64_t sd_get_word(const unsigned char **from) {
  uint64_t value = 0;
  for (int i = 0; i < 8; i++) value |= (uint64_t) * (*from)++ << 8 * i;
  return value;
}

static inline void sd_put_reals(unsigned char **to, const double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t word;
    memcpy(&word, &values[i], sizeof word);
    sd_put_word(to, word);
  }
}
static inline void sd_get_reals(const unsigned char **from, double *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t word = sd_get_word(from);
    memcpy(&values[i], &word, sizeof word);
  }
}

#endif
