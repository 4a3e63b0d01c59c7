/* states.h - states of some members at some samples, as their family shows them.
 *
 * A state is a row of numbers: the family's arrays in their order, then E - E0. */
#ifndef SD_STATES_H
#define SD_STATES_H

#include "registry.h"

typedef struct {
  size_t samples, members;
  size_t bodies;         /* of a member */
  size_t numbers;        /* of one state */
  double *number;        /* [samples][members][numbers] */
  unsigned char *status; /* [samples][members]: how the member was then */
} sd_states;

sd_status sd_states_create(sd_states *states, const sd_family *family, size_t bodies, size_t samples, size_t members,
                           sd_error *error);
/* With so many numbers of each, whatever they are. */
sd_status sd_states_create_plain(sd_states *states, size_t numbers, size_t samples, size_t members, sd_error *error);
void sd_states_destroy(sd_states *states);

static inline size_t sd_state_numbers(const sd_family *family, size_t bodies) {
  return sd_shown_numbers(family, bodies) + 1;
}
static inline double *sd_state_at(const sd_states *s, size_t sample, size_t member) {
  return s->number + (sample * s->members + member) * s->numbers;
}
static inline unsigned char *sd_state_status(const sd_states *s, size_t sample, size_t member) {
  return s->status + sample * s->members + member;
}
static inline double *sd_state_error(const sd_states *s, size_t sample, size_t member) {
  return sd_state_at(s, sample, member) + s->numbers - 1;
}
/* From slots as an export kernel leaves them: slot k of member first + i is exported[k * count + i], the
 * status comes last.
 */
void sd_states_take(const sd_states *states, size_t sample, size_t first, size_t count, const double *exported);

const char *sd_member_status_text(int status);

#endif
