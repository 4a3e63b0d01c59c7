/* idle.c - how many lanes wait for others: which share of all iterations would be masked off, of members side by side.
 *
 *     cmake --build build --target idle && build/tests/idle METHOD PROBLEM [MEMBERS [STEPS [CHUNK [wide]]]]
 *
 * An ensemble is taken through its steps one by one, by the scalar kernels, and the iterations of every member in each
 * step are noted: substeps of the adaptive methods, Newton's iterations of the implicit ones.  Lanes, or the threads of
 * a warp, that go side by side all take as many as the one that takes most.  Shown is 1 - sum/(lanes x sum of the most)
 * for 4, 8, 16 and 32 of them: in the order of the members; in parentheses regrouped before every chunk by the
 * iterations in the one before; and in brackets, not regrouped, if they met at the ends of chunks in place of steps. */
#include "../host/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void give_up(const char *why) {
  fprintf(stderr, "idle: %s\n", why);
  exit(1);
}
static void *room(size_t count) {
  double *numbers = calloc(count, sizeof *numbers);
  if (!numbers) give_up("out of memory");
  return numbers;
}

typedef struct {
  size_t members;
  int64_t steps, chunk;
  double *iterations; /* [steps][members] */
} counts;

static sd_job make_job(const sd_method *method, const sd_problem_entry *problem, const counts *n, int wide) {
  sd_job job = {.stride = n->members,
                .seed = 1,
                .step = problem->step,
                .stages = method->stages,
                .total_steps = n->steps,
                .every = n->steps,
                .first_half = 1};
  const sd_parameter *own[SD_METHOD_PARAMETERS_MAX];
  double *to = job.parameters;
  for (const sd_parameter *p = problem->parameter; p->name; p++)
    for (int i = 0; i < p->count; i++) *to++ = p->value[i];
  for (int k = 0; problem->family->start[k].name; k++) {
    const sd_start_array *a = &problem->family->start[k];
    job.sigma[k] = wide ? strtod(a->wide, NULL) : a->deviation;
  }
  for (int i = 0, count = sd_parameters_of(method->entry, own); i < count; i++) job.method[i] = own[i]->value[0];
  memcpy(job.stage, method->stage, (size_t)method->stages * sizeof *job.stage);
  problem->constants(job.parameters, job.constants);
  return job;
}

static void count_iterations(const sd_kernels *kernels, sd_job job, counts *n) {
  size_t slots = (size_t)kernels->state_slots + SD_ACCOUNT_SLOTS;
  double *before = room(n->members);
  job.slots = room(slots * n->members);
  const double *now = job.slots + ((size_t)kernels->state_slots + SD_ITERATIONS) * n->members;
  n->iterations = room((size_t)n->steps * n->members);
  kernels->begin(&job, 0, n->members);
  for (int64_t step = 0; step < n->steps; step++) {
    job.from_step = step;
    job.to_step = step + 1;
    sd_advance_of(kernels, &job)(&job, 0, n->members);
    for (size_t i = 0; i < n->members; i++) {
      n->iterations[(size_t)step * n->members + i] = now[i] - before[i];
      before[i] = now[i];
    }
  }
  free(job.slots);
  free(before);
}

typedef struct {
  double total;
  size_t member;
} place;

static int by_total(const void *a, const void *b) {
  const place *x = a, *y = b;
  return x->total < y->total ? -1 : x->total > y->total ? 1 : x->member < y->member ? -1 : x->member > y->member;
}

/* Members in the order of their iterations in the chunk that ends at a step. */
static void regroup(const counts *n, int64_t step, place *order) {
  for (size_t i = 0; i < n->members; i++) {
    order[i] = (place){0, i};
    for (int64_t s = step - n->chunk; s < step; s++) order[i].total += n->iterations[(size_t)s * n->members + i];
  }
  qsort(order, n->members, sizeof *order, by_total);
}

static double idle_share(const counts *n, size_t lanes, int regrouped) {
  place *order = room(2 * n->members);
  double taken = 0, issued = 0;
  for (size_t i = 0; i < n->members; i++) order[i].member = i;
  for (int64_t step = 0; step < n->steps; step++) {
    const double *of = n->iterations + (size_t)step * n->members;
    if (regrouped && step && step % n->chunk == 0) regroup(n, step, order);
    for (size_t first = 0; first + lanes <= n->members; first += lanes) {
      double most = 0;
      for (size_t i = first; i < first + lanes; i++) {
        double one = of[order[i].member];
        taken += one;
        most = one > most ? one : most;
      }
      issued += (double)lanes * most;
    }
  }
  free(order);
  return issued > 0 ? 1 - taken / issued : 0;
}

/* If every lane went on to its next step without waiting, until the end of the chunk. */
static double idle_apart(const counts *n, size_t lanes) {
  double taken = 0, issued = 0;
  for (int64_t step = 0; step < n->steps; step += n->chunk)
    for (size_t first = 0; first + lanes <= n->members; first += lanes) {
      double most = 0;
      for (size_t i = first; i < first + lanes; i++) {
        double one = 0;
        for (int64_t s = step; s < step + n->chunk && s < n->steps; s++)
          one += n->iterations[(size_t)s * n->members + i];
        taken += one;
        most = one > most ? one : most;
      }
      issued += (double)lanes * most;
    }
  return issued > 0 ? 1 - taken / issued : 0;
}

int main(int count, char **word) {
  if (count < 3) give_up("METHOD PROBLEM [MEMBERS [STEPS [CHUNK [wide]]]]");
  counts n = {.members = count > 3 ? (size_t)strtoul(word[3], NULL, 10) : 1024,
              .steps = count > 4 ? strtol(word[4], NULL, 10) : 1000,
              .chunk = count > 5 ? strtol(word[5], NULL, 10) : 100};
  const sd_problem_entry *problem;
  sd_method method;
  sd_error error = {0};
  if (sd_find_problem(word[2], &problem, &error) || sd_find_method(word[1], problem->family, &method, &error))
    give_up(error.message);
  const sd_kernels *kernels = sd_find_kernels(method.entry, problem, "scalar");
  if (!kernels || problem->fill) give_up("that is no method for single bodies with a scalar kernel");
  if (n.members < 32 || n.steps < 1 || n.chunk < 1) give_up("at least 32 members, a step, and a step to a chunk");
  count_iterations(kernels, make_job(&method, problem, &n, count > 6), &n);
  double sum = 0;
  for (size_t i = 0; i < (size_t)n.steps * n.members; i++) sum += n.iterations[i];
  printf("%-10s %-14s %7.2f a step; idle", word[1], word[2], sum / (double)n.steps / (double)n.members);
  for (size_t lanes = 4; lanes <= 32; lanes *= 2)
    printf("  %zu lanes %4.1f%% (%4.1f%%) [%4.1f%%]", lanes, 100 * idle_share(&n, lanes, 0),
           100 * idle_share(&n, lanes, 1), 100 * idle_apart(&n, lanes));
  printf("\n");
  free(n.iterations);
  return 0;
}
