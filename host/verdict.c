#include "verdict.h"

#include <math.h>

/* ---- Student's distribution ---- */

/* Exact values up to 20 degrees of freedom; then the Cornish-Fisher expansion about the normal's point z (Abramowitz
 * and Stegun 26.7.5).  Only + - * /, so the same bits everywhere. */
static double student(double nu, const double table[21], double z) {
  if (nu <= 20) return table[(int)nu];
  double z2 = z * z, r = 1 / nu;
  double g1 = z * (z2 + 1) / 4;
  double g2 = z * ((5 * z2 + 16) * z2 + 3) / 96;
  double g3 = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
  double g4 = z * ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) / 92160;
  return z + r * (g1 + r * (g2 + r * (g3 + r * g4)));
}

double sd_student95(double nu) {
  static const double table[21] = {
      INFINITY,          12.7062047361747,  4.302652729749464, 3.18244630528371,  2.776445105197794, 2.570581835636316,
      2.44691185114497,  2.364624251592785, 2.306004135204167, 2.262157162798206, 2.228138851986275, 2.20098516009164,
      2.178812829667229, 2.160368656462793, 2.144786687917804, 2.131449545559776, 2.119905299221255, 2.109815577833317,
      2.100922040241038, 2.09302405440831,  2.085963447265865};
  return student(nu, table, 1.959963984540054);
}

double sd_student999(double nu) {
  static const double table[21] = {
      INFINITY,          636.6192487687196, 31.59905457644362, 12.92397863668748, 8.610301581379275, 6.86882662588111,
      5.95881617881876,  5.407882520861725, 5.041305433373367, 4.780912585931139, 4.586893858702636, 4.43697933823445,
      4.317791283606185, 4.220831727707121, 4.140454112738203, 4.072765195903792, 4.014996327184056, 3.965126272119031,
      3.92164582508516,  3.883405852592083, 3.849516274930827};
  return student(nu, table, 3.290526731491895);
}

/* ---- the trend over windows ---- */

/* Hann's taper without a cosine: w = x^2 (1 - x)^2 16 has the same double zeros at the ends and damps alike. */
static double taper(double x) {
  double w = x * (1 - x);
  return 16 * w * w;
}

/* Window j of `windows`: the tapered mean of the ensemble mean, and of the time. */
static void window_mean(const sd_series *s, int j, int windows, double *time, double *mean) {
  double begin = s->sample[0].time, length = (s->sample[s->count - 1].time - begin) / windows;
  double sum = 0, weights = 0, times = 0, left = begin + j * length;
  for (size_t i = 0; i < s->count; i++) {
    double x = (s->sample[i].time - left) / length;
    if (x <= 0 || x >= 1) continue;
    double w = taper(x);
    weights += w;
    sum += w * s->sample[i].mean;
    times += w * s->sample[i].time;
  }
  *time = times / weights;
  *mean = sum / weights;
}

sd_trend sd_trend_of(const sd_series *s) {
  sd_trend trend = {0, NAN, NAN, NAN, NAN};
  enum { CHANGES = SD_WINDOWS - 1 };
  double time[SD_WINDOWS], mean[SD_WINDOWS], scatter = 0;
  if (s->count < SD_WINDOWS * SD_WINDOW_SAMPLES) return trend;
  for (int j = 0; j < SD_WINDOWS; j++) window_mean(s, j, SD_WINDOWS, &time[j], &mean[j]);
  double spacing = (time[CHANGES] - time[0]) / CHANGES, change = (mean[CHANGES] - mean[0]) / CHANGES;
  for (int j = 0; j < CHANGES; j++) {
    double gap = mean[j + 1] - mean[j] - change;
    scatter += gap * gap;
  }
  double freedom = CHANGES - 1;
  trend.windows = SD_WINDOWS;
  trend.slope = change / spacing;
  trend.error = sqrt(scatter / freedom / CHANGES) / spacing;
  trend.reach95 = sd_student95(freedom) * trend.error;
  trend.reach999 = sd_student999(freedom) * trend.error;
  return trend;
}

/* ---- the verdict ---- */

sd_verdict sd_judge(const sd_summary *r, const sd_trend *trend, int64_t stages) {
  /* bodies all alike have no spread but what rounding makes of their mean */
  if (!(r->slope_stderr > 1e-14 * fabs(r->slope_mean)) || !trend->windows) return SD_UNDECIDED;
  double sign = r->slope_mean < 0 ? -1 : 1;
  double nearest = sign > 0 ? r->slope_low : -r->slope_high;
  double rounding = 0x1p-55 * (1 + fabs(r->energy_initial_mean)) * (double)stages;
  int over_bodies = nearest > 0 && sign * r->slope_first_half > 0 && sign * r->slope_second_half > 0;
  int over_windows = sign * trend->slope > trend->reach999;
  if (!over_bodies || !over_windows || fabs(trend->slope) * r->time <= rounding) return SD_BOUNDED;
  return sign > 0 ? SD_DRIFTS_UP : SD_DRIFTS_DOWN;
}
