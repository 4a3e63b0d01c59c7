/* join.c - what it costs to join the partial results of very many ranks: those of one row of samples, made up.
 *
 *     build-test/tests/join [MEMBERS [RANKS]]
 *
 * Each rank has a range of blocks of 256 members and a sum for each of them.  Two ways to the sum of all: as the
 * program has it, all blocks in one place and the tree over them; and with what a rank could send in their stead, the
 * sums of the largest subtrees that lie in its range, joined as they come in.  The bits have to be the same. */
#define _POSIX_C_SOURCE 200809L
#include "../host/reduce.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A subtree: blocks first .. first + 2^level - 1. */
typedef struct {
  size_t first;
  int level;
  double sum;
} node;

typedef struct {
  node list[64];
  int count;
} nodes;

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The sum of a block: of any size and sign, a function of its number. */
static double sum_of_block(size_t block) {
  uint64_t x = block * UINT64_C(0x9e3779b97f4a7c15) + 1;
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  x ^= x >> 31;
  return ((double)(x >> 11) - 0x1p52) * 0x1p-60;
}

/* The next one on the right: two halves of a subtree become that. */
static void push(nodes *n, node next) {
  while (n->count) {
    node left = n->list[n->count - 1];
    if (left.level != next.level || left.first % ((size_t)2 << left.level)) break;
    next = (node){left.first, left.level + 1, left.sum + next.sum};
    n->count--;
  }
  n->list[n->count++] = next;
}

/* The rest of the tree: what is right of the largest subtree is one of its own. */
static double root(const nodes *n) {
  double sum = n->list[n->count - 1].sum;
  for (int i = n->count - 1; i-- > 0;) sum = n->list[i].sum + sum;
  return sum;
}

int main(int argc, char **argv) {
  double members = argc > 1 ? strtod(argv[1], NULL) : 1e10;
  size_t ranks = argc > 2 ? (size_t)strtod(argv[2], NULL) : 10000, most = 0, sent = 0;
  size_t blocks = (size_t)((members + 255) / 256);
  double *sums = malloc(blocks * sizeof *sums);
  nodes all = {.count = 0};
  if (!sums) return fprintf(stderr, "join: out of memory\n"), 1;
  for (size_t b = 0; b < blocks; b++) sums[b] = sum_of_block(b);
  double begun = seconds(), one = sd_tree_join(sums, blocks), at_once = seconds() - begun;
  begun = seconds();
  for (size_t r = 0; r < ranks; r++) {
    size_t first = blocks / ranks * r + (r < blocks % ranks ? r : blocks % ranks);
    size_t end = first + blocks / ranks + (r < blocks % ranks);
    nodes own = {.count = 0};
    for (size_t b = first; b < end; b++) push(&own, (node){b, 0, sums[b]});
    for (int i = 0; i < own.count; i++) push(&all, own.list[i]);
    most = (size_t)own.count > most ? (size_t)own.count : most;
    sent += (size_t)own.count;
  }
  double by_rank = seconds() - begun, other = root(&all);
  printf("%.3g members, %zu ranks, %zu blocks: a number of each in one place %.1f MB, joined in %.3f s\n", members,
         ranks, blocks, (double)(blocks * sizeof *sums) / 1e6, at_once);
  printf("subtrees: at most %zu of a rank, %zu of all, %.2f MB; summed and joined in %.3f s\n", most, sent,
         (double)(sent * sizeof(node)) / 1e6, by_rank);
  int same = !memcmp(&one, &other, sizeof one);
  printf("%s\n", same ? "the same bits" : "OTHER BITS");
  free(sums);
  return !same;
}
