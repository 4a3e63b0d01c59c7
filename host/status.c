#include "status.h"

#include "number.h"

#include <stdarg.h>

sd_status sd_fail(sd_error *error, sd_status status, const char *format, ...) {
  if (error->status) return error->status;
  error->status = status;
  va_list arguments;
  va_start(arguments, format);
  sd_format_list(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return status;
}
