/* trajectory.h - the life of one lane group: begin, or load; step; observe; store.
 *
 * The state stays in registers while steps are taken.  It is stored at every sample, and at least every STRETCH steps,
 * so that a lane that fails can go back; the accumulators are in memory and touched at the samples alone.
 *
 * What a lane's member is, its family says in the family.h of its folder, which is included first:
 *   state, constants, problem, step_fn, begin_fn      the types that its methods and problems are written in
 *   STATE_NUMBERS    reals at the front of a state that are stored
 *   KEPT_NUMBERS     slots after them that the family uses as it likes
 *   SHOWN_NUMBERS    numbers that state_export makes of it: the family's arrays, in their order
 *   COORDINATES      numbers that state_coordinates makes of it: those of a start, in their order
 *   constants_of_group  what the problem's parameters come to
 *   state_start      the state at t = 0: the slots' own or, where they hold none, drawn
 *   state_recall     fills what is not stored
 *   state_at_time    tells a state the time; nothing, where no force depends on it
 *   state_energy, state_momentum, state_defect   what is observed; energy and momenta should stay as they are
 *   state_kinetic    the part of the energy that is of the motion
 *   state_select, state_export, state_coordinates
 *   PLAIN_STATE      defined where a method has added nothing to the state and its lanes (ends.c)
 *   TIMED            1 where forces may depend on the time: state_at_time is called before every step
 *   IMPULSES         1 where there may be impulses: state_kick applies number k of the job, between two steps; and
 *                    burns: constants_until says what is on until then
 *   EVENTS           1 where something may happen to a member on its way (events.h)
 *
 * A method may define SD_ENTER and SD_LEAVE, functions of a step's form that are called before the first and after the
 * last of steps between which nobody looks: one that takes its steps in other coordinates, which it keeps in its
 * memory, goes to them and shows in the state where it is.  What it keeps may not depend on how often it is asked, and
 * SD_LEAVE may lose no member.  Not where forces depend on the time or others than the method change a state. */
#ifndef SD_TRAJECTORY_H
#define SD_TRAJECTORY_H

#if defined(SD_ENTER) && (TIMED || IMPULSES || EVENTS)
#error "SD_ENTER and SD_LEAVE are for families whose states nobody but the method changes"
#endif

#include "accounts.h"
#include "witness.h"

/* ---- states in their slots ---- */

FN state load_state(const sd_job *job, size_t group, const problem *p, const constants *c, int64_t step) {
  state s;
  real slots[sizeof(state) / sizeof(real)] = {real_splat(0)};
  for (int k = 0; k < STATE_NUMBERS; k++) slots[k] = get(job, group, k);
  memcpy(&s, slots, sizeof s);
  state_at_time(&s, time_of(job, group, step));
  state_recall(&s, p, c);
  return s;
}
FN void store_state(const sd_job *job, size_t group, state s) {
  real slots[sizeof(state) / sizeof(real)];
  memcpy(slots, &s, sizeof s);
  for (int k = 0; k < STATE_NUMBERS; k++) put(job, group, k, real_one_nan(slots[k]));
}

/* ---- observation ---- */

/* The state's coordinates to the rows of a sample. */
FN_RARE void show_state(const sd_job *job, size_t group, const state *s, mask alive, int64_t step) {
  real numbers[COORDINATES];
  int64_t row = job->coordinate_row + (sample_number(job, step) - job->first_sample) * COORDINATES;
  state_coordinates(s, numbers);
  for (int k = 0; k < COORDINATES; k++) put_row(job, group, row + k, real_one_nan(numbers[k]), alive);
}

FN void observe(const sd_job *job, size_t group, state s, real energy, mask alive, const problem *p, const constants *c,
                int64_t step) {
  account_for(job, group, energy, momentum_change(job, group, state_momentum(&s, p, c)),
              state_defect(job, group, &s, c, step, time_of(job, group, step)), alive, step);
  if (job->series && job->coordinate_row) show_state(job, group, &s, alive, step);
}

/* ---- which bodies are lost ---- */

/* Where every stored number of the state, and its energy, is finite.  What is not stays so: every step makes each
 * number from the one before it, and nothing takes an infinity or a NaN back; what SD_LEAVE shows is finite where the
 * numbers that it is made of are.  So it does not matter at which steps one looks, as long as the step it came in is
 * looked for then. */
FN mask is_finite(const state *s, real energy) {
  real numbers[sizeof(state) / sizeof(real)], nothing = 0.0 * energy; /* NaN where one of them is not */
  memcpy(numbers, s, sizeof *s);
  for (int k = 0; k < STATE_NUMBERS; k++) nothing = real_fma(real_splat(0), numbers[k], nothing);
  return nothing == 0.0;
}

/* ---- what happens on the way ---- */

#if EVENTS
#include "events.h"
#else /* there is nothing to watch */
typedef void (*piece_fn)(void);
typedef struct {
  mask crossed, ended;
} watch;
FN watch watch_begun(const sd_job *job, size_t group, int watched) {
  watch w = {mask_none(), mask_none()};
  (void)job, (void)group, (void)watched;
  return w;
}
#endif

/* ---- the three kernels ---- */

FN void trajectory_begin(const sd_job *job, size_t first, size_t count, const problem *p, begin_fn begin) {
  for (size_t group = first; group < first + count; group += SD_LANES) {
    const constants c = constants_of_group(job, group);
    state s = state_start(job, group, p, &c);
    if (begin) begin(&s, &c);
    real energy0 = state_energy(&s, p, &c);
    vec3 momentum0 = state_momentum(&s, p, &c);
    mask alive = is_finite(&s, energy0);
    open_accounts(job, group, energy0, state_kinetic(&s, &c), momentum0,
                  state_defect(job, group, &s, &c, 0, real_splat(0)), alive);
#if EVENTS
    if (job->events) open_log(job, group, &c, &s);
#endif
    store_state(job, group, s);
    observe(job, group, s, energy0, alive, p, &c, 0);
  }
}

/* `count` steps of h from s, of which the first has the number `from` and begins at time `begin`, without looking back.
 * Failures gather in the log. */
FN state run_steps(state s, int64_t from, int64_t count, real begin, real h, const sd_job *job, size_t group,
                   const problem *p, const constants *c, step_fn step, step_log *log, tally *t) {
  real total = real_splat(0), most = t->most;
  double passed = 0; /* of the step, in stages */
  int stages = job->stages, i = 0;
  (void)group;
#ifdef SD_ENTER
  s = SD_ENTER(s, p, c, h, log);
#endif
  for (int64_t left = count * stages; left > 0; left--) {
    log->iterations = real_splat(0);
    if (TIMED) state_at_time(&s, begin + h * passed);
    s = step(s, p, c, h * job->stage[i], log);
    total = total + log->iterations;
    most = real_max(log->iterations, most);
    passed += job->stage[i];
    if (++i == stages) {
      i = 0;
      passed = 0;
      if (TIMED) begin = time_of(job, group, ++from);
    }
  }
#ifdef SD_LEAVE
  s = SD_LEAVE(s, p, c, h, log);
#endif
  t->iterations = t->iterations + total;
  t->most = most;
  return s;
}

/* The first impulse in step n or later; impulse k is in the step that ends at its time, or has it inside. */
FN int next_impulse(const sd_job *job, int impulses, int64_t n) {
  int k = 0;
  while (k < impulses && job->impulse[k].step < n) k++;
  return k;
}

/* When the steps before `stop` are done; of a job that only looks, when it does, which is a part of its one step. */
FN real end_of(const sd_job *job, size_t group, int64_t stop) {
  return job->looks ? real_splat(job->look) : time_of(job, group, stop);
}
FN int has_impulse(const sd_job *job, int impulses, int64_t n, int k) {
  return k < impulses && job->impulse[k].step == n && !(job->looks && job->impulse[k].time > job->look);
}

/* Steps n .. stop-1; where impulse k, of so many, is in step n, that step alone, in pieces that end at the impulses'
 * own times. */
FN state run_pieces(state s, int64_t n, int64_t stop, int k, int impulses, const sd_job *job, size_t group,
                    const problem *p, constants *c, step_fn step, step_log *log, tally *t, piece_fn piece, watch *w) {
  real begin = time_of(job, group, n), h = step_of(job, group);
  (void)piece, (void)w;
  for (int broken = job->looks;; k++) {
#if IMPULSES
    if (impulses && job->burns) constants_until(c, job, group, k);
#endif
    int hit = has_impulse(job, impulses, n, k);
    real end = hit ? real_splat(job->impulse[k].time) : end_of(job, group, stop);
    broken |= hit;
    if (broken) h = end - begin;
    if (!broken || mask_any(real_less(real_splat(0), h))) {
#if EVENTS
      if (piece && stop - n == 1) s = run_settling(s, n, begin, end, h, job, group, c, piece, log, t, w);
      else if (piece) s = run_watching(s, n, stop, h, job, group, c, piece, log, t, w);
      else
#endif
        s = run_steps(s, n, stop - n, begin, h, job, group, p, c, step, log, t);
    }
    if (!hit) return s;
#if IMPULSES
    state_at_time(&s, end);
    s = state_select(w->ended, s, state_kick(s, job, group, k, c, log->alive & mask_not(w->ended)));
#endif
    begin = end;
  }
}

/* Steps are taken in stretches, each from a stored state.  When a lane fails in a stretch, or something happens to it,
 * the stretch is repeated step by step: the failing lane keeps the state before the step it failed in, the others lose
 * nothing.  Where events are watched, `piece` takes the steps, in shorter stretches; otherwise it is NULL.
 * `simple`: the job is known to be. */
enum { STRETCH = 256 };

FN void trajectory_advance(const sd_job *job, size_t first, size_t count, const problem *p, step_fn step,
                           piece_fn piece, int simple) {
  const int impulses = IMPULSES && !simple ? job->impulses : 0; /* among them, the ends of burns */
  for (size_t group = first; group < first + count; group += SD_LANES) {
    if (simple) ASSUME(!job->varied.number);
    constants c = constants_of_group(job, group);
    state s = load_state(job, group, p, &c, job->from_step);
    tally t = load_tally(job, group);
    step_log log = {alive_by(t), mask_none(), mask_none(), real_splat(0)};
    int64_t n = job->from_step, careful_until = 0;
    int64_t interval = sd_witness_after(job->witness_length, n);
    int64_t witness = sd_witness_step(job->witness_length, interval);
    while (n < job->to_step) {
      int64_t sample = (n / job->every + 1) * job->every, stop = sample < job->to_step ? sample : job->to_step;
      if (stop > witness) stop = witness;
      if (stop - n > STRETCH) stop = n + STRETCH;
#if EVENTS
      if (piece && stop - n > EVENT_STRETCH) stop = n + EVENT_STRETCH;
#endif
      if (n < careful_until) stop = n + 1;
      int k = next_impulse(job, impulses, n);
      if (k < impulses && job->impulse[k].step < stop) stop = job->impulse[k].step > n ? job->impulse[k].step : n + 1;
      log.failed = log.outside = mask_none();
      watch w = watch_begun(job, group, piece != NULL);
      if (impulses || mask_any(log.alive)) /* the lost take no steps; what they are compared with takes impulses */
        s = run_pieces(s, n, stop, k, impulses, job, group, p, &c, step, &log, &t, piece, &w);
      state_at_time(&s, end_of(job, group, stop));
      real energy = state_energy(&s, p, &c);
      mask ok = log.alive & mask_not(log.failed | log.outside | w.crossed) & is_finite(&s, energy);
      if (!mask_every(ok)) { /* some lane has failed, now or earlier, or something happens to it */
        const state before = load_state(job, group, p, &c, n);
        tally then = load_tally(job, group);
        if (mask_any(log.alive & mask_not(ok)) && stop - n > 1) {
          careful_until = stop;
          s = before;
          t = then;
          continue;
        }
        real status = real_select(log.failed, real_splat(SD_MEMBER_NOT_CONVERGED), real_splat(SD_MEMBER_NOT_FINITE));
        status = real_select(log.outside, real_splat(SD_MEMBER_OUTSIDE_DOMAIN), status);
        t.status = real_select(log.alive & mask_not(ok), status, t.status);
        log.alive = ok;
        s = state_select(ok, s, before); /* what a failed lane did since is undone */
        t.iterations = real_select(ok, t.iterations, then.iterations);
        t.most = real_select(ok, t.most, then.most);
      }
#if EVENTS
      if (piece) log.alive = ok & mask_not(watch_kept(job, group, &c, &s, ok, stop, &w, &t));
#endif
      n = stop;
      store_state(job, group, s);
      store_tally(job, group, t);
      if (n == witness) {
        put_row(job, group, job->witness_row + interval - job->first_witness,
                energy - get_account(job, group, SD_ENERGY0), log.alive);
        witness = sd_witness_step(job->witness_length, ++interval);
      }
      if (n == sample || n == job->total_steps) observe(job, group, s, energy, log.alive, p, &c, n);
    }
  }
}

FN void trajectory_export(const sd_job *job, size_t first, size_t count, const problem *p) {
  for (size_t group = first; group < first + count; group += SD_LANES) {
    const constants c = constants_of_group(job, group);
    state s = load_state(job, group, p, &c, job->to_step);
    real out[SHOWN_NUMBERS + 2];
    state_export(job, group, &s, p, &c, job->to_step, time_of(job, group, job->to_step), out);
    out[SHOWN_NUMBERS] = state_energy(&s, p, &c) - get_account(job, group, SD_ENERGY0);
    out[SHOWN_NUMBERS + 1] = load_tally(job, group).status;
    for (int k = 0; k < SHOWN_NUMBERS + 2; k++)
      real_store(job->exported + (size_t)k * job->export_stride + group, real_one_nan(out[k]));
  }
}

#endif
