/* zeros.h - large arrays. */
#ifndef SD_ZEROS_H
#define SD_ZEROS_H

#include <stddef.h>

/* Zeros, to be freed; in large pages, where the system has them, of which far fewer are looked up.  NULL without
 * memory. */
void *sd_zeros(size_t count, size_t size);

#endif
