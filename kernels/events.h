/* events.h - what happens to a lane group's members on their way, for families that have EVENTS.
 *
 * An event is where a number of the state changes its sign.  It is looked for where steps end.  A step
 * that has one inside is taken again from its start, with a part of its length, until that part is known to its last
 * bits: the method's own step is the interpolation.  A mark leaves the step as it was.  An impulse breaks it, and what
 * is left of it is taken from there, so that steps end at the times they always end at.
 *
 * Where a value is as small as rounding, a state is on no side of the event, and counts as on the last one it was on:
 * what has just happened, or stood at the start, does not happen once more.
 *
 * Of approaches the least distance is kept, of the places where one looks anyway: the ends of steps, where something
 * happens, the start.
 *
 * Lanes are masked all along: none is changed by what happens in another.  Of the family come
 *   event_seen       the number, over what it is large beside, and of an approach the distance
 *   event_distance   from what the event is about
 *   event_is_over    where it cannot come any more
 *   state_event      what it does to a state */
#ifndef SD_EVENTS_H
#define SD_EVENTS_H

enum { EVENT_STRETCH = 16, EVENT_ROUNDS = SD_EVENTS_MAX + 1, EVENT_ITERATIONS = 160 };

/* A part of a step, of length h, that begins at a time in step n: run_steps with method and problem, out of line. */
typedef void (*piece_fn)(state *s, int64_t n, real begin, real h, const sd_job *job, size_t group, const constants *c,
                         step_log *log, tally *t);

typedef struct {
  real side[SD_EVENTS_MAX];    /* of each event, that the member was last on, */
  real count[SD_EVENTS_MAX];   /* how often it has happened, */
  real closest[SD_EVENTS_MAX]; /* and the least distance so far */
  mask crossed, ended;         /* something happens, and has to be looked at; the member has ended */
} watch;

/* ---- the log ---- */

FN size_t event_slot(const sd_job *job, int number, int k) {
  return (size_t)(number * job->events + k);
}
FN size_t entry_slot(const sd_job *job, int number, int entry) {
  size_t first = (size_t)(SD_EVENT_NUMBERS * job->events + number * job->entries);
  return number == SD_ENTRY_COORDINATES ? first + (size_t)(entry * COORDINATES) : first + (size_t)entry;
}
FN real get_log(const sd_job *job, size_t group, size_t slot) {
  return get_account(job, group, SD_ACCOUNT_SLOTS + (int)slot);
}
FN void put_log(const sd_job *job, size_t group, size_t slot, real x, mask now) {
  put_account(job, group, SD_ACCOUNT_SLOTS + (int)slot, real_select(now, x, get_log(job, group, slot)));
}

FN watch watch_begun(const sd_job *job, size_t group, int watched) {
  watch w;
  w.crossed = w.ended = mask_none();
  for (int k = 0; watched && k < job->events; k++) {
    w.side[k] = get_log(job, group, event_slot(job, SD_EVENT_SIDE, k));
    w.count[k] = get_log(job, group, event_slot(job, SD_EVENT_COUNT, k));
    w.closest[k] = get_log(job, group, event_slot(job, SD_EVENT_CLOSEST, k));
  }
  return w;
}

/* ---- sides ---- */

FN real side_after(real value, real before) {
  real one = real_splat(1), least = real_splat(0x1p-40);
  return real_select(real_less(least, value), one, real_select(real_less(value, -least), -one, before));
}
/* 1 where the value rises through the event, -1 where it falls. */
FN real sense_of(const sd_event *e, real side) {
  return e->sense ? real_splat(e->sense) : -side;
}
FN mask crosses(const sd_event *e, real side, real value) {
  real sense = sense_of(e, side), zero = real_splat(0);
  return real_less(sense * side, zero) & real_at_most(zero, sense * value);
}
/* In a step that begins at this time. */
FN mask is_awaited(const sd_job *job, const watch *w, int k, real begin) {
  const sd_event *e = &job->event[k];
  return real_less(w->count[k], real_splat(e->times)) & real_at_most(real_splat(e->after), begin);
}

FN void come_near(watch *w, const sd_job *job, int k, real distance, real time, mask now) {
  mask nearer = mask_not(real_at_most(w->closest[k], distance)); /* as is the first */
  now = now & real_at_most(real_splat(job->event[k].after), time);
  w->closest[k] = real_select(now & nearer, distance, w->closest[k]);
}
FN void keep_sight(watch *w, const sd_job *job, int k, event_sight seen, real time, mask now) {
  w->side[k] = real_select(now, side_after(seen.value, w->side[k]), w->side[k]);
  come_near(w, job, k, seen.distance, time, now);
}

/* ---- steps in which nothing is expected ---- */

/* Until something happens to a lane; then all of it is to be taken again. */
FN state run_watching(state s, int64_t from, int64_t stop, real h, const sd_job *job, size_t group, const constants *c,
                      piece_fn piece, step_log *log, tally *t, watch *w) {
  for (int64_t n = from; n < stop && !mask_any(w->crossed); n++) {
    real begin = time_of(job, group, n), end = time_of(job, group, n + 1);
    piece(&s, n, begin, h, job, group, c, log, t);
    for (int k = 0; k < job->events; k++) {
      event_sight seen = event_seen(job, group, c, k, &s, end);
      mask crossed = is_awaited(job, w, k, begin) & crosses(&job->event[k], w->side[k], seen.value);
      w->crossed = w->crossed | (log->alive & crossed);
      keep_sight(w, job, k, seen, end, log->alive);
    }
  }
  return s;
}

/* ---- a step in which something happens ---- */

/* The part of h after which event k happens, within 2^-52, where it is sought: secants whose ends are drawn in
 * (Illinois), and every fourth time the middle.  The event is then behind. */
FN real part_before(const state *s, int64_t n, real begin, real h, const sd_job *job, size_t group, const constants *c,
                    piece_fn piece, int k, real sense, real value, mask sought) {
  real low = real_splat(0), high = real_splat(1), half = real_splat(0.5), last = low;
  real below = sense * event_seen(job, group, c, k, s, begin).value, above = sense * value;
  high = real_select(real_at_most(low, below), low, high); /* it is where the step begins */
  for (int i = 0; i < EVENT_ITERATIONS; i++) {
    mask open = sought & real_less(real_splat(0x1p-52), high - low);
    if (!mask_any(open)) break;
    step_log log = {open, mask_none(), mask_none(), real_splat(0)};
    tally t = {real_splat(0), real_splat(0), real_splat(0)};
    real secant = low - below * ((high - low) / (above - below)), middle = half * (low + high);
    mask inside = real_less(low, secant) & real_less(secant, high);
    real x = i % 4 == 3 ? middle : real_select(inside, secant, middle);
    state there = *s;
    piece(&there, n, begin, h * x, job, group, c, &log, &t);
    real at = sense * event_seen(job, group, c, k, &there, begin + h * x).value;
    mask behind = open & real_at_most(real_splat(0), at), before = open & mask_not(behind);
    below = real_select(behind & real_less(last, real_splat(0)), half * below, below);
    above = real_select(before & real_less(real_splat(0), last), half * above, above);
    high = real_select(behind, x, high), above = real_select(behind, at, above);
    low = real_select(before, x, low), below = real_select(before, at, below);
    last = real_select(behind, real_splat(-1), real_splat(1));
  }
  return high;
}

/* Event k at a time: into the log, and what it does. */
FN state happen(state s, const sd_job *job, size_t group, const constants *c, int k, real time, mask now, watch *w) {
  const sd_event *e = &job->event[k];
  real count = w->count[k], distance = event_distance(e, c, &s, time), numbers[COORDINATES];
  state_coordinates(&s, numbers);
  for (int i = 0; i < e->times; i++) {
    mask here = now & (count == (double)i);
    if (!mask_any(here)) continue;
    put_log(job, group, entry_slot(job, SD_ENTRY_TIME, e->entry + i), time, here);
    put_log(job, group, entry_slot(job, SD_ENTRY_DISTANCE, e->entry + i), distance, here);
    for (int j = 0; j < COORDINATES; j++)
      put_log(job, group, entry_slot(job, SD_ENTRY_COORDINATES, e->entry + i) + (size_t)j, real_one_nan(numbers[j]),
              here);
    if (e->action == SD_EVENT_KICKS) s = state_event(s, job, group, k, e->entry + i, c, here);
  }
  if (e->condition >= SD_APPROACHES) come_near(w, job, k, distance, time, now);
  w->count[k] = real_select(now, count + 1.0, count);
  if (e->action == SD_EVENT_ENDS) w->ended = w->ended | (now & real_at_most(real_splat(e->times), count + 1.0));
  return s;
}

/* What is taken of a step that was tried. */
FN void take_piece(step_log *log, tally *t, const step_log *of, const tally *counted, mask now) {
  log->failed = log->failed | (of->failed & now);
  log->outside = log->outside | (of->outside & now);
  t->iterations = real_select(now, counted->iterations, t->iterations);
  t->most = real_select(now, counted->most, t->most);
}

/* The first that happens to each lane on a piece of length h: after which part of it, 2 for none. */
typedef struct {
  real part, which;
  event_sight seen[SD_EVENTS_MAX]; /* at the end of the piece */
} coming;

FN coming first_to_come(const state *s, const state *there, int64_t n, real begin, real end, real h, const sd_job *job,
                        size_t group, const constants *c, piece_fn piece, const watch *w, mask going) {
  coming first;
  first.part = first.which = real_splat(2);
  for (int k = 0; k < job->events; k++) {
    const sd_event *e = &job->event[k];
    first.seen[k] = event_seen(job, group, c, k, there, end);
    real value = first.seen[k].value, sense = sense_of(e, w->side[k]);
    mask hit = going & is_awaited(job, w, k, begin) & crosses(e, w->side[k], value);
    if (!mask_any(hit)) continue;
    real part = part_before(s, n, begin, h, job, group, c, piece, k, sense, value, hit);
    mask sooner = hit & real_less(part, first.part);
    first.part = real_select(sooner, part, first.part);
    first.which = real_select(sooner, real_splat(k), first.which);
  }
  return first;
}

/* What comes first happens to the lanes `now`, which are `there` at a time.  Returns those that go on from there, and
 * not as if nothing had been. */
FN mask happen_to(state *s, const state *there, const sd_job *job, size_t group, const constants *c, real time,
                  real which, mask now, watch *w) {
  mask broken = mask_none();
  for (int k = 0; k < job->events; k++) {
    mask here = now & (which == (double)k);
    if (!mask_any(here)) continue;
    int marks = job->event[k].action == SD_EVENT_MARKS;
    state after = happen(*there, job, group, c, k, time, here, w);
    w->side[k] = real_select(here, marks ? sense_of(&job->event[k], w->side[k]) : real_splat(0), w->side[k]);
    if (marks) continue;
    *s = state_select(here, after, *s);
    broken = broken | here;
  }
  for (int k = 0; k < job->events; k++) keep_sight(w, job, k, event_seen(job, group, c, k, s, time), time, broken);
  return broken;
}

/* A step, or a piece of one, of length h, with all that happens in it: round by round what comes first. */
FN state run_settling(state s, int64_t n, real begin, real end, real h, const sd_job *job, size_t group,
                      const constants *c, piece_fn piece, step_log *log, tally *t, watch *w) {
  mask going = log->alive & mask_not(w->ended);
  for (int round = 1; round <= EVENT_ROUNDS; round++) {
    step_log tried = {going, mask_none(), mask_none(), real_splat(0)};
    tally counted = *t;
    state there = s;
    piece(&there, n, begin, h, job, group, c, &tried, &counted);
    coming first = first_to_come(&s, &there, n, begin, end, h, job, group, c, piece, w, going);
    mask now = round < EVENT_ROUNDS ? real_at_most(first.part, real_splat(1)) : mask_none();
    mask done = going & mask_not(now);
    s = state_select(done, there, s);
    take_piece(log, t, &tried, &counted, done);
    for (int k = 0; k < job->events; k++) keep_sight(w, job, k, first.seen[k], end, done);
    if (!mask_any(now)) break;
    step_log taken = {now, mask_none(), mask_none(), real_splat(0)};
    real time = begin + h * first.part;
    counted = *t;
    there = s;
    piece(&there, n, begin, h * first.part, job, group, c, &taken, &counted);
    there = state_select(now & real_less(real_splat(0), first.part), there, s);
    mask broken = happen_to(&s, &there, job, group, c, time, first.which, now, w);
    take_piece(log, t, &taken, &counted, broken);
    begin = real_select(broken, time, begin);
    h = real_select(broken, end - begin, h);
    going = now & mask_not(w->ended | log->failed | log->outside);
    if (!mask_any(going)) break;
  }
  return s;
}

/* ---- ends ---- */

/* On which side of each event members start. */
FN void open_log(const sd_job *job, size_t group, const constants *c, const state *s) {
  int slots = (int)entry_slot(job, SD_ENTRY_COORDINATES, job->entries); /* all of them */
  for (int k = 0; k < slots; k++) put_account(job, group, SD_ACCOUNT_SLOTS + k, real_splat(0));
  for (int k = 0; k < job->events; k++) {
    event_sight seen = event_seen(job, group, c, k, s, real_splat(0));
    put_account(job, group, SD_ACCOUNT_SLOTS + (int)event_slot(job, SD_EVENT_SIDE, k),
                side_after(seen.value, real_splat(0)));
    put_account(job, group, SD_ACCOUNT_SLOTS + (int)event_slot(job, SD_EVENT_CLOSEST, k),
                job->event[k].after > 0 ? real_nan() : real_one_nan(seen.distance));
  }
}
/* After steps that are to stay, up to this one; and at last which events cannot come any more.  Returns who has ended.
 */
FN mask watch_kept(const sd_job *job, size_t group, const constants *c, const state *s, mask ok, int64_t step,
                   const watch *w, tally *t) {
  mask ended = ok & w->ended;
  t->status = real_select(ended, real_splat(SD_MEMBER_ENDED), t->status);
  for (int k = 0; k < job->events; k++) {
    const sd_event *e = &job->event[k];
    put_log(job, group, event_slot(job, SD_EVENT_SIDE, k), w->side[k], ok);
    put_log(job, group, event_slot(job, SD_EVENT_CLOSEST, k), w->closest[k], ok);
    put_account(job, group, SD_ACCOUNT_SLOTS + (int)event_slot(job, SD_EVENT_COUNT, k), w->count[k]);
    if (step < job->total_steps) continue;
    mask awaited = real_less(w->count[k], real_splat(e->times));
    put_log(job, group, event_slot(job, SD_EVENT_UNBOUND, k), real_splat(1), ok & awaited & event_is_over(e, c, s));
  }
  return ended;
}

#endif
