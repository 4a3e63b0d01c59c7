/* conditions.h - where something may happen to a point mass, and what happens then; at the end of family.h.
 *
 *   periapsis, apoapsis    q.v = 0, rising, falling
 *   nodes                  q.pole = 0, rising, falling
 *   height H               |q|^2 - (radius + H)^2 = 0, either way
 *   nearest to x(t)        (q - x).(v - x') = 0, rising
 *
 * Each is divided by what it is large beside, so that it is clear when it is no more than rounding. */
#ifndef SD_CONDITIONS_H
#define SD_CONDITIONS_H

typedef struct {
  real value, distance; /* the number that changes its sign; of an approach, from what it is about, NaN of others */
} event_sight;

FN real cosine_between(vec3 a, vec3 b) {
  return vec3_dot(a, b) * real_rsqrt(vec3_norm2(a) * vec3_norm2(b));
}

/* What an event is about: a place, a further body, or the centre. */
FN kepler_point subject_of(const sd_event *e, const constants *c, real time) {
  kepler_point at = {vec3_zero(), vec3_zero()};
  if (e->condition == SD_AT_NEAREST) at.q = vec3_splat(e->place);
  if (e->condition == SD_AT_NEAREST_BODY) at = other_at(e->body, time, c);
  return at;
}

FN_APART event_sight sight_at(const sd_job *job, size_t group, const constants *c, int k, vec3 q, vec3 p, real time) {
  const sd_event *e = &job->event[k];
  event_sight seen = {real_nan(), real_nan()};
  if (e->condition == SD_AT_NODE || e->condition == SD_AT_DESCENDING) {
    seen.value = cosine_between(q, parameters_of(job, group, ORBIT_POLE));
  } else if (e->condition == SD_AT_HEIGHT) {
    real level = parameter_of(job, group, ORBIT_RADIUS) + e->place[0], level2 = level * level;
    seen.value = (vec3_norm2(q) - level2) / level2;
  } else {
    kepler_point from = subject_of(e, c, time);
    seen.value = cosine_between(vec3_sub(q, from.q), vec3_sub(velocity_of(c, p), from.v));
    if (e->condition >= SD_APPROACHES) seen.distance = distance_of(q, from.q);
  }
  return seen;
}
FN event_sight event_seen(const sd_job *job, size_t group, const constants *c, int k, const state *s, real time) {
  return sight_at(job, group, c, k, s->q, s->p, time);
}
FN real event_distance(const sd_event *e, const constants *c, const state *s, real time) {
  return distance_of(s->q, subject_of(e, c, time).q);
}

/* A closed orbit's: no other comes by twice. */
FN mask event_is_over(const sd_event *e, const constants *c, const state *s) {
  if (e->condition != SD_AT_PERIAPSIS && e->condition != SD_AT_APOAPSIS) return mask_none();
  return real_at_most(inverse_axis(s->q, velocity_of(c, s->p), c->mu), real_splat(0));
}

/* The impulse of event k, for the time that is this entry of the log. */
FN_APART kick_given give_event(vec3 q, vec3 p, const sd_job *job, size_t group, int k, int entry, const constants *c,
                               mask now) {
  const sd_event *e = &job->event[k];
  vec3 change = vec3_splat(e->change), before = velocity_of(c, p);
  if (e->size_error != 0 || e->angle_error != 0)
    change = drawn_about(job, group, EVENT_DRAWS + 2 * entry, e->change, e->size_error, e->angle_error).vector;
  return give_change(q, before, from_frame(e->frame, change, q, before), job, group, c, now);
}
FN state state_event(state s, const sd_job *job, size_t group, int k, int entry, const constants *c, mask now) {
  kick_given given = give_event(s.q, s.p, job, group, k, entry, c, now);
  s.p = vec3_select(now, vec3_add(s.p, given.momentum), s.p);
  s.work = real_select(now, s.work + given.energy, s.work);
  return s;
}

#endif
