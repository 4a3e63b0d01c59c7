/* trajectory.h - the life of one lane group: begin, or load; step; observe; store.
 *
 * The state stays in registers while steps are taken.  It is stored at every sample, and at least every STRETCH steps,
 * so that a lane that fails can go back; the accumulators are in memory and touched at the samples alone. */
#ifndef SD_TRAJECTORY_H
#define SD_TRAJECTORY_H

#include "body.h"
#include "philox.h"

enum { STORED_STATE = (int)(sizeof(attitude) / sizeof(real)) + 3 + SD_MEMORY };

/* ---- slots ---- */

FN void put(const sd_job *job, size_t group, int k, real x) {
  real_store(job->slots + (size_t)k * job->stride + group, x);
}
FN real get(const sd_job *job, size_t group, int k) {
  return real_load(job->slots + (size_t)k * job->stride + group);
}
FN void put_account(const sd_job *job, size_t group, int k, real x) {
  put(job, group, STORED_STATE + k, x);
}
FN real get_account(const sd_job *job, size_t group, int k) {
  return get(job, group, STORED_STATE + k);
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
  for (int k = 0; k < STORED_STATE; k++) put(job, group, k, real_one_nan(slots[k]));
}

/* How a body fares: its status, and the Newton iterations of all its steps and of the worst of them. */
typedef struct {
  real status, iterations, most;
} tally;

FN tally load_tally(const sd_job *job, size_t group) {
  real packed = get_account(job, group, SD_STATUS);
  tally t = {real_splat(0), get_account(job, group, SD_ITERATIONS), packed};
  for (int s = 1; s <= SD_BODY_NOT_FINITE; s++)
    t.status = real_select(real_at_most(real_splat(s * SD_STATUS_UNIT), packed), real_splat(s), t.status);
  t.most = packed - t.status * SD_STATUS_UNIT;
  return t;
}
FN void store_tally(const sd_job *job, size_t group, tally t) {
  put_account(job, group, SD_ITERATIONS, t.iterations);
  put_account(job, group, SD_STATUS, real_fma(t.status, real_splat(SD_STATUS_UNIT), t.most));
}

/* ---- observation ---- */

/* A sum and the slot after it, its running compensation (Kahan). */
FN void add_to(const sd_job *job, size_t group, int k, real x) {
  real sum = get_account(job, group, k), lost = get_account(job, group, k + 1);
  real y = x - lost, total = sum + y;
  put_account(job, group, k, total);
  put_account(job, group, k + 1, (total - sum) - y);
}
/* The larger of the slot and x, where the body is alive. */
FN void raise_to(const sd_job *job, size_t group, int k, real x, mask alive) {
  real old = get_account(job, group, k);
  put_account(job, group, k, real_select(alive, real_max(x, old), old));
}

/* Samples are numbered from 0 at t = 0; the last one falls on the last step whatever `every` is. */
FN int64_t sample_number(const sd_job *job, int64_t step) {
  return (step + job->every - 1) / job->every;
}

FN void observe(const sd_job *job, size_t group, state s, mask alive, const problem *p, const body *b, int64_t step) {
  int half = sample_number(job, step) >= job->first_half;
  real error = energy_of(p, b, s.Q, s.W) - get_account(job, group, SD_ENERGY0);
  if (job->series) {
    int64_t row = sample_number(job, step) - job->first_sample;
    real_store(job->series + (size_t)row * job->series_stride + group, real_select(alive, error, real_nan()));
  }
  error = real_select(alive, error, real_splat(0)); /* a failed body's sums stay as they are */
  vec3 momentum = p->momentum(s.Q, momentum_of(b, s.W), b);
  real x = momentum.x - get_account(job, group, SD_MOMENTUM0), y = momentum.y - get_account(job, group, SD_MOMENTUM0 + 1),
       z = momentum.z - get_account(job, group, SD_MOMENTUM0 + 2), lowest = get_account(job, group, SD_LOWEST);
  put_account(job, group, SD_LOWEST, real_select(alive, real_min(error, lowest), lowest));
  raise_to(job, group, SD_HIGHEST, error, alive);
  put_account(job, group, SD_SQUARES, real_fma(error, error, get_account(job, group, SD_SQUARES)));
  add_to(job, group, SD_SUM + 2 * half, error);
  add_to(job, group, SD_MOMENT + 2 * half, real_splat((double)step * job->step - job->half_mean[half]) * error);
  raise_to(job, group, SD_DEFECT, attitude_defect(s.Q), alive);
  raise_to(job, group, SD_MOMENTUM_ERROR, real_max(real_max(real_abs(x), real_abs(y)), real_abs(z)), alive);
}

/* ---- the three kernels ---- */

typedef void (*begin_fn)(state *s, const body *b); /* fills a method's memory */

/* The problem's start, perturbed: Q0 exp(sigma_Q xi), W0 + sigma_W xi'.  Body 0 stays as it is. */
FN void draw_start(const sd_job *job, size_t group, quaternion *Q, vec3 *W) {
  uint64_t body = job->origin + group;
  normal_pair a = philox_normals(job->seed, body, 0), b = philox_normals(job->seed, body, 1),
              c = philox_normals(job->seed, body, 2);
  double other[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) other[i] = body + (size_t)i != 0;
  real turn_by = job->sigma_attitude * real_load(other), push_by = job->sigma_velocity * real_load(other);
  vec3 start = vec3_splat(job->parameters + 6);
  *Q = turn_unit(exp_quaternion(vec3_splat(job->parameters + 3)), vec3_scale(turn_by, vec3_make(a.first, a.second, b.first)));
  *W = vec3_axpy(push_by, vec3_make(b.second, c.first, c.second), start);
}

FN void trajectory_begin(const sd_job *job, size_t first, size_t count, const problem *p, begin_fn begin) {
  const body b = body_of_job(job);
  for (size_t group = first; group < first + count; group += SD_LANES) {
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
    state s = {attitude_from(Q0), W0, {real_splat(0)}, vec3_zero()};
    s.torque = p->torque(s.Q, &b);
    if (begin) begin(&s, &b);
    real energy0 = energy_of(p, &b, s.Q, s.W);
    vec3 momentum0 = p->momentum(s.Q, momentum_of(&b, s.W), &b);
    mask alive = real_finite(energy0);
    tally t = {real_select(alive, real_splat(SD_BODY_OK), real_splat(SD_BODY_NOT_FINITE)), real_splat(0), real_splat(0)};
    for (int k = 0; k < SD_ACCOUNT_SLOTS; k++) put_account(job, group, k, real_splat(0));
    put_account(job, group, SD_ENERGY0, energy0);
    put_account(job, group, SD_MOMENTUM0, momentum0.x);
    put_account(job, group, SD_MOMENTUM0 + 1, momentum0.y);
    put_account(job, group, SD_MOMENTUM0 + 2, momentum0.z);
    store_state(job, group, s);
    store_tally(job, group, t);
    observe(job, group, s, alive, p, &b, 0);
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

/* `count` steps from s, without looking back.  Failures gather in the log. */
FN state run_steps(state s, int64_t count, const sd_job *job, const problem *p, const body *b, step_fn step,
                   step_log *log, tally *t) {
  real total = real_splat(0), most = t->most;
  int stages = job->stages, i = 0;
  for (int64_t left = count * stages; left > 0; left--) {
    log->iterations = real_splat(0);
    s = step(s, p, b, real_splat(job->step * job->stage[i]), log);
    total = total + log->iterations;
    most = real_max(log->iterations, most);
    if (++i == stages) i = 0;
  }
  t->iterations = t->iterations + total;
  t->most = most;
  return s;
}

FN mask alive_by(tally t) {
  return real_at_most(t.status, real_splat(0));
}

/* Steps are taken in stretches, each from a stored state.  When a lane fails in a stretch, the stretch is repeated
 * step by step: the failing lane keeps the state before the step it failed in, the others lose nothing. */
enum { STRETCH = 256 };

FN void trajectory_advance(const sd_job *job, size_t first, size_t count, const problem *p, step_fn step) {
  const body b = body_of_job(job);
  for (size_t group = first; group < first + count; group += SD_LANES) {
    state s = load_state(job, group, p, &b);
    tally t = load_tally(job, group);
    step_log log = {alive_by(t), mask_none(), mask_none(), real_splat(0)};
    int64_t n = job->from_step, careful_until = 0;
    while (n < job->to_step) {
      int64_t sample = (n / job->every + 1) * job->every, stop = sample < job->to_step ? sample : job->to_step;
      if (stop - n > STRETCH) stop = n + STRETCH;
      if (n < careful_until) stop = n + 1;
      log.failed = log.outside = mask_none();
      s = run_steps(s, stop - n, job, p, &b, step, &log, &t);
      mask ok = log.alive & mask_not(log.failed | log.outside) & state_finite(s);
      if (!mask_every(ok)) { /* some lane has failed, now or earlier */
        const state before = load_state(job, group, p, &b);
        tally then = load_tally(job, group);
        if (mask_any(log.alive & mask_not(ok)) && stop - n > 1) {
          careful_until = stop;
          s = before;
          t = then;
          continue;
        }
        real status = real_select(log.failed, real_splat(SD_BODY_NOT_CONVERGED), real_splat(SD_BODY_NOT_FINITE));
        status = real_select(log.outside, real_splat(SD_BODY_OUTSIDE_DOMAIN), status);
        t.status = real_select(log.alive & mask_not(ok), status, t.status);
        log.alive = ok;
        s = state_select(ok, s, before); /* what a failed lane did since is undone */
        t.iterations = real_select(ok, t.iterations, then.iterations);
        t.most = real_select(ok, t.most, then.most);
      }
      n = stop;
      store_state(job, group, s);
      store_tally(job, group, t);
      if (n == sample || n == job->total_steps) observe(job, group, s, log.alive, p, &b, n);
    }
  }
}

FN void trajectory_export(const sd_job *job, size_t first, size_t count, const problem *p) {
  const body b = body_of_job(job);
  for (size_t group = first; group < first + count; group += SD_LANES) {
    state s = load_state(job, group, p, &b);
    mat3 Q = attitude_matrix(s.Q);
    real error = energy_of(p, &b, s.Q, s.W) - get_account(job, group, SD_ENERGY0);
    real out[SD_EXPORT_SLOTS] = {Q.x.x, Q.x.y, Q.x.z, Q.y.x, Q.y.y, Q.y.z, Q.z.x,
                                 Q.z.y, Q.z.z, s.W.x, s.W.y, s.W.z, error, load_tally(job, group).status};
    for (int k = 0; k < SD_EXPORT_SLOTS; k++)
      real_store(job->exported + (size_t)k * job->export_stride + group, real_one_nan(out[k]));
  }
}

#endif
