/* rotations.h - rotations in plain C, for the charts of families whose bodies turn. */
#ifndef TESTS_ROTATIONS_H
#define TESTS_ROTATIONS_H

#include <math.h>

/* A quaternion w x y z of a rotation matrix by rows. */
static inline void rotation_quaternion(const double Q[9], double q[4]) {
  double trace = Q[0] + Q[4] + Q[8];
  if (trace > 0) {
    double s = sqrt(trace + 1) * 2;
    q[0] = s / 4, q[1] = (Q[7] - Q[5]) / s, q[2] = (Q[2] - Q[6]) / s, q[3] = (Q[3] - Q[1]) / s;
    return;
  }
  int i = Q[4] > Q[0] ? 1 : 0;
  if (Q[8] > Q[4 * i]) i = 2;
  int j = (i + 1) % 3, k = (i + 2) % 3;
  double s = sqrt(1 + Q[4 * i] - Q[4 * j] - Q[4 * k]) * 2;
  q[0] = (Q[3 * k + j] - Q[3 * j + k]) / s;
  q[1 + i] = s / 4;
  q[1 + j] = (Q[3 * j + i] + Q[3 * i + j]) / s;
  q[1 + k] = (Q[3 * k + i] + Q[3 * i + k]) / s;
}

/* q exp(x), of any length that q has. */
static inline void rotation_turned(const double q[4], const double x[3], double turned[4]) {
  double angle = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]), e[3];
  double c = cos(angle / 2), w = q[0];
  const double *v = q + 1;
  for (int i = 0; i < 3; i++) e[i] = angle > 0 ? sin(angle / 2) / angle * x[i] : 0;
  turned[0] = w * c - v[0] * e[0] - v[1] * e[1] - v[2] * e[2];
  for (int i = 0; i < 3; i++)
    turned[1 + i] = c * v[i] + w * e[i] + v[(i + 1) % 3] * e[(i + 2) % 3] - v[(i + 2) % 3] * e[(i + 1) % 3];
}

/* The rotation vector of Q0^T Q, which is less than a quarter turn. */
static inline void rotation_between(const double Q0[9], const double Q[9], double x[3]) {
  double R[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      R[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) R[3 * i + j] += Q0[3 * k + i] * Q[3 * k + j];
    }
  double axis[3] = {(R[7] - R[5]) / 2, (R[2] - R[6]) / 2, (R[3] - R[1]) / 2};
  double sine = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
  double scale = sine > 0 ? asin(sine) / sine : 1;
  for (int i = 0; i < 3; i++) x[i] = scale * axis[i];
}

#endif
