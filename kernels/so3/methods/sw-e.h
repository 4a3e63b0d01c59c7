/* sw-e - Simo-Wong, explicit: extrapolates the rotation with the last step's acceleration A.  Not symmetric, and
 * unstable at large steps.
 *
 *   Theta = h (W + h/2 A),  Q1 = Q exp(Theta)
 *   J W1  = exp(-Theta)(J W + h/2 torque(Q)) + h/2 torque(Q1)
 *   A1    = (W1 - W)/h                                    (A0 from Euler's equation)
 *
 * J. C. Simo, T. S. Wong, Int. J. Numer. Meth. Engng 31 (1991) 19-52, doi:10.1002/nme.1620310103. */
#define SD_MEMORY 3
#include "../two_halves.h"

FN void sw_e_begin(state *s, const constants *c) {
  vec3 A = acceleration(c, s->W, s->torque);
  s->memory[0] = A.x, s->memory[1] = A.y, s->memory[2] = A.z;
}
#define SD_BEGIN sw_e_begin

typedef struct {
  vec3 turned; /* exp(-Theta)(J W + h/2 torque(Q)) */
} sw_e_between;

FN sw_e_between sw_e_turn(state *s, const constants *c, real h, step_log *log) {
  (void)log;
  real half = 0.5 * h;
  vec3 A = vec3_make(s->memory[0], s->memory[1], s->memory[2]);
  quaternion F = exp_quaternion(vec3_scale(h, vec3_axpy(half, A, s->W)));
  sw_e_between between = {quaternion_rotate_back(F, vec3_axpy(half, s->torque, momentum_of(c, s->W)))};
  s->Q = turn(s->Q, F);
  return between;
}
FN void sw_e_finish(state *s, sw_e_between between, const constants *c, real h, step_log *log) {
  (void)log;
  vec3 W1 = velocity_of(c, vec3_axpy(0.5 * h, s->torque, between.turned));
  vec3 change = vec3_sub(W1, s->W);
  s->memory[0] = change.x / h, s->memory[1] = change.y / h, s->memory[2] = change.z / h;
  s->W = W1;
}
TWO_HALVES(sw_e)
