/* topology.h - what all members of an ensemble of systems share: made from a problem's parameters, checked, and put in
 * the order that kernels want. */
#ifndef SD_HOST_TOPOLOGY_H
#define SD_HOST_TOPOLOGY_H

#include "document.h"
#include "registry.h"

typedef struct sd_shared_topology sd_shared_topology;

/* Of a problem whose members are systems.  It is shared: everyone who keeps it lets go of it. */
sd_status sd_topology_create(const sd_problem_entry *problem, const double *parameters, sd_shared_topology **made,
                             sd_error *error);
/* Of one that a text describes: which is kept. */
sd_status sd_topology_describe(const sd_problem_entry *problem, const double *parameters, sd_document *document,
                               sd_shared_topology **made, sd_error *error);
/* The same systems with other parameters: of the same text, if one describes them. */
sd_status sd_topology_vary(const sd_shared_topology *topology, const sd_problem_entry *problem,
                           const double *parameters, sd_shared_topology **made, sd_error *error);
sd_shared_topology *sd_topology_keep(sd_shared_topology *topology);
void sd_topology_let_go(sd_shared_topology *topology);

const sd_topology *sd_topology_of(const sd_shared_topology *topology);
const sd_document *sd_topology_document(const sd_shared_topology *topology); /* NULL: no text describes it */
double sd_topology_largest(const sd_shared_topology *topology);              /* diameter; 0 without a topology */
/* Whether these are the same bodies and bonds but for their numbers. */
int sd_topology_matches(const sd_shared_topology *one, const sd_shared_topology *other);

#endif
