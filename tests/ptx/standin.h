/* standin.h - what a test can ask of the stand-in for the CUDA runtime.
 *
 * The same can be set by environment variables, read at the first call:
 *   STANDIN_DEVICES=n       devices found, 1 if not given; 0: none; "driver": the driver is too old
 *   STANDIN_MEMORY=bytes    memory of each device, 268435456 if not given
 *   STANDIN_CAPABILITY=n    compute capability of the devices, 75 (for 7.5) if not given: which of the PTX is run
 *   STANDIN_REVERSE=1       blocks, and the threads of a block, run backwards
 *   STANDIN_FAIL=...        see standin_fail
 *   STANDIN_COUNT=file      executed instructions per kernel, written as JSON at exit (code from translate --count)
 *   STANDIN_TRACE=file      one line per call: number, function, device, result
 *   STANDIN_REPLACE=file.so a library of translated kernels to run in place of those of the same names
 *   STANDIN_LIBRARIES=path  a folder in which PTX that is loaded at run time stays translated for the next process
 *
 * Work in a stream runs only when something waits for it: a synchronisation, a blocking copy, a query, a release. */
#ifndef STANDIN_H
#define STANDIN_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Starts anew: gives up all that is live, forgets errors, lost devices, counted calls and the failure that was set.
   Settings of devices, memory, order and trace stay. */
void standin_reset(void);

/* "cudaMalloc:3" makes the third call of cudaMalloc fail, "#7" the seventh of all calls; ":code" appended gives
   the error number (otherwise 2 for an allocation, 999), ":lost" the loss of the current device: this call and all
   later ones on it fail with 999, a reset of the device included. NULL: no failure. A call that releases something does
   so even if it fails. Calls are counted since the start or standin_reset. Returns 0, or -1 if the text is not
   understood. */
int standin_fail(const char *what);

void standin_set_devices(int count); /* -1: the driver is too old */
void standin_set_memory(size_t bytes);
void standin_set_reverse(int reverse);
void standin_set_capability(unsigned capability); /* 75 for 7.5 */
int standin_set_trace(const char *file);          /* NULL: none */

/* Calls made of one function, or with NULL of all. */
long standin_calls(const char *function);

/* What exists now. Leaks are what is left at the end. */
struct standin_live {
  long device_allocations, pinned_allocations, registrations, streams, events;
  size_t device_bytes; /* without the modules' own variables */
};
struct standin_live standin_live(void);
long standin_live_objects(void); /* all of them, 0 if nothing leaked */

/* Copies called asynchronous from or to memory that is not pinned, which a real device does not overlap. */
long standin_pageable_copies(void);

/* Executed instructions so far, as JSON. Returns 0, or -1 if the file cannot be written. */
int standin_write_counts(const char *file);

#ifdef __cplusplus
}
#endif

#endif
