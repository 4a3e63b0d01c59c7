/* tableau.h - sums over the slopes of a Runge-Kutta method, for any family. */
#ifndef SD_TABLEAU_H
#define SD_TABLEAU_H

/* y + h (a[0] k[0] + a[1] k[1] + ...) */
FN phase slopes_added(phase y, real h, const phase *k, const double *a, int count) {
  for (int i = 0; i < count; i++)
    if (a[i] != 0) y = phase_axpy(h * a[i], k[i], y);
  return y;
}

#endif
