/* trajectory.h - the life of one lane group: begin, or load; step; observe; store.
 *
 * State and accumulators stay in registers for all the steps of a job; memory is touched once at each end. */
#ifndef SD_TRAJECTORY_H
#define SD_TRAJECTORY_H

#include "body.h"
#include "philox.h"

enum { STORED_STATE = (int)(sizeof(attitude) / sizeof(real)) + 3 + SD_MEMORY };

/* A sum with its running compensation (Kahan). */
typedef struct {
  real sum, lost;
} long_sum;

FN long_sum long_sum_add(long_sum s, real x) {
  real y = x - s.lost, t = s.sum + y;
  s.lost = (t - s.sum) - y;
  s.sum = t;
  return s;
}

/* What is kept of a body besides its state, in the order of the slots in job.h. */
typedef struct {
  real energy0;
  vec3 momentum0;
  real lowest, highest, squares;
  long_sum sum[2], moment[2]; /* per half of the run */
  real defect, momentum_error, iterations;
  real status, most_iterations; /* one slot */
} account;

/* ---- slots ---- */

FN const double *slot(const sd_job *job, size_t group, int k) {
  return job->slots + (size_t)k * job->stride + group;
}
FN void put(const sd_job *job, size_t group, int k, real x) {
  real_store(job->slots + (size_t)k * job->stride + group, x);
}
FN real get(const sd_job *job, size_t group, int k) {
  return real_load(slot(job, group, k));
}

FN state load_state(const sd_job *job, size_t group, const problem *p, const body *b) {
  state s;
  real slots[sizeof(state) / sizeof(real)] = {0};
  for (int k = 0; k < STORED_STATE; k++) slots[k] = get(job, group, k);
  memcpy(&s, slots, sizeof s);
  s.torque = p->torque(s.Q, b);
  return s;
}
FN void store_state(const sd_job *job, size_t group, state s) {
  real slots[sizeof(state) / sizeof(real)];
  memcpy(slots, &s, sizeof s);
  for (int k = 0; k < STORED_STATE; k++) put(job, group, k, slots[k]);
}
FN account load_account(const sd_job *job, size_t group) {
  account a;
  real slots[sizeof(account) / sizeof(real)];
  for (int k = 0; k < SD_ACCOUNT_SLOTS; k++) slots[k] = get(job, group, STORED_STATE + k);
  real packed = slots[SD_STATUS], status = real_splat(0);
  for (int s = 1; s <= SD_BODY_NOT_FINITE; s++)
    status = real_select(real_at_most(real_splat(s * SD_STATUS_UNIT), packed), real_splat(s), status);
  slots[SD_STATUS] = status;
  slots[SD_STATUS + 1] = packed - status * SD_STATUS_UNIT;
  memcpy(&a, slots, sizeof a);
  return a;
}
FN void store_account(const sd_job *job, size_t group, account a) {
  real slots[sizeof(account) / sizeof(real)];
  a.status = real_fma(a.status, real_splat(SD_STATUS_UNIT), a.most_iterations);
  memcpy(slots, &a, sizeof a);
  for (int k = 0; k < SD_ACCOUNT_SLOTS; k++) put(job, group, STORED_STATE + k, slots[k]);
}

/* ---- observation ---- */

FN body load_body(const sd_job *job, const problem *p) {
  body b = {0};
  b.J = vec3_splat(job->parameters);
  real one = real_splat(1);
  b.J_inverse = vec3_make(one / b.J.x, one / b.J.y, one / b.J.z);
  b.J_gap = vec3_make(b.J.y - b.J.z, b.J.z - b.J.x, b.J.x - b.J.y);
  b.J_gap_over_J = vec3_times(b.J_gap, b.J_inverse);
  for (int i = 0; i < SD_METHOD_MAX; i++) b.parameter[i] = job->method[i];
  p->load(&b, job->parameters + SD_OWN);
  return b;
}

/* Samples are numbered from 0 at t = 0; the last one falls on the last step whatever `every` is. */
FN int64_t sample_number(const sd_job *job, int64_t step) {
  return (step + job->every - 1) / job->every;
}

FN void observe(account *a, state s, const problem *p, const body *b, const sd_job *job, size_t group, int64_t step) {
  mask alive = real_at_most(a->status, real_splat(0));
  int half = sample_number(job, step) >= job->first_half;
  real error = energy_of(p, b, s.Q, s.W) - a->energy0;
  if (job->series) {
    int64_t row = sample_number(job, step) - job->first_sample;
    real_store(job->series + (size_t)row * job->stride + group, real_select(alive, error, real_nan()));
  }
  error = real_select(alive, error, real_splat(0)); /* a failed body's sums stay as they are */
  real weight = real_splat((double)step * job->step - job->half_mean[half]);
  vec3 change = vec3_sub(p->momentum(s.Q, momentum_of(b, s.W), b), a->momentum0);
  real largest = real_max(real_max(real_abs(change.x), real_abs(change.y)), real_abs(change.z));
  a->lowest = real_select(alive, real_min(error, a->lowest), a->lowest);
  a->highest = real_select(alive, real_max(error, a->highest), a->highest);
  a->squares = real_fma(error, error, a->squares);
  a->sum[half] = long_sum_add(a->sum[half], error);
  a->moment[half] = long_sum_add(a->moment[half], weight * error);
  a->defect = real_select(alive, real_max(attitude_defect(s.Q), a->defect), a->defect);
  a->momentum_error = real_select(alive, real_max(largest, a->momentum_error), a->momentum_error);
}

/* ---- the three kernels ---- */

typedef void (*begin_fn)(state *s, const body *b); /* fills a method's memory */

/* The problem's start, perturbed: Q0 exp(sigma_Q xi), W0 + sigma_W xi'.  Body 0 stays as it is. */
FN void draw_start(const sd_job *job, size_t group, quaternion *Q, vec3 *W) {
  normal_pair a = philox_normals(job->seed, group, 0), b = philox_normals(job->seed, group, 1),
              c = philox_normals(job->seed, group, 2);
  double other[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) other[i] = group + (size_t)i != 0;
  real turn_by = job->sigma_attitude * real_load(other), push_by = job->sigma_velocity * real_load(other);
  vec3 start = vec3_splat(job->parameters + 6);
  *Q = turn_unit(exp_quaternion(vec3_splat(job->parameters + 3)), vec3_scale(turn_by, vec3_make(a.first, a.second, b.first)));
  *W = vec3_axpy(push_by, vec3_make(b.second, c.first, c.second), start);
}

FN void trajectory_begin(const sd_job *job, const problem *p, begin_fn begin) {
  const body b = load_body(job, p);
  for (size_t group = job->first; group < job->first + job->count; group += SD_LANES) {
    quaternion Q0 = {get(job, group, 0), {get(job, group, 1), get(job, group, 2), get(job, group, 3)}};
    vec3 W0 = vec3_make(get(job, group, 4), get(job, group, 5), get(job, group, 6));
    real norm2 = quaternion_norm2(Q0);
    mask given = real_less(real_splat(0), norm2);
    Q0 = quaternion_scale(real_rsqrt(real_select(given, norm2, real_splat(1))), Q0);
    quaternion drawn_Q;
    vec3 drawn_W;
    draw_start(job, group, &drawn_Q, &drawn_W);
    Q0.w = real_select(given, Q0.w, drawn_Q.w);
    Q0.v = vec3_select(given, Q0.v, drawn_Q.v);
    W0 = vec3_select(given, W0, drawn_W);
    state s = {.Q = attitude_from(Q0), .W = W0};
    s.torque = p->torque(s.Q, &b);
    if (begin) begin(&s, &b);
    account a = {.energy0 = energy_of(p, &b, s.Q, s.W), .momentum0 = p->momentum(s.Q, momentum_of(&b, s.W), &b)};
    a.status = real_select(real_finite(a.energy0), real_splat(SD_BODY_OK), real_splat(SD_BODY_NOT_FINITE));
    observe(&a, s, p, &b, job, group, 0);
    store_state(job, group, s);
    store_account(job, group, a);
  }
}

FN state state_select(mask m, state a, state b) {
  a.Q = attitude_select(m, a.Q, b.Q);
  a.W = vec3_select(m, a.W, b.W);
  a.torque = vec3_select(m, a.torque, b.torque);
  for (int i = 0; i < SD_MEMORY; i++) a.memory[i] = real_select(m, a.memory[i], b.memory[i]);
  return a;
}
FN mask state_finite(state s) { /* an attitude that is not shows in the next torque, and so in the next W */
  return real_finite(s.W.x + s.W.y + s.W.z);
}

/* Steps n .. n+count-1 from s, without looking back.  Failures gather in the log. */
FN state run_steps(state s, int64_t count, const sd_job *job, const problem *p, const body *b, step_fn step,
                   step_log *log, account *a) {
  real total = real_splat(0), most = a->most_iterations;
  int stages = job->stages, i = 0;
  for (int64_t left = count * stages; left > 0; left--) {
    log->iterations = real_splat(0);
    s = step(s, p, b, real_splat(job->step * job->stage[i]), log);
    total = total + log->iterations;
    most = real_max(log->iterations, most);
    if (++i == stages) i = 0;
  }
  a->iterations = a->iterations + total;
  a->most_iterations = most;
  return s;
}

/* Steps are taken in stretches, each from a saved state.  When a lane fails in a stretch, the stretch is repeated
 * step by step: the failing lane keeps the state before the step it failed in, the others lose nothing. */
enum { STRETCH = 256 };

FN void trajectory_advance(const sd_job *job, const problem *p, step_fn step) {
  const body b = load_body(job, p);
  for (size_t group = job->first; group < job->first + job->count; group += SD_LANES) {
    state s = load_state(job, group, p, &b);
    account a = load_account(job, group);
    step_log log = {.alive = real_at_most(a.status, real_splat(0))};
    int64_t n = job->from_step, careful_until = 0;
    while (n < job->to_step) {
      int64_t sample = (n / job->every + 1) * job->every, stop = sample < job->to_step ? sample : job->to_step;
      if (stop - n > STRETCH) stop = n + STRETCH;
      if (n < careful_until) stop = n + 1;
      const state before = s;
      const account account_before = a;
      log.failed = log.outside = mask_none();
      s = run_steps(s, stop - n, job, p, &b, step, &log, &a);
      mask ok = log.alive & mask_not(log.failed | log.outside) & state_finite(s);
      if (mask_any(log.alive & mask_not(ok))) {
        if (stop - n > 1) {
          careful_until = stop;
          s = before;
          a = account_before;
          continue;
        }
        real status = real_select(log.failed, real_splat(SD_BODY_NOT_CONVERGED), real_splat(SD_BODY_NOT_FINITE));
        status = real_select(log.outside, real_splat(SD_BODY_OUTSIDE_DOMAIN), status);
        a.status = real_select(log.alive & mask_not(ok), status, a.status);
        log.alive = ok;
      }
      if (!mask_every(log.alive)) { /* what a failed lane did since is undone */
        s = state_select(log.alive, s, before);
        a.iterations = real_select(log.alive, a.iterations, account_before.iterations);
        a.most_iterations = real_select(log.alive, a.most_iterations, account_before.most_iterations);
      }
      n = stop;
      if (n == sample || n == job->total_steps) observe(&a, s, p, &b, job, group, n);
    }
    store_state(job, group, s);
    store_account(job, group, a);
  }
}

FN void trajectory_export(const sd_job *job, const problem *p) {
  const body b = load_body(job, p);
  for (size_t group = job->first; group < job->first + job->count; group += SD_LANES) {
    state s = load_state(job, group, p, &b);
    mat3 Q = attitude_matrix(s.Q);
    real error = energy_of(p, &b, s.Q, s.W) - get(job, group, STORED_STATE + SD_ENERGY0);
    real out[SD_EXPORT_SLOTS] = {Q.x.x, Q.x.y, Q.x.z, Q.y.x, Q.y.y, Q.y.z, Q.z.x,
                                 Q.z.y, Q.z.z, s.W.x, s.W.y, s.W.z, error};
    for (int k = 0; k < SD_EXPORT_SLOTS; k++)
      real_store(job->exported + (size_t)k * job->export_stride + (group - job->first), out[k]);
  }
}

#endif
