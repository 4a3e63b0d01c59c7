/* resolve.c - from what was asked for to what is run: defaults found, all settings looked at together. */
#include "number.h"
#include "own.h"
#include "plan.h"
#include "processors.h"
#include "resolve_maneuvers.h"
#include "series.h"
#include "share.h"
#include "stability.h"
#include "states.h"
#include "statistics_list.h"
#include "system_text.h"
#include "text.h"
#include "variety.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const sd_settings *given;
  sd_specification *to;
  int used[SD_OVERRIDES_MAX]; /* parameters that were given, and are of the problem or a method */
  char skipped[256];          /* methods of `all` that the problem does not admit */
  sd_error *error;
} resolver;

/* What was asked for by this name, or NULL. */
static const sd_override *find_override(resolver *r, const char *name) {
  const sd_override *o = NULL;
  for (int i = 0; i < r->given->override_count; i++)
    if (!strcmp(r->given->overrides[i].name, name)) o = &r->given->overrides[i], r->used[i] = 1;
  return o;
}

/* The value of one parameter: what it is otherwise, or what was asked for, within its range; for this method alone
 * (METHOD.NAME), or for all that have it. */
static sd_status take_parameter(resolver *r, const char *method, const sd_parameter *p, const double *otherwise,
                                double *to) {
  char own[sizeof r->given->overrides->name] = "";
  if (method) snprintf(own, sizeof own, "%s.%s", method, p->name);
  const sd_override *o = find_override(r, p->name), *mine = method ? find_override(r, own) : NULL;
  if (mine) o = mine;
  for (int i = 0; i < p->count; i++) to[i] = o && i < o->count ? o->value[i] : otherwise[i];
  if (!o) return SD_OK;
  if (o->count != p->count)
    return sd_fail(r->error, SD_BAD_INPUT, "param %s: %d %s given, expected %d (%s)", p->name, o->count,
                   sd_plural((size_t)o->count, "value", "values"), p->count, p->text);
  char text[32];
  for (int i = 0; i < p->count; i++)
    if (to[i] < p->low || to[i] > p->high)
      return sd_fail(r->error, SD_BAD_INPUT, "param %s: %s is out of range; expected %g to %g (%s)", p->name,
                     sd_real_text(to[i], 6, text), p->low, p->high, p->text);
  return SD_OK;
}

/* param J: 1,1,9 is no body's inertia */
static sd_status complain_of(const resolver *r, sd_complaint wrong) {
  const sd_parameter *p = r->to->problem->parameter;
  const double *value = r->to->parameters;
  for (int i = 0; i < wrong.parameter; i++) value += p++->count;
  char text[128] = "";
  for (int i = 0; i < p->count; i++) {
    size_t used = strlen(text);
    sd_format(text + used, sizeof text - used, "%s%g", i ? "," : "", value[i]);
  }
  return sd_fail(r->error, SD_BAD_INPUT, "param %s: %s %s", p->name, text, wrong.text);
}

static sd_status take_parameters(resolver *r, const double *otherwise) {
  sd_specification *to = r->to;
  double *value = to->parameters;
  for (const sd_parameter *p = to->problem->parameter; p->name; value += p++->count) {
    SD_TRY(take_parameter(r, NULL, p, otherwise ? otherwise : p->value, value));
    if (otherwise) otherwise += p->count;
  }
  to->parameter_values = (int)(value - to->parameters);
  return SD_OK;
}

/* Of a text, or of the family's own: its bodies are looked at as it is read, and parameters are as it says unless they
 * are asked for otherwise. */
static sd_status resolve_described(resolver *r) {
  const sd_problem_entry *problem = r->to->problem;
  sd_document *document = sd_document_keep(r->given->document);
  sd_topology_sizes sizes;
  double otherwise[SD_PARAMETERS_MAX];
  sd_status status = SD_OK;
  if (!document) status = sd_document_of(problem->id, problem->family->document, &document, r->error);
  if (!status) status = sd_system_measure(document, problem, &sizes, otherwise, r->error);
  if (!status) status = take_parameters(r, otherwise);
  if (!status) status = sd_topology_describe(problem, r->to->parameters, document, &r->to->topology, r->error);
  sd_document_let_go(document);
  return status;
}

/* Is it in the list of methods, by itself or composed? */
static int is_listed(const char *list, const char *id) {
  for (size_t length; *list; list += length + (list[length] == ',')) {
    length = strcspn(list, ",");
    size_t name = strcspn(list, ",@");
    if (name == strlen(id) && !strncmp(list, id, name)) return 1;
  }
  return 0;
}

/* Built in, or of one's own; or with methods of one's own.  Where that came with a file, nothing is compiled: the
 * file says what parameters there are. */
static sd_status find_problem(resolver *r) {
  const sd_settings *given = r->given;
  sd_source asked[SD_SOURCES_MAX];
  sd_parameter declared[SD_OVERRIDES_MAX + 1] = {{0}};
  int count = 0;
  for (int i = 0; i < given->owns; i++) {
    const sd_source *s = &given->own[i];
    if (s->kind == SD_SOURCE_OF_PROBLEM ? !strcmp(s->id, given->problem) : is_listed(given->methods, s->id))
      asked[count++] = *s;
  }
  if (!count) return sd_find_problem(given->problem, &r->to->problem, r->error);
  for (int i = 0, at = 0; i < given->override_count; i++)
    if (!strchr(given->overrides[i].name, '.')) /* which is a method's */
      declared[at++] = (sd_parameter){.name = given->overrides[i].name, .count = given->overrides[i].count};
  return sd_own_find_problem(asked, count, given->problem, given->foreign ? declared : NULL, &r->to->problem, r->error);
}

static sd_status resolve_problem(resolver *r) {
  const sd_settings *given = r->given;
  sd_specification *to = r->to;
  SD_TRY(find_problem(r));
  if (sd_is_described(to->problem)) return resolve_described(r);
  if (given->document)
    return sd_fail(r->error, SD_BAD_INPUT, "system: problem %s is not described by a text", given->problem);
  SD_TRY(take_parameters(r, NULL));
  const sd_family *family = to->problem->family;
  SD_TRY(sd_resolve_start(given, to, r->error));
  sd_complaint wrong = family->check ? family->check(to->parameters) : (sd_complaint){0, NULL};
  if (wrong.text) return complain_of(r, wrong);
  if (!to->problem->measure) return SD_OK;
  return sd_topology_create(to->problem, to->parameters, &to->topology, r->error);
}

static sd_status add_method(resolver *r, const char *name, int skip_unfit) {
  sd_specification *to = r->to;
  sd_method method;
  const sd_family *family = to->problem->family;
  SD_TRY(sd_find_method(name, family, &method, r->error));
  const sd_topology *described = sd_described_by(to) ? sd_topology_of(to->topology) : NULL;
  if (family->admits && !family->admits(method.entry->traits, to->parameters, described)) {
    if (skip_unfit) {
      size_t used = strlen(r->skipped);
      snprintf(r->skipped + used, sizeof r->skipped - used, "%s%s", used ? ", " : "", name);
      return SD_OK;
    }
    return sd_fail(r->error, SD_BAD_INPUT, "method %s %s", name, family->unfit);
  }
  for (int i = 0; i < to->method_count; i++)
    if (!strcmp(to->methods[i].name, name)) return SD_OK;
  if (to->method_count == SD_METHODS_MAX)
    return sd_fail(r->error, SD_BAD_INPUT, "method: more than %d methods", SD_METHODS_MAX);
  const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
  int count = sd_parameters_of(method.entry, table);
  for (int i = 0; i < count; i++)
    SD_TRY(take_parameter(r, method.entry->id, table[i], table[i]->value, &to->method_parameters[to->method_count][i]));
  to->methods[to->method_count++] = method;
  return SD_OK;
}

static sd_status resolve_methods(resolver *r) {
  const sd_settings *given = r->given;
  sd_specification *to = r->to;
  char names[sizeof given->methods + 64];
  const sd_family *family = to->problem->family;
  strcpy(names, *given->methods ? given->methods : family->methods);
  char *list = names;
  for (char *name; (name = sd_next_item(&list));) {
    if (!*name) return sd_fail(r->error, SD_BAD_INPUT, "method: '%s' has an empty name in its list", given->methods);
    if (!strcmp(name, "all")) {
      for (int i = 0; i < family->method_count; i++) SD_TRY(add_method(r, family->method[i].id, 1));
    } else if (!strcmp(name, family->method_set)) {
      for (const char *at = family->methods; *at;) {
        size_t length = strcspn(at, ",");
        char one[32] = {0};
        memcpy(one, at, length);
        SD_TRY(add_method(r, one, 0));
        at += length + (at[length] == ',');
      }
    } else {
      SD_TRY(add_method(r, name, 0));
    }
  }
  return SD_OK;
}

static sd_status check_overrides(resolver *r) {
  const sd_settings *given = r->given;
  sd_specification *to = r->to;
  for (int i = 0; i < given->override_count; i++) {
    const sd_override *o = &given->overrides[i];
    if (r->used[i] || given->spare_parameters) continue;
    sd_nearest nearest = {0};
    char question[SD_NEAREST_ROOM];
    for (const sd_parameter *p = to->problem->parameter; p->name; p++) sd_nearest_consider(&nearest, o->name, p->name);
    for (const sd_method_parameter *p = to->problem->family->method_parameter; p->method; p++) {
      const char *dot = strchr(o->name, '.');
      if (!strcmp(p->parameter.name, dot ? dot + 1 : o->name) &&
          (!dot || !strncmp(p->method, o->name, strlen(p->method))))
        return sd_fail(r->error, SD_BAD_INPUT, "param %s is of method %s, which is not in this run", o->name,
                       p->method);
      sd_nearest_consider(&nearest, o->name, p->parameter.name);
    }
    return sd_fail(r->error, SD_BAD_INPUT, "param %s: neither problem %s nor a method of this run has it; %s", o->name,
                   given->problem, sd_nearest_question(&nearest, "", question));
  }
  return SD_OK;
}

/* T/h must be a whole number, up to rounding. */
static sd_status resolve_steps(resolver *r) {
  const sd_settings *given = r->given;
  sd_specification *to = r->to;
  const sd_problem_entry *entry = to->problem;
  double h = to->h = given->step ? given->step : entry->step;
  for (const sd_axis *a = to->sweep.axis; a < to->sweep.axis + to->sweep.axes; a++) {
    if (strcmp(a->name, "step")) continue;
    if (!(a->low > 0)) return sd_fail(r->error, SD_BAD_INPUT, "sweep step: %g is not positive", a->low);
    if (!given->steps)
      return sd_fail(r->error, SD_BAD_INPUT,
                     "sweep step: the length of the run is then by its --steps, which are missing");
    if (given->impulses || given->burns)
      return sd_fail(r->error, SD_BAD_INPUT, "sweep step: impulses and burns are for runs of one step");
    h = to->h = a->low;
  }
  to->total_steps = given->steps;
  if (given->steps && given->time && fabs((double)given->steps * h - given->time) > 1e-9 * given->time)
    return sd_fail(r->error, SD_BAD_INPUT, "time %.15g and %lld steps of %.15g contradict each other; give one",
                   given->time, (long long)given->steps, h);
  if (!given->steps) {
    double time = given->time ? given->time : entry->time, ratio = time / h, whole = nearbyint(ratio);
    if (whole < 1 || fabs(ratio - whole) > 1e-9 * whole)
      return sd_fail(r->error, SD_BAD_INPUT,
                     "time %.15g is not a whole number of steps of %.15g; the nearest is --time %.15g", time, h,
                     (whole < 1 ? 1 : whole) * h);
    if (whole > (double)SD_STEPS_MOST)
      return sd_fail(r->error, SD_BAD_INPUT, "time %g takes %g steps of %g; at most %g", time, whole, h,
                     (double)SD_STEPS_MOST);
    to->total_steps = (int64_t)whole;
  }
  to->total_time = (double)to->total_steps * h;
  if (!isfinite(to->total_time))
    return sd_fail(r->error, SD_BAD_INPUT, "step: %g times %lld steps is not a finite time", h,
                   (long long)to->total_steps);
  to->sample_every = given->every ? given->every : to->total_steps > 1000 ? to->total_steps / 1000 : 1;
  if (to->sample_every > to->total_steps)
    return sd_fail(r->error, SD_BAD_INPUT, "every: %lld is more than the %lld steps of the run",
                   (long long)given->every, (long long)to->total_steps);
  return SD_OK;
}

/* Starts that were given: of this member, or of all that are like it. */
static sd_starts starts_given(const sd_specification *to, size_t member) {
  sd_starts s = to->starts;
  if (to->targets.columns) s.count = 0; /* a table of parameters */
  if (sd_members_alike(to) > 1) return s;
  size_t i = 0;
  while (i < s.count && s.member[i] != member % to->each) i++;
  if (i < s.count) s.number += i * s.width;
  s.count = i < s.count;
  return s;
}

/* What acts in a member of these numbers, how far members are scattered at most, and what stiffnesses are multiplied
 * by: deviations that one in 10^9 numbers exceeds, of a logarithm for the latter.  Member 0 has none of them. */
static sd_conditions conditions_of(const sd_specification *to, size_t member, const sd_numbers *n) {
  enum { PLACE, SPEED, RATE = 3, STIFFNESS }; /* of a body's start, after which there are bonds */
  double constants[SD_CONSTANTS], most = to->first_member + to->each > 1 ? 6 : 0;
  double variance = log1p(to->sigma[STIFFNESS] * to->sigma[STIFFNESS]);
  sd_conditions c = {.place = most * to->sigma[PLACE],
                     .speed = most * to->sigma[SPEED],
                     .rate = most * to->sigma[RATE],
                     .stiffness = fmax(exp(most * sqrt(variance) - 0.5 * variance), 1),
                     .time = (double)to->total_steps * n->step,
                     .starts = starts_given(to, member)};
  to->problem->constants(n->parameters, constants);
  to->problem->family->surroundings(constants, &c.around);
  return c;
}

/* With two digits, and not more than it is. */
static double rounded_down(double x) {
  double unit = pow(10, floor(log10(x)) - 1);
  return floor(x / unit * (1 + 1e-12)) * unit;
}

/* A system's step is within what its fastest oscillation allows, in every stage of a composition. */
static sd_status check_stability(const resolver *r, const sd_topology *topology, size_t member, const sd_numbers *n,
                                 sd_error *error) {
  const sd_specification *to = r->to;
  double longest = 1, h = n->step;
  if (r->given->unstable) return SD_OK;
  sd_conditions conditions = conditions_of(to, member, n);
  for (int m = 0; m < to->method_count; m++)
    for (int i = 0; i < to->methods[m].stages; i++) longest = fmax(longest, fabs(to->methods[m].stage[i]));
  if (h * longest <= sd_topology_safe_step(topology, &conditions)) return SD_OK;
  double limit = sd_topology_stable_step(topology, &conditions) / longest;
  if (!(h > limit)) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT,
                 "step %g is beyond the stability limit of its fastest oscillation, about %.2g; take a smaller one, or "
                 "--unstable yes to run it all the same",
                 h, rounded_down(limit));
}

/* Points may have other bonds than one another; the members of each have the same. */
static sd_status check_bodies(sd_specification *to, const sd_shared_topology *topology, sd_error *error) {
  size_t bodies = sd_topology_of(topology)->size.bodies;
  if (bodies != sd_bodies_each(to))
    return sd_fail(error, SD_BAD_INPUT, "a system of %zu bodies, and not of %zu as others", bodies, sd_bodies_each(to));
  if (sd_topology_matches(topology, to->topology)) return SD_OK;
  if (sd_members_alike(to) == 1 && to->each > 1)
    return sd_fail(error, SD_BAD_INPUT, "other bodies are bonded than in others");
  to->apart = 1;
  return SD_OK;
}

static sd_status check_system(const resolver *r, size_t member, sd_error *error) {
  sd_specification *to = r->to;
  sd_numbers n;
  sd_shared_topology *topology;
  sd_numbers_of(to, 0, member, &n);
  SD_TRY(sd_topology_of_member(to, member, &topology, error));
  sd_status status = check_bodies(to, topology, error);
  if (!status) status = check_stability(r, sd_topology_of(topology), member, &n, error);
  sd_topology_let_go(topology);
  return status;
}

/* Every system that is not like the one before it: as many bodies as the others', and a step that it can take. */
static sd_status check_systems(const resolver *r) {
  const sd_specification *to = r->to;
  size_t by = sd_members_alike(to);
  for (size_t i = 0; i < to->members && to->topology; i += sd_is_varied(to) ? by : to->members) {
    sd_error error = {0};
    char who[SD_MEMBER_TEXT];
    sd_status status = check_system(r, i, &error);
    if (status && sd_is_varied(to))
      return sd_fail(r->error, status, "%s%s: %.300s", sd_is_swept(to) ? "sweep: " : "", sd_describe_member(to, i, who),
                     error.message);
    if (status) return sd_fail(r->error, status, "%s", error.message);
  }
  return SD_OK;
}

/* "a, b and c" */
static void list_spreads(const sd_family *family, char *text, size_t size) {
  *text = 0;
  for (const sd_start_array *a = family->start; a->name; a++) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s%s", !used ? "" : a[1].name ? ", " : " and ", a->key);
  }
}

/* The deviations of the problem's family, which are no other's. */
static sd_status resolve_spreads(resolver *r) {
  const sd_settings *given = r->given;
  sd_specification *to = r->to;
  const sd_family *family = to->problem->family;
  int taken[SD_SPREADS_MAX] = {0};
  int k = 0;
  for (const sd_start_array *a = family->start; a->name; a++, k++) {
    to->sigma[k] = a->deviation;
    for (int i = 0; i < given->spreads; i++)
      if (!strcmp(given->spread[i].key, a->key)) to->sigma[k] = given->spread[i].value, taken[i] = 1;
  }
  for (int i = 0; i < given->spreads && !given->spare_parameters; i++) {
    if (taken[i]) continue;
    char own[160];
    const sd_family *other = sd_family_at(0);
    for (int f = 0; f < sd_family_count(); f++)
      for (const sd_start_array *a = sd_family_at(f)->start; a->name; a++)
        if (!strcmp(a->key, given->spread[i].key)) other = sd_family_at(f);
    list_spreads(family, own, sizeof own);
    return sd_fail(r->error, SD_BAD_INPUT, "%s is for %s; %s has %s", given->spread[i].key, other->plural,
                   given->problem, own);
  }
  return SD_OK;
}

/* All of them, or those that are asked for. */
static sd_status resolve_points(resolver *r) {
  const sd_settings *given = r->given;
  sd_specification *to = r->to;
  size_t all = sd_sweep_points(&to->sweep), first = to->first_point = given->first_point;
  if ((first || given->points > 1) && !sd_is_swept(to))
    return sd_fail(r->error, SD_BAD_INPUT, "%s: there is no sweep", first ? "first-point" : "points");
  if (first >= all)
    return sd_fail(r->error, SD_BAD_INPUT, "first-point: %zu is beyond the sweep, which has points 0 to %zu", first,
                   all - 1);
  to->points = given->points ? given->points : all - first;
  if (to->points <= all - first) return SD_OK;
  return sd_fail(r->error, SD_BAD_INPUT, "points: %zu from point %zu on are more than the sweep has, 0 to %zu",
                 to->points, first, all - 1);
}

/* Members are told apart by 64 bits. */
static sd_status resolve_members(resolver *r) {
  const sd_settings *given = r->given;
  sd_specification *to = r->to;
  int sized = given->given[SD_SIZE].source >= 0 || !to->sweep.axes ||
              given->starts.count; /* a sweep has one member a point by default */
  to->each = sized ? given->members : 1;
  SD_TRY(resolve_points(r));
  if (to->points > SD_BODIES_MOST / to->each)
    return sd_fail(r->error, SD_BAD_INPUT, "sweep: %zu points of %zu members are more than %g", to->points, to->each,
                   (double)SD_BODIES_MOST);
  size_t members = to->members = to->points * to->each;
  to->first_member = given->first_member;
  to->seed = given->seed;
  to->resolve = given->resolve;
  to->finals = given->finals < members ? given->finals : members;
  to->recorded = given->trajectories < members ? given->trajectories : members;
  to->mergeable = given->mergeable;
  if (to->first_member <= UINT64_MAX - members) return SD_OK;
  return sd_fail(r->error, SD_BAD_INPUT, "%s: with %zu %s expected 0 to %llu, not %zu", given->given[SD_FIRST].name,
                 members, given->given[SD_SIZE].name, (unsigned long long)(UINT64_MAX - members), to->first_member);
}

static sd_status check_trajectories(const resolver *r) {
  sd_specification *to = r->to;
  double samples = (double)(to->total_steps / to->sample_every + 2);
  if (to->recorded && sd_is_swept(to))
    return sd_fail(r->error, SD_BAD_INPUT, "trajectories: of a sweep they are not kept; run the point alone");
  double numbers =
      (double)to->recorded * to->method_count * (double)sd_state_numbers(to->problem->family, sd_bodies_of(to));
  if (samples * numbers * 8.0 <= 4e9) return SD_OK;
  return sd_fail(r->error, SD_BAD_INPUT,
                 "trajectories: %zu members at %.0f samples are too much to keep; raise --every or record fewer",
                 to->recorded, samples);
}

/* Moments are of one ensemble of single bodies. */
static sd_status resolve_kept(const resolver *r) {
  sd_specification *to = r->to;
  const sd_family *family = to->problem->family;
  to->moments = r->given->moments || r->given->at.count;
  to->at = r->given->at;
  for (int k = 0; k < to->at.count; k++)
    if (!(to->at.time[k] >= 0 && sd_look_at(to->at.time[k], to->h).time <= to->total_time))
      return sd_fail(r->error, SD_BAD_INPUT, "at: t=%.15g is not within the run, which ends at %.15g", to->at.time[k],
                     to->total_time);
  to->table = r->given->table;
  if (to->table && (double)to->members * to->method_count * SD_COLUMNS * 8 > 8e9)
    return sd_fail(r->error, SD_BAD_INPUT, "table: of %zu members and %d methods it is too much to keep", to->members,
                   to->method_count);
  if ((double)to->members * to->method_count * (double)sd_log_numbers(to) * 8 > 8e9)
    return sd_fail(r->error, SD_BAD_INPUT, "at-event: the logs of %zu members are too much to keep", to->members);
  if (to->moments && sd_is_swept(to))
    return sd_fail(r->error, SD_BAD_INPUT, "moments: of a sweep they are not kept; run the point alone");
  if (to->moments && !sd_coordinates_of(family).numbers)
    return sd_fail(r->error, SD_BAD_INPUT,
                   "moments: %s has %s, whose states have no mean; final and trajectories keep them", r->given->problem,
                   family->plural);
  return SD_OK;
}

static sd_status check_mergeable(const resolver *r) {
  const sd_specification *to = r->to;
  double samples = (double)(to->total_steps / to->sample_every + 2);
  if (!to->mergeable || sd_is_swept(to)) return SD_OK;
  if (to->at.count) return sd_fail(r->error, SD_BAD_INPUT, "mergeable: what --at asks for is not merged; leave it out");
  double bytes = 8.0 * fmin(samples, SD_SERIES_MOST) * sd_shared_numbers(to) * (double)to->members * to->method_count;
  if (bytes <= 64e9) return SD_OK;
  return sd_fail(r->error, SD_BAD_INPUT,
                 "mergeable: %zu members at %.0f samples are too much to keep; raise --every or run fewer in a job",
                 to->members, fmin(samples, SD_SERIES_MOST));
}

static sd_status resolve_starts(resolver *r) {
  const sd_settings *given = r->given;
  sd_specification *to = r->to;
  const sd_family *family = to->problem->family;
  const sd_starts *s = &given->starts;
  for (size_t i = 0; i < s->count; i++) {
    if (s->member[i] >= to->each)
      return sd_fail(r->error, SD_BAD_INPUT, "start of member %zu: the ensemble has %zu", s->member[i], to->each);
    if (*to->sweep.columns) continue; /* variety.c looks at these */
    size_t numbers = sd_start_numbers(family, sd_bodies_of(to)), each = sd_start_numbers(family, 1);
    if (s->width != numbers)
      return sd_fail(r->error, SD_BAD_INPUT,
                     "start of member %zu: %s has %s, which start with %zu numbers each, and it has %zu", s->member[i],
                     given->problem, family->plural, numbers, s->width);
    const char *wrong = NULL;
    for (size_t k = 0; k < s->width && !wrong; k += each) wrong = family->check_start(s->number + i * s->width + k);
    if (wrong) return sd_fail(r->error, SD_BAD_INPUT, "start of member %zu: %s", s->member[i], wrong);
  }
  return sd_starts_copy(&to->starts, s) ? sd_fail(r->error, SD_NO_MEMORY, "plan: out of memory") : SD_OK;
}

static sd_status resolve(resolver *r) {
  r->to->sweep = r->given->sweep;
  SD_TRY(resolve_problem(r));
  SD_TRY(resolve_spreads(r));
  SD_TRY(resolve_methods(r));
  SD_TRY(check_overrides(r));
  SD_TRY(resolve_steps(r));
  SD_TRY(sd_resolve_maneuvers(r->given, r->to, r->error));
  SD_TRY(resolve_members(r));
  SD_TRY(check_trajectories(r));
  SD_TRY(resolve_kept(r));
  SD_TRY(check_mergeable(r));
  SD_TRY(resolve_starts(r));
  SD_TRY(sd_resolve_variety(r->to, r->error));
  return check_systems(r);
}

static sd_status resolve_place(const sd_settings *given, sd_place *place, sd_error *error) {
  const char *backend = place->backend;
  if (strcmp(backend, "auto") && strcmp(backend, "cpu") && strcmp(backend, "cuda"))
    return sd_fail(error, SD_BAD_INPUT, "unknown backend '%s'; expected auto, cpu or cuda", backend);
  SD_TRY(sd_find_variant(given->isa, &place->variant, error));
  sd_processors usable = sd_processors_usable();
  if (place->ranks) sd_processors_decide(&usable, place->ranks->sharers, place->ranks->here);
  place->threads = given->threads ? given->threads : usable.threads;
  return SD_OK;
}

sd_status sd_plan_resolve(sd_plan *plan) {
  plan->error = (sd_error){0};
  plan->resolved = 0;
  resolver r = {.given = &plan->settings, .to = calloc(1, sizeof *r.to), .error = &plan->error};
  sd_status status = r.to ? resolve(&r) : sd_fail(r.error, SD_NO_MEMORY, "plan: out of memory");
  if (!status) status = resolve_place(&plan->settings, &plan->place, &plan->error);
  if (!status && plan->settings.until.wanted && sd_is_swept(r.to))
    status = sd_fail(&plan->error, SD_BAD_INPUT, "until-decided is for one ensemble; a sweep is as long as it is");
  if (!status && plan->settings.until.most && !plan->settings.until.wanted)
    status = sd_fail(&plan->error, SD_BAD_INPUT,
                     "max-time is how long until-decided may make the run, which is not asked for");
  if (status) return sd_specification_destroy(r.to), status;
  sd_specification_destroy(plan->specification);
  plan->specification = r.to;
  plan->resolved = 1;
  memcpy(plan->skipped, r.skipped, sizeof plan->skipped);
  return SD_OK;
}
