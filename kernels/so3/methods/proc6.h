/* proc6 - six kicks and six exact flights of the free body in turn, with processing: the steps are taken in coordinates
 * that differ from the body's by a symplectic map near the identity, and that map is what makes them good.
 *
 *   J W    <- J W + b_i h torque(Q)                          in the step, z
 *   (Q, W) <- exact motion of the free body for a_i h
 *
 *   n steps take (Q, W) to  C z^n C^-1 (Q, W)                C: the same with PROC6_OUT_KICKS, PROC6_OUT_TIMES
 *
 * z alone is of order 1.  All of its error up to order 6 is what a change of coordinates takes away, and C, fourteen
 * kicks and flights, is that change.  It costs little, as it is passed when the steps begin and once for every look at
 * them; where each step is sampled, it is most of the work.  Symplectic and momentum-preserving; a free body is
 * followed to round-off.  Not symmetric: C is not the same for -h.
 *
 * On processing see S. Blanes, F. Casas, A. Murua, SIAM J. Numer. Anal. 42 (2004) 531-552,
 * doi:10.1137/S0036142902417029. The numbers are spindrift's own (nystrom.h). */
#define SD_MEMORY 8 /* Q and J W in z's coordinates, and the step that these are for */
#include "../kicks_and_flights.h"

enum { PROC6_STEP = 7 };

FN void proc6_keep(state *s, quaternion Q, vec3 P, real h) {
  const real memory[] = {Q.w, Q.v.x, Q.v.y, Q.v.z, P.x, P.y, P.z, h};
  memcpy(s->memory, memory, sizeof memory);
}
FN void proc6_begin(state *s, const constants *c) { /* for steps of no length C is the identity */
  proc6_keep(s, s->Q, momentum_of(c, s->W), real_splat(0));
}
#define SD_BEGIN proc6_begin

/* From here to proc6_leave the state is z's: s.Q its attitude, s.W its momentum. */
FN state proc6_enter(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const double time[] = PROC6_OUT_TIMES, kick[] = PROC6_OUT_KICKS;
  quaternion Q = {s.memory[0], vec3_make(s.memory[1], s.memory[2], s.memory[3])};
  vec3 P = vec3_make(s.memory[4], s.memory[5], s.memory[6]);
  mask other = s.memory[PROC6_STEP] != h; /* it has begun, or takes a part of a step */
  if (mask_any(other)) {
    quaternion begun_Q = s.Q;
    vec3 begun_P = momentum_of(c, s.W);
    step_log of_these = *log;
    flights_and_kicks_undone(&begun_Q, &begun_P, p, c, h, time, kick, PROC6_OUT_MOTIONS, &of_these);
    log->outside = log->outside | (of_these.outside & other);
    Q = attitude_select(other, begun_Q, Q);
    P = vec3_select(other, begun_P, P);
  }
  s.Q = Q;
  s.W = P;
  return s;
}
#define SD_ENTER proc6_enter

FN state proc6_step(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const double time[] = PROC6_TIMES, kick[] = PROC6_KICKS;
  flights_and_kicks(&s.Q, &s.W, &s.torque, p, c, h, time, kick, PROC6_MOTIONS, log);
  return s;
}

/* A look loses nobody, or who is lost would depend on when one looks: where C leads nowhere, z is shown as it is. */
FN state proc6_leave(state s, const problem *p, const constants *c, real h, step_log *log) {
  static const double time[] = PROC6_OUT_TIMES, kick[] = PROC6_OUT_KICKS;
  proc6_keep(&s, s.Q, s.W, h);
  state out = s;
  step_log of_look = *log;
  of_look.outside = mask_none();
  flights_and_kicks(&out.Q, &out.W, &out.torque, p, c, h, time, kick, PROC6_OUT_MOTIONS, &of_look);
  out.W = velocity_of(c, out.W);
  real all = quaternion_norm2(out.Q) + energy_of(p, c, out.Q, out.W);
  mask somewhere = real_finite(all) & mask_not(of_look.outside);
  s.Q = attitude_select(somewhere, out.Q, s.Q);
  s.W = vec3_select(somewhere, out.W, velocity_of(c, s.W));
  s.torque = vec3_select(somewhere, out.torque, s.torque);
  return s;
}
#define SD_LEAVE proc6_leave
