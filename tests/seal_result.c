/* seal_result.c - seal_result FILE RECORD [VERSION]: gives a file a seal that fits, as an ill-wisher could. */
#include "../host/seal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first line of a format that is not ours: of that only the version and the line's own sum are known. */
static int write_line_of(int fd, const char *version) {
  char line[SD_SEAL_SIZE] = SD_SEAL_MAGIC;
  strcat(strcat(line, version), " and so on");
  size_t length = strlen(line);
  snprintf(line + length, sizeof line - length, " line %016" PRIx64 "\n", (uint64_t)XXH3_64bits(line, length));
  return pwrite(fd, line, sizeof line, 0) == sizeof line ? 0 : 1;
}

int main(int count, char **argument) {
  sd_error error = {0};
  int fd = count > 2 ? open(argument[1], O_RDWR) : -1;
  if (fd < 0) return 2;
  if (count > 3) return write_line_of(fd, argument[3]);
  if (!sd_seal_write(fd, strtoull(argument[2], NULL, 10), argument[1], &error)) return 0;
  fprintf(stderr, "%s\n", error.message);
  return 1;
}
