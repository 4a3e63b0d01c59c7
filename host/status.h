/* status.h - failures: a code, and one line that says what was being done and with which value. */
#ifndef SD_STATUS_H
#define SD_STATUS_H

#include "spindrift.h"

typedef struct {
  sd_status status;
  char message[512];
} sd_error;

/* Keeps the first failure and returns its code. */
sd_status sd_fail(sd_error *error, sd_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define SD_TRY(call)                           \
  do {                                         \
    sd_status sd_try_status_ = (call);         \
    if (sd_try_status_) return sd_try_status_; \
  } while (0)

#endif
