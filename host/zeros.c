#define _DEFAULT_SOURCE /* madvise */
#include "zeros.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

void *sd_zeros(size_t count, size_t size) {
  char *memory = calloc(count, size);
#if defined(MADV_HUGEPAGE)
  const uintptr_t page = (uintptr_t)2 << 20;
  uintptr_t first = ((uintptr_t)memory + page - 1) / page * page,
            end = ((uintptr_t)memory + count * size) / page * page;
  if (memory && first < end) madvise(memory + (first - (uintptr_t)memory), end - first, MADV_HUGEPAGE);
#endif
  return memory;
}
