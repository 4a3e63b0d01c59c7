/* rigid_body.h - states of a rigid body as results have them, and the tangent space at one, trivialised from the left:
 * a rotation vector in the body frame and a change of the body momentum. */
#ifndef PAPERS_RIGID_BODY_H
#define PAPERS_RIGID_BODY_H

#include "../include/spindrift.h"

enum { BODY_START = 7, BODY_TANGENT = 6 }; /* numbers of a start (quaternion, velocity) and of a tangent vector */

typedef struct {
  double Q[9], W[3]; /* attitude by rows, velocity in the body frame */
} body_state;

/* Of a member at the end of a run (0: it is not there), and of one whose trajectory was kept, at a sample. */
int body_final(const sd_result *result, size_t method, size_t member, body_state *state);
int body_sample(const sd_result *result, size_t method, size_t sample, size_t member, body_state *state);

void body_quaternion(const double Q[9], double q[4]);
void body_rotation_vector(const double Q[9], double x[3]);
/* The start that a state is. */
void body_start(const body_state *state, double start[BODY_START]);
/* The start moved along a tangent vector. */
void body_displace(const double start[BODY_START], const double J[3], const double *tangent, double moved[BODY_START]);
/* The tangent vector from a base to a state near by. */
void body_tangent(const body_state *base, const body_state *state, const double J[3], double *tangent);
/* The canonical two-form at a momentum P: w((a, p), (b, r)) = r.a - p.b + P.(a x b), by rows. */
void body_form(const body_state *base, const double J[3], double form[BODY_TANGENT * BODY_TANGENT]);
/* Distances of attitudes and of velocities, Frobenius. */
double body_attitude_distance(const body_state *a, const body_state *b);
double body_velocity_distance(const body_state *a, const body_state *b);

#endif
