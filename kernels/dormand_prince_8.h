/* dormand_prince_8.h - the twelve stages of order 8 by Dormand and Prince, with the two error estimates, of orders 5
 * and 3, of Hairer, Norsett and Wanner, for any family; sums are compensated (compensated.h).
 *
 * P. J. Prince, J. R. Dormand, J. Comput. Appl. Math. 7 (1981) 67-75, doi:10.1016/0771-050X(81)90010-3; E. Hairer,
 * S. P. Norsett, G. Wanner, Solving ordinary differential equations I, Springer (1993), doi:10.1007/978-3-540-78862-1,
 * section II.10. */
#ifndef SD_DORMAND_PRINCE_8_H
#define SD_DORMAND_PRINCE_8_H

#include "compensated.h"

enum { EIGHTH_STAGES = 12 };

/* h times the slopes. */
FN void eighth_stages(phase *k, phase y, const problem *p, const constants *c, real time, real h) {
  static const double a[EIGHTH_STAGES][EIGHTH_STAGES] = {
      {0},
      {0.0526001519587677318786},
      {0.0197250569845378994545, 0.0591751709536136983634},
      {0.0295875854768068491817, 0, 0.0887627564304205475451},
      {0.241365134159266685502, 0, -0.884549479328286085345, 0.924834003261792003116},
      {0.037037037037037037037, 0, 0, 0.17082860872947387128, 0.125467687566822425017},
      {0.037109375, 0, 0, 0.170252211019544039315, 0.060216538980455960685, -0.017578125},
      {0.0370920001185047927109, 0, 0, 0.17038392571223999381, 0.107262030446373284652, -0.0153194377486244017528,
       0.00827378916381402288758},
      {0.624110958716075717114, 0, 0, -3.36089262944694129407, -0.868219346841726006818, 27.5920996994467083049,
       20.1540675504778934086, -43.4898841810699588477},
      {0.47766253643826436589, 0, 0, -2.48811461997166764193, -0.590290826836842996371, 21.2300514481811942347,
       15.2792336328824235833, -33.2882109689848629194, -0.0203312017085086261358},
      {-0.937142430085987325717, 0, 0, 5.1863724288440637083, 1.09143734899672957819, -8.14978701074692612514,
       -18.5200656599969598642, 22.7394870993505042819, 2.49360555267965238987, -3.04676447189821950038},
      {2.27331014751653820792, 0, 0, -10.5344954667372501984, -2.0008720582248624991, -17.9589318631187989173,
       27.9488845294199600508, -2.85899827713502369474, -8.87285693353062954434, 12.3605671757943030647,
       0.643392746015763530356}};
  static const double node[EIGHTH_STAGES] = {0,
                                             0.0526001519587677318786,
                                             0.0789002279381515978178,
                                             0.118350341907227396727,
                                             0.281649658092772603273,
                                             0.333333333333333333333,
                                             0.25,
                                             0.307692307692307692308,
                                             0.651282051282051282051,
                                             0.6,
                                             0.857142857142857142857,
                                             1};
  take_stages(k, EIGHTH_STAGES, a[0], node, y, p, c, time, h);
}

FN phase eighth_change(const phase *k) {
  static const double b[EIGHTH_STAGES] = {0.0542937341165687622381,
                                          0,
                                          0,
                                          0,
                                          0,
                                          4.45031289275240888144,
                                          1.89151789931450038304,
                                          -5.80120396001058478147,
                                          0.311164366957819894409,
                                          -0.152160949662516078556,
                                          0.201365400804030348375,
                                          0.0447106157277725905177};
  return weighted_sum(phase_zero(), k, b, EIGHTH_STAGES);
}

/* One step of fixed size. */
FN state eighth_step(state s, const problem *p, const constants *c, real h) {
  phase k[EIGHTH_STAGES];
  point at = point_of(s);
  eighth_stages(k, at.y, p, c, begin_time(&s), h);
  return state_of_point(point_moved(at, eighth_change(k)), s);
}

#endif
