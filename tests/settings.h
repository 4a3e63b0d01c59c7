/* settings.h - a plan's settings in a test: one that is refused fails it. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "spindrift.h"

static inline void set(sd_plan *plan, const char *key, const char *value) {
  if (sd_plan_set(plan, key, value)) fail_msg("%s=%s: %s", key, value, sd_plan_message(plan));
}
static inline void set_whole(sd_plan *plan, const char *key, int value) {
  char text[32];
  snprintf(text, sizeof text, "%d", value);
  set(plan, key, text);
}

#endif
