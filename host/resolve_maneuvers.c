#include "resolve_maneuvers.h"

#include <math.h>
#include <string.h>

/* ---- starts ---- */

/* Was the parameter whose first value stands there given? */
static int is_given(const sd_settings *given, const sd_specification *to, int at) {
  const sd_parameter *p = to->problem->parameter;
  for (; at > 0; at -= p++->count) continue;
  for (int i = 0; i < given->override_count; i++)
    if (!strcmp(given->overrides[i].name, p->name)) return 1;
  return 0;
}

static sd_status said_twice(const char *first, const char *second, sd_error *error) {
  return sd_fail(error, SD_BAD_INPUT, "%s: the start is given by %s, too; give one of the two", first, second);
}

/* Units in which nothing is by default. */
static sd_status check_units(const sd_settings *given, const sd_specification *to, sd_error *error) {
  const sd_family *family = to->problem->family;
  int started = given->with_elements || (is_given(given, to, family->position_at) &&
                                         (given->with_velocity || is_given(given, to, family->momentum_at)));
  const char *missing = !is_given(given, to, family->attraction_at) ? "param mu"
                        : !started && !given->starts.count          ? "the start"
                        : !given->step                              ? "step"
                        : !given->time && !given->steps             ? "time"
                                                                    : NULL;
  if (!missing) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "units: %s is by default in %s; give it", missing, family->units);
}

sd_status sd_resolve_start(const sd_settings *given, sd_specification *to, sd_error *error) {
  const sd_family *family = to->problem->family;
  const char *asked = given->with_elements ? "elements" : given->with_velocity ? "velocity" : "units";
  to->units = given->units % SD_UNITS_COUNT;
  if (!given->with_elements && !given->with_velocity && !to->units) return SD_OK;
  if (!family->from_elements)
    return sd_fail(error, SD_BAD_INPUT, "%s: %s has %s, which have none", asked, given->problem, family->plural);
  if (to->units) SD_TRY(check_units(given, to, error));
  if (given->with_elements && given->with_velocity) return said_twice("elements", "velocity", error);
  if (given->with_elements && is_given(given, to, family->position_at)) return said_twice(asked, "param q0", error);
  if ((given->with_elements || given->with_velocity) && is_given(given, to, family->momentum_at))
    return said_twice(asked, "param p0", error);
  for (int k = 0; k < 3 && given->with_velocity; k++)
    to->parameters[family->momentum_at + k] = to->parameters[family->mass_at] * given->velocity[k];
  const char *odd = given->with_elements ? family->from_elements(given->elements, to->parameters) : NULL;
  return odd ? sd_fail(error, SD_BAD_INPUT, "elements: %s", odd) : SD_OK;
}

/* ---- impulses and burns ---- */

/* The step that an impulse is in: it begins before the impulse, and ends with it or after. */
static sd_status resolve_impulses(const sd_settings *given, sd_specification *to, sd_error *error) {
  if (given->impulses && !to->problem->family->impulses)
    return sd_fail(error, SD_BAD_INPUT, "impulse: %s has %s, which take none", given->problem,
                   to->problem->family->plural);
  for (; to->impulses < given->impulses; to->impulses++) {
    sd_impulse *i = &to->impulse[to->impulses];
    *i = given->impulse[to->impulses];
    if (i->time > to->total_time)
      return sd_fail(error, SD_BAD_INPUT, "impulse: at t=%.15g the run is over: it ends at %.15g", i->time,
                     to->total_time);
    i->step = sd_step_with(i->time, to->h);
  }
  return SD_OK;
}

/* No two at once, within the run, and some of the mass is left. */
static sd_status resolve_burns(const sd_settings *given, sd_specification *to, sd_error *error) {
  const sd_family *family = to->problem->family;
  if (given->burns && !family->impulses)
    return sd_fail(error, SD_BAD_INPUT, "burn: %s has %s, which have none", given->problem, family->plural);
  static const double acceleration[] = {SD_ACCELERATIONS};
  double mass = given->burns ? to->parameters[family->mass_at] : 0, gone = 0;
  for (int b = 0; b < given->burns; b++) {
    sd_burn *burn = &to->burn[b];
    *burn = given->burn[b];
    if (burn->flow < 0) burn->flow /= -acceleration[to->units]; /* by a specific impulse */
    if (burn->until > to->total_time)
      return sd_fail(error, SD_BAD_INPUT, "burn: it lasts until t=%.15g, and the run until %.15g", burn->until,
                     to->total_time);
    if (b && given->burn[b - 1].until > burn->from)
      return sd_fail(error, SD_BAD_INPUT, "burn: at t=%.15g one begins before the last has ended, at %.15g", burn->from,
                     given->burn[b - 1].until);
    gone += burn->flow * (burn->until - burn->from);
  }
  if (gone >= mass && gone > 0)
    return sd_fail(error, SD_BAD_INPUT, "burn: together they take a mass of %g, and there is %g", gone, mass);
  to->burns = given->burns;
  return SD_OK;
}

/* Whether starts are drawn: those of all members but number 0. */
static int are_drawn(const sd_settings *given, const sd_specification *to) {
  int spread = given->covariance.given;
  for (int k = 0; k < SD_START_ARRAYS_MAX; k++) spread |= to->sigma[k] != 0;
  return spread && (given->members > 1 || given->first_member > 0);
}

/* Whether some member may be on another path than the problem's start, or leave it. */
static int may_change(const sd_settings *given, const sd_specification *to) {
  int kicks = 0, others = given->starts.count || to->sweep.axes || to->sweep.scatters || are_drawn(given, to);
  for (int k = 0; k < to->events; k++) kicks |= to->event[k].action == SD_EVENT_KICKS;
  return to->impulses || to->burns || kicks || others;
}

static sd_status resolve_events(const sd_settings *given, sd_specification *to, sd_error *error) {
  const sd_family *family = to->problem->family;
  char when[SD_CONDITION_ROOM];
  if (given->events && !family->check_event)
    return sd_fail(error, SD_BAD_INPUT, "at-event: %s has %s, which have none", given->problem, family->plural);
  memcpy(to->event, given->event, sizeof to->event);
  to->events = given->events;
  for (int k = 0; k < to->events; k++) {
    sd_event *e = &to->event[k];
    e->entry = to->entries;
    to->entries += e->times;
    const char *wrong = family->check_event(to->parameters, e, may_change(given, to));
    if (wrong) return sd_fail(error, SD_BAD_INPUT, "at-event: %s: %s", sd_condition_text(e, when), wrong);
    if (e->after >= to->total_time)
      return sd_fail(error, SD_BAD_INPUT, "at-event: after t=%.15g nothing happens: the run ends at %.15g", e->after,
                     to->total_time);
  }
  if (to->entries <= SD_EVENT_ENTRIES_MAX) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "at-event: they may happen %d times together; at most %d", to->entries,
                 SD_EVENT_ENTRIES_MAX);
}

/* Starts spread by it in place of the deviations. */
static sd_status resolve_covariance(const sd_settings *given, sd_specification *to, sd_error *error) {
  const sd_family *family = to->problem->family;
  to->covariance = given->covariance;
  if (!given->covariance.given) return SD_OK;
  if (!family->correlate)
    return sd_fail(error, SD_BAD_INPUT, "covariance: %s has %s, which take none", given->problem, family->plural);
  for (int k = 0; k < SD_START_ARRAYS_MAX; k++) to->sigma[k] = 0;
  for (int i = 0; i < given->spreads; i++)
    if (given->spread[i].value != 0)
      return sd_fail(error, SD_BAD_INPUT, "covariance: it says how starts spread, and %s does, too; give one",
                     given->spread[i].key);
  const char *wrong =
      family->correlate(to->parameters, given->covariance.number, given->covariance.frame, to->correlation);
  return wrong ? sd_fail(error, SD_BAD_INPUT, "covariance: %s", wrong) : SD_OK;
}

sd_status sd_resolve_maneuvers(const sd_settings *given, sd_specification *to, sd_error *error) {
  SD_TRY(resolve_impulses(given, to, error));
  SD_TRY(resolve_burns(given, to, error));
  SD_TRY(resolve_events(given, to, error));
  return resolve_covariance(given, to, error);
}
