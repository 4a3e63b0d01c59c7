/* parallel.h - a loop over independent parts, shared out among threads.  Which thread takes which part is left open. */
#ifndef SD_PARALLEL_H
#define SD_PARALLEL_H

#include <stddef.h>

/* Calls part(data, i) for i = 0 .. count-1.  With fewer threads than asked for it is slower, not wrong. */
void sd_parallel(int threads, size_t count, void (*part)(void *data, size_t i), void *data);
/* The same, where a thread has something of its own: its number, below `threads`. */
void sd_parallel_by(int threads, size_t count, void (*part)(void *data, size_t i, int worker), void *data);

#endif
