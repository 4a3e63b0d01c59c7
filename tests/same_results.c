/* same_results.c - same_results FILE FILE: whether two result files have the same arrays, to the last bit, and say the
 * same of their runs; what differs is named. */
#include "../host/kept.h"
#include "../host/plan_text.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  sd_result **results;
  size_t runs;
} content;

static content read_file(const char *path) {
  char message[512];
  content c;
  if (!sd_results_read(path, &c.results, &c.runs, message)) return c;
  fprintf(stderr, "%s\n", message);
  exit(2);
}

static void differ(const char *what) {
  printf("other %s\n", what);
  exit(1);
}

static void compare_arrays(const sd_kept *a, const sd_kept *b) {
  size_t size = a->kind == SD_KEPT_BYTES ? 1 : sizeof(double);
  if (strcmp(a->path, b->path) || a->kind != b->kind || a->rank != b->rank || a->rows != b->rows ||
      a->width != b->width || memcmp(a->shape, b->shape, (size_t)a->rank * sizeof *a->shape))
    differ(a->path);
  for (size_t i = 0; i < a->rows; i++)
    if (memcmp((char *)a->data + i * a->stride * size, (char *)b->data + i * b->stride * size, a->width * size))
      differ(a->path);
}

static void compare_runs(const sd_result *a, const sd_result *b) {
  char *one, *other;
  sd_kept x, y;
  if (sd_result_plan(a, &one) || sd_result_plan(b, &other)) exit(2);
  if (strcmp(one, other)) differ("plan");
  if (strcmp(sd_result_digest(a), sd_result_digest(b))) differ("digest");
  if (sd_result_count(a) != sd_result_count(b) || sd_kept_count(a) != sd_kept_count(b)) differ("arrays");
  for (size_t m = 0; m < sd_result_count(a); m++)
    for (size_t k = 0; sd_kept_at(a, m, k, &x) && sd_kept_at(b, m, k, &y); k++) compare_arrays(&x, &y);
  free(one);
  free(other);
}

static void destroy(content c) {
  for (size_t i = 0; i < c.runs; i++) sd_result_destroy(c.results[i]);
  free(c.results);
}

int main(int count, char **argument) {
  if (count != 3) return 2;
  content a = read_file(argument[1]), b = read_file(argument[2]);
  if (a.runs != b.runs) differ("number of runs");
  for (size_t i = 0; i < a.runs; i++) compare_runs(a.results[i], b.results[i]);
  destroy(a);
  destroy(b);
  return 0;
}
