/* resolve_maneuvers.h - what a navigator asks for, looked at together with all the rest: starts, impulses, burns,
 * events, a covariance. */
#ifndef SD_RESOLVE_MANEUVERS_H
#define SD_RESOLVE_MANEUVERS_H

#include "plan.h"

/* The parameters of a start by elements or a velocity, and the units; after those that were given have been taken. */
sd_status sd_resolve_start(const sd_settings *given, sd_specification *to, sd_error *error);
/* All that happens on the way, when the length of the run is known, and how the starts spread. */
sd_status sd_resolve_maneuvers(const sd_settings *given, sd_specification *to, sd_error *error);

#endif
