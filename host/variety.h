/* variety.h - the numbers of single members: what is asked for of them (sweep.h) found, looked at, and made rows of,
 * for the kernels. */
#ifndef SD_VARIETY_H
#define SD_VARIETY_H

#include "specification.h"

/* What a job has of all members, of one of them; in the order of sd_varied. */
typedef struct {
  double parameters[SD_PARAMETERS_MAX], constants[SD_CONSTANTS], method[SD_METHOD_PARAMETERS_MAX], step, half_mean[2];
} sd_numbers;

/* Names become targets; then every member is looked at: ranges, what the family makes of its parameters, and whether
 * the methods can run it.  Methods, members, length and starts must be there. */
sd_status sd_resolve_variety(sd_specification *spec, sd_error *error);

/* Parameters and step of a member under method m, by its number, or its point's, in the run. */
void sd_numbers_of(const sd_specification *spec, int m, size_t member, sd_numbers *numbers);
/* What a member that is a system is, to be let go of; NULL where members are single bodies. */
sd_status sd_topology_of_member(const sd_specification *spec, size_t member, sd_shared_topology **made,
                                sd_error *error);
/* Which way it is integrated: the family's. */
int sd_kind_of_member(const sd_specification *spec, size_t member);
/* "point 17, member 5 (Km = 11.2)", for messages: what it has of its own. */
enum { SD_MEMBER_TEXT = 256 };
const char *sd_describe_member(const sd_specification *spec, size_t member, char text[SD_MEMBER_TEXT]);
double sd_step_of_point(const sd_specification *spec, size_t point);

/* Those of some members: the first one's, and rows of what is not the same for all of them. */
typedef struct {
  sd_numbers common;
  sd_varied map; /* its numbers are rows of `stride` columns, of which those beyond the members repeat the last one */
  size_t rows;
  double *number;
} sd_variety;

sd_status sd_variety_create(sd_variety *variety, const sd_specification *spec, int m, size_t first, size_t count,
                            size_t stride, sd_error *error);
void sd_variety_destroy(sd_variety *variety);

#endif
