#include "rigid_body.h"

#include <math.h>
#include <string.h>

static void take(const double *numbers, const sd_view *view, size_t member, double *to, int rows, int columns) {
  int last = view->rank - (columns > 1 ? 2 : 1); /* the first dimension of the array itself */
  const double *from = numbers + member * view->stride[last - 1];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      to[columns * i + j] =
          from[(size_t)i * view->stride[last] + (columns > 1 ? (size_t)j * view->stride[last + 1] : 0)];
}

int body_final(const sd_result *result, size_t method, size_t member, body_state *s) {
  sd_view Q = {.size = sizeof Q}, W = {.size = sizeof W};
  if (!result || sd_result_final(result, method, 0, &Q) || sd_result_final(result, method, 1, &W)) return 0;
  if (member >= Q.shape[0]) return 0;
  take(Q.data, &Q, member, s->Q, 3, 3);
  take(W.data, &W, member, s->W, 3, 1);
  return 1;
}

int body_sample(const sd_result *result, size_t method, size_t sample, size_t member, body_state *s) {
  sd_view Q = {.size = sizeof Q}, W = {.size = sizeof W};
  if (!result || sd_result_trajectory(result, method, 0, &Q) || sd_result_trajectory(result, method, 1, &W)) return 0;
  if (sample >= Q.shape[0] || member >= Q.shape[1]) return 0;
  take(Q.data + sample * Q.stride[0], &Q, member, s->Q, 3, 3);
  take(W.data + sample * W.stride[0], &W, member, s->W, 3, 1);
  return 1;
}

void body_quaternion(const double Q[9], double q[4]) {
  double trace = Q[0] + Q[4] + Q[8];
  if (trace > 0) {
    double s = sqrt(trace + 1) * 2;
    q[0] = s / 4, q[1] = (Q[7] - Q[5]) / s, q[2] = (Q[2] - Q[6]) / s, q[3] = (Q[3] - Q[1]) / s;
    return;
  }
  int i = Q[4] > Q[0] ? 1 : 0; /* the largest component of the axis, to divide by */
  if (Q[8] > Q[4 * i]) i = 2;
  int j = (i + 1) % 3, k = (i + 2) % 3;
  double s = sqrt(1 + Q[4 * i] - Q[4 * j] - Q[4 * k]) * 2;
  q[0] = (Q[3 * k + j] - Q[3 * j + k]) / s;
  q[1 + i] = s / 4;
  q[1 + j] = (Q[3 * j + i] + Q[3 * i + j]) / s;
  q[1 + k] = (Q[3 * k + i] + Q[3 * i + k]) / s;
}

void body_rotation_vector(const double Q[9], double x[3]) {
  double q[4];
  body_quaternion(Q, q);
  double sine = sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3]), sign = q[0] < 0 ? -1 : 1;
  double scale = sine > 0 ? 2 * atan2(sine, fabs(q[0])) / sine : 2;
  for (int i = 0; i < 3; i++) x[i] = sign * scale * q[1 + i];
}

void body_start(const body_state *s, double start[BODY_START]) {
  body_quaternion(s->Q, start);
  memcpy(start + 4, s->W, sizeof s->W);
}

void body_displace(const double start[BODY_START], const double J[3], const double *tangent, double moved[BODY_START]) {
  double angle = sqrt(tangent[0] * tangent[0] + tangent[1] * tangent[1] + tangent[2] * tangent[2]), e[3];
  double c = cos(angle / 2), w = start[0];
  const double *v = start + 1;
  for (int i = 0; i < 3; i++) e[i] = angle > 0 ? sin(angle / 2) / angle * tangent[i] : 0;
  moved[0] = w * c - v[0] * e[0] - v[1] * e[1] - v[2] * e[2];
  for (int i = 0; i < 3; i++) {
    moved[1 + i] = c * v[i] + w * e[i] + v[(i + 1) % 3] * e[(i + 2) % 3] - v[(i + 2) % 3] * e[(i + 1) % 3];
    moved[4 + i] = start[4 + i] + tangent[3 + i] / J[i];
  }
}

void body_tangent(const body_state *base, const body_state *s, const double J[3], double *x) {
  double R[9], axis[3], sine = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      R[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) R[3 * i + j] += base->Q[3 * k + i] * s->Q[3 * k + j];
    }
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    axis[i] = (R[3 * k + j] - R[3 * j + k]) / 2;
    sine += axis[i] * axis[i];
  }
  sine = sqrt(sine);
  for (int i = 0; i < 3; i++) x[i] = sine > 0 ? asin(sine) / sine * axis[i] : axis[i];
  for (int i = 0; i < 3; i++) x[3 + i] = J[i] * (s->W[i] - base->W[i]);
}

void body_form(const body_state *base, const double J[3], double w[BODY_TANGENT * BODY_TANGENT]) {
  memset(w, 0, BODY_TANGENT * BODY_TANGENT * sizeof *w);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    double P = J[i] * base->W[i];
    w[6 * i + 3 + i] = 1;
    w[6 * (3 + i) + i] = -1;
    w[6 * j + k] = P;
    w[6 * k + j] = -P;
  }
}

static double distance(const double *a, const double *b, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sqrt(sum);
}
double body_attitude_distance(const body_state *a, const body_state *b) {
  return distance(a->Q, b->Q, 9);
}
double body_velocity_distance(const body_state *a, const body_state *b) {
  return distance(a->W, b->W, 3);
}
