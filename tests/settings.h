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
/* Of every kind, of orbits: to members of their own, at times of their own. */
static inline void set_events(sd_plan *plan) {
  set(plan, "step", "50");
  set(plan, "at-event", "apoapsis:rtn=0.1,-0.2,0.1,times=2,size=0.3,angle=0.2");
  set(plan, "at-event", "periapsis:mark,times=3");
  set(plan, "at-event", "height=1664:end,after=3000");
  set(plan, "at-event", "nearest=1000,1000,0:dv=0,0,0.1");
}

#endif
