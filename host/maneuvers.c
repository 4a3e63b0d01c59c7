#include "maneuvers.h"

#include "number.h"
#include "safe_file.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- KEY=VALUE[,VALUE,VALUE],KEY=... ---- */

typedef struct {
  const char *name;
  int count; /* of values */
  double *to;
  const char *word; /* that may stand for them, or NULL */
  int seen, said;   /* said: it was the word */
} key;

typedef struct {
  const char *option, *text, *example; /* for messages */
  key *keys;                           /* ends with a null name */
  key *now;
  int left; /* values that the key still wants */
} reader;

static sd_status misread(const reader *r, sd_error *error) {
  return sd_fail(error, SD_BAD_INPUT, "%s: '%.60s' should read %s", r->option, r->text, r->example);
}

static sd_status begin_key(reader *r, const char *name, sd_error *error) {
  char list[128] = "";
  key *k = r->keys;
  while (k->name && strcmp(name, k->name)) k++;
  if (!k->name) {
    for (k = r->keys; k->name; k++) strcat(strcat(list, k == r->keys ? "" : ", "), k->name);
    return sd_fail(error, SD_BAD_INPUT, "%s: '%.40s' is none of %s", r->option, name, list);
  }
  if (k->seen++)
    return sd_fail(error, SD_BAD_INPUT, "%s: '%.60s' gives %s twice; give it once", r->option, r->text, name);
  r->now = k;
  r->left = k->count;
  return SD_OK;
}

/* There is one zero: -0 would give another digest. */
static sd_status read_real(const char *option, const char *text, double *to, sd_error *error) {
  char *end;
  *to = sd_real_from(text, &end);
  if (end == text || *end || !isfinite(*to))
    return sd_fail(error, SD_BAD_INPUT, "%s: '%.40s' is not a finite number", option, text);
  if (*to == 0) *to = 0;
  return SD_OK;
}

/* KEY=VALUE, or one more value of the key before. */
static sd_status read_item(reader *r, char *item, sd_error *error) {
  char *equals = strchr(item, '=');
  if (equals && r->left) return misread(r, error);
  if (equals) {
    *equals = 0;
    SD_TRY(begin_key(r, item, error));
    item = equals + 1;
    if (r->now->word && !strcmp(item, r->now->word)) return r->left = 0, r->now->said = 1, SD_OK;
  }
  if (!r->left) return misread(r, error);
  return read_real(r->option, item, &r->now->to[r->now->count - r->left--], error);
}

static sd_status read_keys(const char *option, const char *text, const char *example, key *keys, sd_error *error) {
  char copy[256], *list = copy;
  reader r = {.option = option, .text = text, .example = example, .keys = keys};
  if (!*text) return sd_fail(error, SD_BAD_INPUT, "%s: a value is missing", option);
  if (strlen(text) >= sizeof copy) return sd_fail(error, SD_BAD_INPUT, "%s: '%.40s...' is too long", option, text);
  strcpy(copy, text);
  for (char *item; (item = sd_next_item(&list));) SD_TRY(read_item(&r, item, error));
  return r.left ? misread(&r, error) : SD_OK;
}

/* Up to so many numbers with commas in between; how many there are, or -1 for more. */
static sd_status read_list(const char *option, const char *text, int most, double *value, int *count, sd_error *error) {
  char copy[1024] = "", *list = copy;
  if (strlen(text) >= sizeof copy) return sd_fail(error, SD_BAD_INPUT, "%s: '%.40s...' is too long", option, text);
  strcpy(copy, text);
  *count = 0;
  for (char *item; *text && (item = sd_next_item(&list));) {
    if (*count == most) return *count = -1, SD_OK;
    SD_TRY(read_real(option, item, &value[(*count)++], error));
  }
  return SD_OK;
}

static int is_zero(const double v[3]) {
  return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

static sd_status check_errors(const char *option, const char *text, double size, double angle, sd_error *error) {
  if (size >= 0 && angle >= 0) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "%s: '%.60s': size and angle are deviations, not negative", option, text);
}

static sd_status check_repetition(const char *option, const char *text, double times, sd_repetition *again,
                                  sd_error *error) {
  if (!(times >= 1 && times <= 1000 && times == floor(times)))
    return sd_fail(error, SD_BAD_INPUT, "%s: '%.60s': times is no whole number from 1 on", option, text);
  if ((times > 1 || again->every != 0) && !(again->every > 0))
    return sd_fail(error, SD_BAD_INPUT, "%s: '%.60s': every should be the time from one to the next", option, text);
  again->times = (int)times;
  return SD_OK;
}

/* ---- impulses and burns ---- */

sd_status sd_impulse_read(const char *text, sd_impulse *impulse, sd_repetition *again, sd_error *error) {
  sd_impulse i = {.time = 0};
  double times = 1, rtn[3] = {0};
  *again = (sd_repetition){0, 0};
  key keys[] = {{"t", 1, &i.time, NULL, 0, 0},
                {"dv", 3, i.change, NULL, 0, 0},
                {"rtn", 3, rtn, NULL, 0, 0},
                {"size", 1, &i.size_error, NULL, 0, 0},
                {"angle", 1, &i.angle_error, NULL, 0, 0},
                {"times", 1, &times, NULL, 0, 0},
                {"every", 1, &again->every, NULL, 0, 0},
                {NULL, 0, NULL, NULL, 0, 0}};
  SD_TRY(read_keys("impulse", text, "t=T,dv=X,Y,Z", keys, error));
  if (!(i.time > 0))
    return sd_fail(error, SD_BAD_INPUT, "impulse: '%.60s' needs a time after the start, as in t=20000,dv=0.01,0,0",
                   text);
  if (keys[1].seen && keys[2].seen)
    return sd_fail(error, SD_BAD_INPUT, "impulse: '%.60s' has both dv and rtn; give one of the two", text);
  if (keys[2].seen) memcpy(i.change, rtn, sizeof rtn), i.frame = SD_FRAME_RTN;
  if (is_zero(i.change))
    return sd_fail(error, SD_BAD_INPUT, "impulse: '%.60s' needs a change of velocity, as in t=20000,dv=0.01,0,0", text);
  SD_TRY(check_errors("impulse", text, i.size_error, i.angle_error, error));
  SD_TRY(check_repetition("impulse", text, times, again, error));
  *impulse = i;
  return SD_OK;
}

static const double standard_gravity = 9.80665e-3; /* km/s^2: what specific impulses are given with */

/* As files have one: FROM,UNTIL,FRAME, then three of the force, flow and errors. */
static sd_status read_numbers(const char *text, sd_burn *burn, sd_error *error) {
  double number[9];
  int count;
  SD_TRY(read_list("burn", text, 9, number, &count, error));
  if (count != 9 || !(number[0] >= 0 && number[1] > number[0]) ||
      !(number[6] >= 0 && number[7] >= 0 && number[8] >= 0) ||
      (number[2] != SD_FRAME_FIXED && number[2] != SD_FRAME_RTN && number[2] != SD_FRAME_TANGENT))
    return sd_fail(error, SD_BAD_INPUT, "burn: '%.60s' should read from=T,for=S,thrust=F", text);
  *burn = (sd_burn){number[0], number[1],     {number[3], number[4], number[5]}, number[6], number[7],
                    number[8], (int)number[2]};
  return SD_OK;
}

sd_status sd_burn_read(const char *text, sd_burn *burn, sd_repetition *again, sd_error *error) {
  sd_burn b = {.frame = SD_FRAME_TANGENT};
  double times = 1, length = 0, thrust = 0, along[3] = {0, 1, 0}, toward[3] = {0}, exhaust = 0, isp = 0;
  *again = (sd_repetition){0, 0};
  key keys[] = {{"from", 1, &b.from, NULL, 0, 0},
                {"for", 1, &length, NULL, 0, 0},
                {"thrust", 1, &thrust, NULL, 0, 0},
                {"along", 3, along, "tangential", 0, 0},
                {"toward", 3, toward, NULL, 0, 0},
                {"exhaust", 1, &exhaust, NULL, 0, 0},
                {"isp", 1, &isp, NULL, 0, 0},
                {"size", 1, &b.size_error, NULL, 0, 0},
                {"angle", 1, &b.angle_error, NULL, 0, 0},
                {"times", 1, &times, NULL, 0, 0},
                {"every", 1, &again->every, NULL, 0, 0},
                {NULL, 0, NULL, NULL, 0, 0}};
  if (*text && !strchr(text, '=')) return again->times = 1, read_numbers(text, burn, error);
  SD_TRY(read_keys("burn", text, "from=T,for=S,thrust=F", keys, error));
  if (b.from < 0 || !(length > 0) || !(thrust > 0))
    return sd_fail(error, SD_BAD_INPUT,
                   "burn: '%.60s' needs a start, a length and a thrust, as in "
                   "from=600,for=60,thrust=0.001",
                   text);
  if (keys[3].seen && keys[4].seen)
    return sd_fail(error, SD_BAD_INPUT, "burn: '%.60s' has both along and toward; give one of the two", text);
  if (keys[3].seen && !keys[3].said) b.frame = SD_FRAME_RTN;
  if (keys[4].seen) memcpy(along, toward, sizeof along), b.frame = SD_FRAME_FIXED;
  double size = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  if (!(size > 0)) return sd_fail(error, SD_BAD_INPUT, "burn: '%.60s' has no direction", text);
  for (int k = 0; k < 3; k++) b.force[k] = thrust * (along[k] / size);
  if (exhaust < 0 || isp < 0 || (exhaust > 0 && isp > 0))
    return sd_fail(error, SD_BAD_INPUT, "burn: '%.60s' should have one of exhaust and isp, and that positive", text);
  b.flow = exhaust > 0 ? thrust / exhaust : isp > 0 ? -(thrust / (isp * standard_gravity)) : 0;
  b.until = b.from + length;
  SD_TRY(check_errors("burn", text, b.size_error, b.angle_error, error));
  SD_TRY(check_repetition("burn", text, times, again, error));
  *burn = b;
  return SD_OK;
}

int64_t sd_step_with(double time, double h) {
  int64_t step = (int64_t)(time / h);
  while ((double)step * h >= time) step--;
  while ((double)(step + 1) * h < time) step++;
  return step;
}

static int insert(sd_impulse *cut, int count, sd_impulse one) {
  int at = count;
  for (; at > 0 && cut[at - 1].time > one.time; at--) cut[at] = cut[at - 1];
  cut[at] = one;
  return count + 1;
}

int sd_cuts_of(const sd_impulse *impulse, int impulses, const sd_burn *burn, int burns, double h,
               sd_impulse cut[SD_CUTS_MAX]) {
  int count = 0;
  for (int k = 0; k < impulses; k++) count = insert(cut, count, impulse[k]);
  for (int b = 0; b < burns; b++) {
    if (burn[b].from > 0) count = insert(cut, count, (sd_impulse){.time = burn[b].from});
    count = insert(cut, count, (sd_impulse){.time = burn[b].until});
  }
  for (int k = 0; k < count; k++) {
    cut[k].step = sd_step_with(cut[k].time, h);
    cut[k].burning = 0;
    for (int b = 0; b < burns; b++)
      if (burn[b].from < cut[k].time && cut[k].time <= burn[b].until) cut[k].burning = 1 + b;
  }
  return count;
}

/* ---- events ---- */

static const struct {
  const char *name;
  int sense;
} conditions[SD_CONDITIONS] = {
    [SD_AT_PERIAPSIS] = {"periapsis", 1},    [SD_AT_APOAPSIS] = {"apoapsis", -1}, [SD_AT_NODE] = {"node", 1},
    [SD_AT_DESCENDING] = {"descending", -1}, [SD_AT_HEIGHT] = {"height", 0},      [SD_AT_NEAREST] = {"nearest", 1},
    [SD_AT_NEAREST_BODY] = {"nearest", 1}};

const char *sd_condition_text(const sd_event *e, char text[SD_CONDITION_ROOM]) {
  const char *name = conditions[e->condition].name;
  const double *x = e->place;
  switch (e->condition) {
  case SD_AT_HEIGHT: sd_format(text, SD_CONDITION_ROOM, "%s=%.17g", name, x[0]); break;
  case SD_AT_NEAREST: sd_format(text, SD_CONDITION_ROOM, "%s=%.17g,%.17g,%.17g", name, x[0], x[1], x[2]); break;
  case SD_AT_NEAREST_BODY: sd_format(text, SD_CONDITION_ROOM, "%s=%d", name, e->body + 1); break;
  default: sd_format(text, SD_CONDITION_ROOM, "%s", name);
  }
  return text;
}

/* A condition that is a word, or one number, or the three of a place. */
static sd_status read_condition(char *text, sd_event *e, sd_error *error) {
  char *list = text + strcspn(text, "=");
  int count = 0, valued = *list == '=';
  if (valued) *list++ = 0;
  for (e->condition = 0; strcmp(conditions[e->condition].name, text);)
    if (++e->condition == SD_CONDITIONS)
      return sd_fail(error, SD_BAD_INPUT,
                     "at-event: '%.40s' is none of periapsis, apoapsis, node, descending, height=H, nearest=X,Y,Z and "
                     "nearest=BODY",
                     text);
  e->sense = conditions[e->condition].sense;
  if (valued)
    for (char *item; (item = sd_next_item(&list)); count++)
      if (count < 3) SD_TRY(read_real("at-event", item, &e->place[count], error));
  if (e->condition == SD_AT_NEAREST && count == 1) {
    if (!(e->place[0] >= 1 && e->place[0] <= 4 && e->place[0] == floor(e->place[0])))
      return sd_fail(error, SD_BAD_INPUT, "at-event: nearest=%g is no place, nor one of the further bodies 1 to 4",
                     e->place[0]);
    e->condition = SD_AT_NEAREST_BODY;
    e->body = (int)e->place[0] - 1;
    e->place[0] = 0;
  }
  int wanted = e->condition == SD_AT_HEIGHT ? 1 : e->condition == SD_AT_NEAREST ? 3 : e->body >= 0;
  if (count == wanted) return SD_OK;
  return sd_fail(error, SD_BAD_INPUT, "at-event: %s has %d %s; expected %d", text, count,
                 sd_plural((size_t)count, "number", "numbers"), wanted);
}

/* mark or end, with what follows them. */
static const char *read_action(const char *what, sd_event *e) {
  static const char *const words[] = {[SD_EVENT_MARKS] = "mark", [SD_EVENT_ENDS] = "end"};
  for (int k = SD_EVENT_MARKS; k <= SD_EVENT_ENDS; k++) {
    size_t length = strlen(words[k]);
    if (strncmp(what, words[k], length) || (what[length] && what[length] != ',')) continue;
    e->action = k;
    return what + length + (what[length] == ',');
  }
  return what;
}

sd_status sd_event_read(const char *text, sd_event *event, sd_error *error) {
  sd_event e = {.times = 1, .body = -1};
  char when[256];
  double times = 1, rtn[3] = {0};
  key keys[] = {{"dv", 3, e.change, NULL, 0, 0},
                {"rtn", 3, rtn, NULL, 0, 0},
                {"size", 1, &e.size_error, NULL, 0, 0},
                {"angle", 1, &e.angle_error, NULL, 0, 0},
                {"times", 1, &times, NULL, 0, 0},
                {"after", 1, &e.after, NULL, 0, 0},
                {NULL, 0, NULL, NULL, 0, 0}};
  size_t length = strcspn(text, ":");
  if (length >= sizeof when) return sd_fail(error, SD_BAD_INPUT, "at-event: '%.40s...' is too long", text);
  memcpy(when, text, length);
  when[length] = 0;
  SD_TRY(read_condition(when, &e, error));
  const char *what = text[length] ? text + length + 1 : "mark", *more = read_action(what, &e);
  if (*more || more == what)
    SD_TRY(read_keys("at-event", more, "WHEN:mark, :end, :dv=X,Y,Z or :rtn=R,T,N", keys, error));
  int kicks = keys[0].seen + keys[1].seen;
  if (kicks > 1 || (kicks && more != what))
    return sd_fail(error, SD_BAD_INPUT, "at-event: '%.60s' should do one of mark, end, dv and rtn", text);
  if (keys[1].seen) memcpy(e.change, rtn, sizeof rtn), e.frame = SD_FRAME_RTN;
  if (kicks) e.action = SD_EVENT_KICKS;
  if (kicks ? is_zero(e.change) : keys[2].seen || keys[3].seen)
    return sd_fail(error, SD_BAD_INPUT, "at-event: '%.60s' has no change of velocity", text);
  SD_TRY(check_errors("at-event", text, e.size_error, e.angle_error, error));
  if (!(times >= 1 && times <= SD_EVENT_ENTRIES_MAX && times == floor(times)))
    return sd_fail(error, SD_BAD_INPUT, "at-event: '%.60s': times is no whole number from 1 to %d", text,
                   SD_EVENT_ENTRIES_MAX);
  if (e.after < 0) return sd_fail(error, SD_BAD_INPUT, "at-event: '%.60s': after is before the start", text);
  e.times = (int)times;
  *event = e;
  return SD_OK;
}

/* ---- starts ---- */

const char *sd_units_names(int units) {
  static const char *const names[] = {"km, s, kg", "m, s, kg", "au, day, kg"};
  return names[units];
}

sd_status sd_velocity_read(const char *text, double velocity[3], sd_error *error) {
  double value[3];
  int count;
  SD_TRY(read_list("velocity", text, 3, value, &count, error));
  if (count != 3) return sd_fail(error, SD_BAD_INPUT, "velocity: '%.60s' should read X,Y,Z", text);
  memcpy(velocity, value, sizeof value);
  return SD_OK;
}

sd_status sd_times_read(const char *text, sd_asked_times *times, sd_error *error) {
  sd_asked_times t;
  SD_TRY(read_list("at", text, SD_TIMES_MAX, t.time, &t.count, error));
  if (t.count < 1)
    return sd_fail(error, SD_BAD_INPUT, "at: '%.40s' should be times with commas in between, up to %d", text,
                   SD_TIMES_MAX);
  *times = t;
  return SD_OK;
}

sd_status sd_elements_read(const char *text, double elements[SD_ELEMENTS], sd_error *error) {
  static const char *const names[SD_ELEMENTS] = {"a", "e", "i", "node", "peri", "M"};
  double value[SD_ELEMENTS] = {0};
  key keys[SD_ELEMENTS + 1] = {{NULL, 0, NULL, NULL, 0, 0}};
  for (int k = 0; k < SD_ELEMENTS; k++) keys[k] = (key){names[k], 1, &value[k], NULL, 0, 0};
  SD_TRY(read_keys("elements", text, "a=A,e=E,i=I,node=N,peri=P,M=M", keys, error));
  if (!keys[0].seen) return sd_fail(error, SD_BAD_INPUT, "elements: '%.60s' needs a, the semi-major axis", text);
  memcpy(elements, value, sizeof value);
  return SD_OK;
}

sd_status sd_covariance_parse(const char *name, const char *text, sd_covariance *covariance, sd_error *error) {
  static const char between[] = ", \t\r\n";
  sd_covariance c = {.given = 1, .frame = SD_FRAME_FIXED};
  int count = 0;
  text += strspn(text, between);
  if (!strncmp(text, "rtn", 3)) c.frame = SD_FRAME_RTN, text += 3;
  else if (!strncmp(text, "inertial", 8)) text += 8;
  for (text += strspn(text, between); *text; text += strspn(text, between), count++) {
    char item[64] = "";
    size_t length = strcspn(text, between);
    if (count == SD_COVARIANCE_NUMBERS || length >= sizeof item) break;
    memcpy(item, text, length);
    SD_TRY(read_real(name, item, &c.number[count], error));
    text += length;
  }
  if (count < SD_COVARIANCE_NUMBERS || *text)
    return sd_fail(error, SD_BAD_INPUT, "%s: %s numbers; expected the %d of a matrix, by rows", name,
                   count < SD_COVARIANCE_NUMBERS ? "too few" : "too many", SD_COVARIANCE_NUMBERS);
  *covariance = c;
  return SD_OK;
}

sd_status sd_covariance_read(const char *path, sd_covariance *covariance, sd_error *error) {
  char text[16384] = "", name[256];
  uint64_t size;
  int fd = sd_open_regular(path, &size);
  if (fd < 0)
    return sd_fail(error, SD_BAD_INPUT, "covariance: %s: cannot be read: %s", sd_path_shown(path), strerror(errno));
  int failed = size >= sizeof text || sd_read_all(fd, text, (size_t)size, 0);
  close(fd);
  snprintf(name, sizeof name, "covariance: %s", sd_path_shown(path));
  if (failed || strlen(text) != size) return sd_fail(error, SD_BAD_INPUT, "%s: it is no matrix of 36 numbers", name);
  return sd_covariance_parse(name, text, covariance, error);
}
