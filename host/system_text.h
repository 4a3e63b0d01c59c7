/* system_text.h - a system as a text: what its bodies are, where they start, what binds them, and what surrounds them.
 *
 *   species NAME mass M J J1 J2 J3 [diameter D] [point X Y Z M]...
 *   body SPECIES X Y Z [VX VY VZ [W X Y Z [W1 W2 W3]]]
 *   bond I J [BENDING AXIAL SHEAR]
 *   PARAMETER VALUE...
 *
 * One statement a line; # begins a comment.  A species stands above its bodies, and bodies, which are numbered from 0
 * on, above their bonds.  Of a body there are place, velocity, orientation as a quaternion w, x, y, z, and angular
 * velocity in its own frame; what is left out is no motion and no rotation.  Points are masses fixed in a body, in its
 * frame, that attract those of others; a species without has all of its mass at the origin of that frame.  The
 * parameters are the problem's; of several that are numbered, the name alone is the next one.
 *
 * Whatever is wrong is refused with the line and the species, body or bond; where the text was made of rows of numbers
 * (system_tables.h), with the row. */
#ifndef SD_SYSTEM_TEXT_H
#define SD_SYSTEM_TEXT_H

#include "document.h"
#include "registry.h"

/* How large the system is; and the problem's parameters, by the text or by default. */
sd_status sd_system_measure(const sd_document *document, const sd_problem_entry *problem, sd_topology_sizes *sizes,
                            double parameters[SD_PARAMETERS_MAX], sd_error *error);
/* Into the arrays of a topology of this size what the text says, each bond of a kind of its own. */
sd_status sd_system_fill(const sd_document *document, sd_topology *topology, sd_error *error);
/* The names of its species, so many, in their order. */
enum { SD_SYSTEM_NAME = 64 }; /* the longest, with a zero */
sd_status sd_system_names(const sd_document *document, char (*names)[SD_SYSTEM_NAME], size_t count, sd_error *error);
/* Where statement `number` of a kind, such as "body", is: "FILE:7: ", "FILE: row 3 of bodies: ". */
enum { SD_SYSTEM_PLACE = 288 };
const char *sd_system_place(const sd_document *document, const char *kind, size_t number, char text[SD_SYSTEM_PLACE]);

#endif
