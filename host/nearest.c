#include "nearest.h"

#include <ctype.h>
#include <string.h>

static int edit_distance(const char *a, const char *b) {
  size_t n = strlen(b);
  int row[64];
  if (n >= 64) return 64;
  for (size_t j = 0; j <= n; j++) row[j] = (int)j;
  for (size_t i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= n; j++) {
      int change = diagonal + (tolower((unsigned char)a[i - 1]) != b[j - 1]), least = row[j] + 1;
      diagonal = row[j];
      if (row[j - 1] + 1 < least) least = row[j - 1] + 1;
      row[j] = change < least ? change : least;
    }
  }
  return row[n];
}

void sd_nearest_consider(sd_nearest *nearest, const char *wrong, const char *candidate) {
  int distance = edit_distance(wrong, candidate);
  if (nearest->name && distance >= nearest->distance) return;
  nearest->name = candidate;
  nearest->distance = distance;
}
