/* family.h - systems of many rigid bodies, bonded, in contact, or attracting each other.  Their engine is not
 * trajectory.h but members.h (systems side by side) and passes.h (bodies side by side). */
#ifndef SD_ASSEMBLY_FAMILY_H
#define SD_ASSEMBLY_FAMILY_H

#include "species.h"

#define STORED_STATE(job) ((size_t)(job)->topology.size.bodies * BODY_NUMBERS + MEMBER_NUMBERS)

#endif
