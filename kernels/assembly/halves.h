/* halves.h - the two halves of a step of one body: the method's own for the attitude, velocity Verlet (or symplectic
 * Euler, with methods of first order) for the position.  SD_METHOD says which. */
#ifndef SD_ASSEMBLY_HALVES_H
#define SD_ASSEMBLY_HALVES_H

#include "rows.h"

#ifdef SD_ENTER
#error "a method with SD_ENTER and SD_LEAVE is for single bodies: a system's forces come between its halves"
#endif

#define ASSEMBLY_JOIN_(a, b) a##b
#define ASSEMBLY_JOIN(a, b) ASSEMBLY_JOIN_(a, b)
typedef ASSEMBLY_JOIN(SD_METHOD, _between) between;

enum {
  BETWEEN_NUMBERS = (int)(sizeof(between) / sizeof(real)), /* none, where the struct is an empty one */
  PASSING_NUMBERS = AT_BETWEEN + BETWEEN_NUMBERS
};

/* Where the numbers of a body are in a step: place and attitude, as others see them, are here, and the next ones go
 * ahead, which may be the same; what nobody else sees is kept in its place. */
typedef struct {
  row kept, here, ahead, acting, passing;
} body_rows;

FN state rotor_state(row kept, row here, row acting) {
  state s = {row_attitude(here), row_vector(kept, AT_W), {real_splat(0)}, row_vector(acting, AT_TORQUE)};
  for (int k = 0; k < SD_MEMORY; k++) s.memory[k] = row_get(kept, AT_MEMORY + k);
  return s;
}
FN void row_put_velocity(row kept, const state *s) {
  row_put_vector(kept, AT_W, s->W);
  for (int k = 0; k < SD_MEMORY; k++) row_put(kept, AT_MEMORY + k, s->memory[k]);
}
FN void row_put_rotor(row kept, row ahead, const state *s) {
  row_put(ahead, AT_Q, s->Q.w);
  row_put_vector(ahead, AT_Q + 1, s->Q.v);
  row_put_velocity(kept, s);
}

/* Kick, move and turn. */
FN void first_half(const body_rows *r, const species *s, real h, const sd_job *job, step_log *log) {
  vec3 x = row_vector(r->here, AT_X), v = row_vector(r->kept, AT_V);
  if (SD_KICK_FIRST > 0) {
    load l = row_load(r->kept, r->acting, job);
    vec3 before = v;
    v = kicked_by(&l, v, s, SD_KICK_FIRST * h, job);
    row_add_books(r->kept, &l, x, before, v, SD_KICK_FIRST * h, job);
  }
  state rotor = rotor_state(r->kept, r->here, r->acting);
  between carried = ASSEMBLY_JOIN(SD_METHOD, _turn)(&rotor, &s->rotor, h, log);
  row_put_vector(r->ahead, AT_X, vec3_axpy(h, v, x));
  row_put_vector(r->kept, AT_V, v);
  row_put_rotor(r->kept, r->ahead, &rotor);
  real numbers[BETWEEN_NUMBERS + 1];
  memcpy(numbers, &carried, BETWEEN_NUMBERS * sizeof(real));
  for (int k = 0; k < BETWEEN_NUMBERS; k++) row_put(r->passing, AT_BETWEEN + k, numbers[k]);
  if (has_dashpots(job)) row_put_vector(r->ahead, AT_MIDDLE, v);
}

/* Kick and finish, with the forces where it is now.  Place and attitude stay, which others may be looking at. */
FN void second_half(const body_rows *r, const species *s, real h, const sd_job *job, step_log *log) {
  if (SD_KICK_FIRST < 1) {
    vec3 before = row_vector(r->kept, AT_V);
    load l = row_load(r->kept, r->acting, job);
    vec3 v = kicked_by(&l, before, s, (1.0 - SD_KICK_FIRST) * h, job);
    row_add_books(r->kept, &l, row_vector(r->here, AT_X), before, v, (1.0 - SD_KICK_FIRST) * h, job);
    row_put_vector(r->kept, AT_V, v);
  }
  state rotor = rotor_state(r->kept, r->here, r->acting);
  between carried;
  real numbers[BETWEEN_NUMBERS + 1];
  for (int k = 0; k < BETWEEN_NUMBERS; k++) numbers[k] = row_get(r->passing, AT_BETWEEN + k);
  memset(&carried, 0, sizeof carried);
  memcpy(&carried, numbers, BETWEEN_NUMBERS * sizeof(real));
  ASSEMBLY_JOIN(SD_METHOD, _finish)(&rotor, carried, &s->rotor, h, log);
  row_put_velocity(r->kept, &rotor);
}

#endif
