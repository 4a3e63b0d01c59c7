/* test_nystrom.c - the lengths of kicks and motions in bm4, bm6, bce8 and proc6 satisfy the conditions of their order.
 *
 * For y'' = f(y) kicks b_i at the times c_i, and drifts between them, are a method of Nystroem: stage i sees
 * y + c_i h y' + h^2 sum_j b_j (c_i - c_j) f_j.  Its conditions are those of trees whose every vertex is an f, with
 * some leaves y' and some branches, each a tree again.  Along the exact solution a tree is worth factor t^degree, with
 * degree = leaves + sum (degree + 2) and factor = product factor/((degree + 1)(degree + 2)) over its branches; and
 * sum_i b_i tree_i = factor/(degree + 1), sum_i b_i (1 - c_i) tree_i = factor/((degree + 1)(degree + 2)). */
#include "harness.h"

#include "../kernels/nystrom.h"
#include "../kernels/orbit/gauss_8.h"

enum { KICKS_MOST = 80, TREES_MOST = 200 };

typedef struct {
  int degree;
  long double factor;
  long double at[KICKS_MOST]; /* the stages */
} tree;

typedef struct {
  int kicks;
  long double b[KICKS_MOST], c[KICKS_MOST];
  int count;
  tree known[TREES_MOST];
} conditions;

static void remember(conditions *n, const tree *t) {
  assert_true(n->count < TREES_MOST);
  n->known[n->count++] = *t;
}

/* All trees of a degree, from those of lower ones: leaves, then branches in their order. */
static void grow(conditions *n, tree t, int left, int from) {
  if (left == 0) {
    remember(n, &t);
    return;
  }
  int count = n->count; /* what is remembered meanwhile is of this degree: no branch of it */
  for (int k = from; k < count; k++) {
    const tree branch = n->known[k];
    if (branch.degree + 2 > left) continue;
    tree more = t;
    more.factor *= branch.factor / ((branch.degree + 1) * (branch.degree + 2));
    for (int i = 0; i < n->kicks; i++) {
      long double sum = 0;
      for (int j = 0; j < i; j++) sum += n->b[j] * (n->c[i] - n->c[j]) * branch.at[j];
      more.at[i] *= sum;
    }
    grow(n, more, left - branch.degree - 2, k);
  }
}

static void plant(conditions *n, int degree) {
  for (int leaves = degree; leaves >= 0; leaves--) {
    tree t = {.degree = degree, .factor = 1};
    for (int i = 0; i < n->kicks; i++) t.at[i] = powl(n->c[i], leaves);
    grow(n, t, degree - leaves, 0);
  }
}

/* The largest defect of the conditions up to an order. */
static double worst_defect(const double *kick, const double *time, int motions, int order) {
  static conditions n;
  long double worst = 0;
  n = (conditions){.kicks = motions + 1};
  for (int i = 0; i <= motions; i++) n.b[i] = kick[i];
  for (int i = 0; i < motions; i++) n.c[i + 1] = n.c[i] + time[i];
  for (int degree = 0; degree < order; degree++) plant(&n, degree);
  for (int k = 0; k < n.count; k++) {
    const tree *t = &n.known[k];
    long double velocity = -t->factor / (t->degree + 1), place = velocity / (t->degree + 2);
    for (int i = 0; i < n.kicks; i++) {
      velocity += n.b[i] * t->at[i];
      place += n.b[i] * (1 - n.c[i]) * t->at[i];
    }
    worst = fmaxl(worst, fabsl(velocity));
    if (t->degree + 2 <= order) worst = fmaxl(worst, fabsl(place));
  }
  return (double)worst;
}

static void check(const double *kick, const double *time, int motions, int order) {
  double defect = worst_defect(kick, time, motions, order), next = worst_defect(kick, time, motions, order + 1);
  for (int i = 0; i <= motions; i++) assert_true(kick[i] == kick[motions - i]);
  for (int i = 0; i < motions; i++) assert_true(time[i] == time[motions - 1 - i]);
  print_message("order %d: conditions off by %.1e, those of the next order by %.1e\n", order, defect, next);
  assert_true(defect < 0x1p-53);
  assert_true(next > 1e-8);
}

static void test_conditions(void **state) {
  static const double kick4[] = BM4_KICKS, time4[] = BM4_TIMES, kick6[] = BM6_KICKS, time6[] = BM6_TIMES;
  static const double kick8[] = BCE8_KICKS, time8[] = BCE8_TIMES;
  (void)state;
  check(kick4, time4, BM4_MOTIONS, 4);
  check(kick6, time6, BM6_MOTIONS, 6);
  check(kick8, time8, BCE8_MOTIONS, 8);
}

/* A run of one step of proc6: what its last look does undone, the step, and that look. */
static void test_processed(void **state) {
  static const double time[] = PROC6_TIMES, kick[] = PROC6_KICKS, out_time[] = PROC6_OUT_TIMES,
                      out_kick[] = PROC6_OUT_KICKS;
  enum { OUT = PROC6_OUT_MOTIONS, ALL = 2 * OUT + PROC6_MOTIONS };
  double kicks[ALL + 1] = {0}, times[ALL];
  (void)state;
  for (int i = 0; i < OUT; i++) {
    kicks[i] = -out_kick[OUT - 1 - i];
    times[i] = -out_time[OUT - 1 - i];
    times[OUT + PROC6_MOTIONS + i] = out_time[i];
    kicks[OUT + PROC6_MOTIONS + i + 1] = out_kick[i];
  }
  for (int i = 0; i < PROC6_MOTIONS; i++) {
    times[OUT + i] = time[i];
    kicks[OUT + i + 1] = kick[i];
  }
  double defect = worst_defect(kicks, times, ALL, 6), next = worst_defect(kicks, times, ALL, 7);
  print_message("proc6: conditions off by %.1e, those of the next order by %.1e\n", defect, next);
  assert_true(defect < 4 * 0x1p-53);
  assert_true(next > 1e-8);
}

/* Gauss' eight nodes, for encke: what the tables make of powers, against the powers' integrals. */
static void test_gauss(void **state) {
  (void)state;
  static const double node[] = GAUSS_NODE, half[] = GAUSS_HALF_WEIGHT, of_sums[][GAUSS_PAIRS] = GAUSS_OF_SUMS,
                      of_differences[][GAUSS_PAIRS] = GAUSS_OF_DIFFERENCES, ahead[][GAUSS_NODES] = GAUSS_AHEAD;
  const int last = GAUSS_NODES - 1;
  for (int k = 0; k < 2 * GAUSS_NODES; k++) {
    real f[GAUSS_NODES], part[GAUSS_NODES];
    long double whole = 0, middle = 0;
    for (int i = 0; i < GAUSS_NODES; i++) f[i] = (double)powl(node[i], k);
    for (int j = 0; j < GAUSS_PAIRS; j++) whole += 2.0L * half[j] * (powl(node[j], k) + powl(node[last - j], k));
    if (fabsl(whole - 1.0L / (k + 1)) > 2e-17L)
      fail_msg("degree %d: the whole is off by %Lg", k, whole - 1.0L / (k + 1));
    if (fabs(gauss_whole(f) - 1.0 / (k + 1)) > 3e-16) fail_msg("gauss_whole, degree %d", k);
    if (k >= GAUSS_NODES) continue;
    middle = whole / 2;
    gauss_parts(part, f);
    for (int i = 0; i < GAUSS_NODES; i++) {
      int row = i < GAUSS_PAIRS ? i : last - i;
      long double sum = middle, expected = powl(node[i], k + 1) / (k + 1);
      for (int j = 0; j < GAUSS_PAIRS; j++) {
        long double low = powl(node[j], k), high = powl(node[last - j], k);
        sum += of_differences[row][j] * (low - high) + (row == i ? 1 : -1) * of_sums[row][j] * (low + high);
      }
      if (fabsl(sum - expected) > 6e-17L) fail_msg("degree %d, node %d: off by %Lg", k, i, sum - expected);
      if (fabs(part[i] - (double)expected) > 5e-16) fail_msg("gauss_parts, degree %d, node %d", k, i);
      if (k >= i) continue;
      sum = 0;
      for (int j = 0; j < i; j++) sum += ahead[i][j] * powl(node[j], k);
      if (fabsl(sum - expected) > 3e-16L) fail_msg("ahead, degree %d, node %d: off by %Lg", k, i, sum - expected);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditions), cmocka_unit_test(test_processed),
                                     cmocka_unit_test(test_gauss)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
