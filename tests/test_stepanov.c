/* test_stepanov.c - the numbers of rk10 satisfy the conditions of order 10.
 *
 * There is one for each rooted tree of up to ten vertices: a tree with the branches t_1, ..., t_m is at stage i
 * product_k sum_j a_ij t_k,j, its density is its number of vertices times theirs, and sum_i b_i tree_i = 1/density. */
#include "harness.h"

#include "../kernels/stepanov_10.h"

enum { ORDER = 10, TREES_MOST = 2000 };

typedef struct {
  int vertices;
  long double density;
  long double at[TENTH_STAGES];
} tree;

static const double share[TENTH_STAGES][TENTH_STAGES] = TENTH_SHARES, node[] = TENTH_NODES, weight[] = TENTH_WEIGHTS;
static tree known[TREES_MOST];
static int count;

/* All ways to spend the vertices that are left on branches, in their order, of the trees that were there before. */
static void grow(tree t, int left, int from, int until) {
  if (left == 0) {
    assert_true(count < TREES_MOST);
    known[count++] = t;
    return;
  }
  for (int k = from; k < until && known[k].vertices <= left; k++) {
    tree more = t;
    more.density *= known[k].density;
    for (int i = 0; i < TENTH_STAGES; i++) {
      long double sum = 0;
      for (int j = 0; j < i; j++) sum += share[i][j] * known[k].at[j];
      more.at[i] *= sum;
    }
    grow(more, left - known[k].vertices, k, until);
  }
}

static void test_conditions(void **state) {
  (void)state;
  static const int trees[ORDER + 1] = {0, 1, 1, 2, 4, 9, 20, 48, 115, 286, 719};
  long double worst = 0;
  for (int vertices = 1; vertices <= ORDER; vertices++) {
    int before = count;
    tree t = {.vertices = vertices, .density = vertices};
    for (int i = 0; i < TENTH_STAGES; i++) t.at[i] = 1;
    grow(t, vertices - 1, 0, before);
    assert_int_equal(count - before, trees[vertices]);
    for (int k = before; k < count; k++) {
      long double sum = -1 / known[k].density;
      for (int i = 0; i < TENTH_STAGES; i++) sum += weight[i] * known[k].at[i];
      worst = fmaxl(worst, fabsl(sum));
    }
  }
  print_message("%d conditions, off by at most %.1Le\n", count, worst);
  assert_true(worst < 2e-16L);
}

static void test_nodes(void **state) {
  (void)state;
  for (int i = 0; i < TENTH_STAGES; i++) {
    long double sum = 0;
    for (int j = 0; j < i; j++) sum += share[i][j];
    assert_true(fabsl(sum - node[i]) < 4e-16L);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_conditions), cmocka_unit_test(test_nodes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
