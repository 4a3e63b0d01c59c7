/* command_bench.c - spindrift bench: how fast the processor's variants and the CUDA devices integrate the same bodies,
 * and whether they give the same bits.
 *
 * A line of work is a method on a problem.  Its engines take turns, round after round, so that a machine whose speed
 * varies favours none; the round before the first is not counted. */
#include "commands.h"
#include "engine.h"
#include "interrupt.h"
#include "json.h"
#include "nearest.h"
#include "number.h"
#include "terminal.h"
#include "text.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM = 48, LINES_MOST = 1024 };

typedef struct {
  char problem[ITEM], method[32];
  int64_t steps, every;
} line_of_work;

/* Operations of a body-step, where they have been counted, on bodies that all take so many of Newton's iterations. */
static const struct {
  const char *problem, *method;
  double newton, operations;
} counted[] = {
#define OPERATIONS(problem, method, newton, operations) {problem, method, newton, operations},
#include <operations.def>
#undef OPERATIONS
};

/* What one engine did of a line. */
typedef struct {
  double ns[SD_ROUNDS_MOST]; /* per body-step; in ascending order once all is measured */
  double newton;
  size_t failed;
  char digest[33]; /* of its last run, or of the first that differs */
  int same;        /* as the line's digest, in every round */
} outcome;

typedef struct {
  const sd_request *request;
  sd_plan *plan;
  long long members, threads;
  sd_engine engine[SD_ENGINES_MOST];
  double peak[SD_ENGINES_MOST]; /* operations per second, the most that was seen of the engine; NaN: not known */
  int engines, rounds;
  line_of_work line[LINES_MOST];
  int lines;
  outcome of[SD_ENGINES_MOST]; /* the engines, in the line at work */
  char digest[33];             /* of the line's first run: all others must have it, too */
  int failed, different;       /* were there bodies that failed, digests that differ? */
  sd_error error;              /* of its own, not of a plan */
  sd_json json;
} bench;

static void machine(char *name, size_t size) {
  FILE *info = fopen("/proc/cpuinfo", "r");
  char line[256];
  snprintf(name, size, "unknown processor");
  while (info && fgets(line, sizeof line, info)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) || !colon) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(name, size, "%s", colon + 2);
    break;
  }
  if (info) fclose(info);
}

/* ---- what is to be measured ---- */

/* The next item of a list with commas, which may be empty; 0 after the last. */
static int next_item(const char **list, char item[ITEM]) {
  if (!*list) return 0;
  size_t length = strcspn(*list, ",");
  snprintf(item, ITEM, "%.*s", (int)(length < ITEM ? length : ITEM - 1), *list);
  *list = (*list)[length] ? *list + length + 1 : NULL;
  return 1;
}

/* Takes the engine into the list, once; a unit of NULL stands for all of the backend.  Returns whether there is one. */
static int choose(bench *b, const sd_engine *all, int count, const char *backend, const char *unit) {
  int found = 0;
  for (int i = 0; i < count; i++) {
    if (strcmp(all[i].backend, backend) || (unit && strcmp(all[i].unit, unit))) continue;
    int known = 0;
    for (int k = 0; k < b->engines; k++) known |= !strcmp(b->engine[k].text, all[i].text);
    if (!known) b->engine[b->engines++] = all[i];
    found = 1;
  }
  return found;
}

/* The variant of this name, as a plan understands it. */
static sd_status choose_variant(bench *b, const sd_engine *all, int count, const char *name) {
  sd_variant_info v = {.size = sizeof v};
  sd_plan *alone;
  int any = !strcmp(name, "auto");
  sd_status status = sd_plan_create(&alone);
  if (status) return sd_fail(&b->error, status, "out of memory");
  if (!status) status = sd_plan_set(alone, "isa", name);
  if (!status) status = sd_plan_resolve(alone);
  const char *message = sd_plan_message(alone);
  if (status) sd_fail(&b->error, status, "%s%s", message, strncmp(message, "unknown", 7) ? "" : ", all");
  sd_plan_destroy(alone);
  const char *unit = name;
  for (size_t i = 0; any && sd_list_variant(i, &v); i++) unit = v.usable ? v.name : unit;
  if (!status) choose(b, all, count, "cpu", unit);
  return status;
}

static sd_status choose_variants(bench *b, const sd_engine *all, int count) {
  const char *list = b->request->variants ? b->request->variants : "auto";
  for (char name[ITEM]; next_item(&list, name);)
    if (!strcmp(name, "all")) choose(b, all, count, "cpu", NULL);
    else SD_TRY(choose_variant(b, all, count, name));
  return SD_OK;
}

static sd_status choose_devices(bench *b, const sd_engine *all, int count, const char *missing) {
  const char *list = b->request->devices;
  if (*missing) return sd_fail(&b->error, SD_BAD_INPUT, "backend cuda: %s", missing);
  if (!list) choose(b, all, count, "cuda", NULL);
  for (char number[ITEM]; next_item(&list, number);)
    if (!choose(b, all, count, "cuda", number))
      return sd_fail(&b->error, SD_BAD_INPUT, "devices: '%s' is none of those that 'spindrift devices' lists", number);
  return SD_OK;
}

static sd_status unknown_backend(bench *b, const char *name) {
  static const char *const known[] = {"auto", "cpu", "cuda"};
  sd_nearest nearest = {0};
  char question[SD_NEAREST_ROOM];
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) sd_nearest_consider(&nearest, name, known[i]);
  return sd_fail(&b->error, SD_BAD_INPUT, "unknown backend '%s'; %s expected auto, cpu, cuda or a list of these", name,
                 sd_nearest_question(&nearest, "", question));
}

/* In the order in which they are asked for: speed-ups are over the first. */
static sd_status choose_engines(bench *b) {
  static sd_engine all[SD_ENGINES_MOST];
  char missing[256];
  int count = sd_engines(all, missing);
  const char *list = b->request->backends ? b->request->backends : "auto";
  for (char name[ITEM]; next_item(&list, name);) {
    int any = !strcmp(name, "auto"), cpu = !strcmp(name, "cpu"), cuda = !strcmp(name, "cuda");
    if (!any && !cpu && !cuda) return unknown_backend(b, name);
    if (any || cpu) SD_TRY(choose_variants(b, all, count));
    if (cuda || (any && (!*missing || b->request->devices))) SD_TRY(choose_devices(b, all, count, missing));
  }
  return SD_OK;
}

/* Every problem is checked with all its methods before the first is measured.  A thousand steps, and no samples but the
 * first and the last: what is measured is the integration. */
static sd_status choose_lines(bench *b) {
  sd_plan *plan = b->plan;
  const sd_request *r = b->request;
  const char *list = r->problems ? r->problems : "stress";
  if (!sd_request_sets(r, "steps") && !sd_request_sets(r, "time")) SD_TRY(sd_plan_set(plan, "steps", "1000"));
  for (char problem[ITEM]; next_item(&list, problem);) {
    long long steps, every;
    sd_method_info m = {.size = sizeof m};
    SD_TRY(sd_plan_set(plan, "problem", problem));
    SD_TRY(sd_whole_of(plan, "steps", &steps));
    SD_TRY(sd_whole_of(plan, sd_request_sets(r, "every") ? "every" : "steps", &every));
    for (size_t i = 0; sd_plan_method(plan, i, &m); i++) {
      if (b->lines == LINES_MOST)
        return sd_fail(&b->error, SD_BAD_INPUT, "more than %d methods on problems", LINES_MOST);
      line_of_work *l = &b->line[b->lines++];
      *l = (line_of_work){.steps = steps, .every = every};
      snprintf(l->problem, sizeof l->problem, "%s", problem);
      snprintf(l->method, sizeof l->method, "%s", m.id);
    }
  }
  sd_plan_allow_spare(plan, 1); /* each of the runs from here on has one method */
  SD_TRY(sd_whole_of(plan, "members", &b->members));
  return sd_whole_of(plan, "threads", &b->threads);
}

/* ---- measuring ---- */

/* The round before the first is number -1.  Bodies that fail do not end the others' measurement. */
static sd_status measure_once(bench *b, int engine, int round) {
  outcome *o = &b->of[engine];
  sd_result *result;
  SD_TRY(sd_engine_take(&b->engine[engine], b->plan));
  sd_status status = sd_run(b->plan, &result);
  if (result && sd_result_complete(result)) {
    const sd_summary *s = sd_result_summary(result, 0);
    if (round >= 0) o->ns[round] = s->ns_per_body_step;
    if (!*b->digest) memcpy(b->digest, s->digest, sizeof b->digest);
    if (o->same) memcpy(o->digest, s->digest, sizeof o->digest);
    o->same = o->same && !strcmp(o->digest, b->digest);
    o->newton = s->newton_mean;
    o->failed = s->failed;
  }
  sd_result_destroy(result);
  if (status != SD_BODIES_FAILED) return status;
  b->failed = 1;
  return SD_OK;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const bench *b, int engine) {
  const double *ns = b->of[engine].ns;
  return 0.5 * (ns[(b->rounds - 1) / 2] + ns[b->rounds / 2]);
}

/* Over the first engine; NaN where that one's times mean nothing and this one's do. */
static double speed_up(const bench *b, int engine) {
  return b->engine[0].emulated && !b->engine[engine].emulated ? NAN : median(b, 0) / median(b, engine);
}

static double operations_of(const line_of_work *l, double newton) {
  for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
    if (!strcmp(counted[i].problem, l->problem) && !strcmp(counted[i].method, l->method))
      return fabs(newton - counted[i].newton) < 1e-3 ? counted[i].operations : NAN;
  return NAN;
}

/* Of what the engine's arithmetic units can do; NaN where that is not known, or what there is to do is not.  A limit
 * that is exceeded was measured on a machine that was busy elsewhere, and is none. */
static double share_of_limit(const bench *b, const line_of_work *l, int engine) {
  double share = operations_of(l, b->of[engine].newton) * 1e9 / median(b, engine) / b->peak[engine];
  return share <= 1 ? share : NAN;
}

/* A processor's limit is measured beside its runs, so that both see the same clock and the same neighbours; a device's
 * follows from what it is. */
static void find_peak(bench *b, const line_of_work *l, int engine) {
  const sd_engine *e = &b->engine[engine];
  if (e->emulated || isnan(operations_of(l, b->of[engine].newton))) return;
  int cpu = !strcmp(e->backend, "cpu");
  double peak = cpu ? sd_peak(e->unit, (int)b->threads) : sd_device_peak((int)strtol(e->unit, NULL, 10));
  b->peak[engine] = fmax(b->peak[engine], peak);
}

static sd_status measure_line(bench *b, const line_of_work *l) {
  char every[24];
  snprintf(every, sizeof every, "%lld", (long long)l->every);
  SD_TRY(sd_plan_set(b->plan, "problem", l->problem));
  SD_TRY(sd_plan_set(b->plan, "method", l->method));
  SD_TRY(sd_plan_set(b->plan, "every", every));
  b->digest[0] = 0;
  for (int i = 0; i < b->engines; i++) b->of[i] = (outcome){.same = 1};
  for (int round = -1; round < b->rounds; round++)
    for (int i = 0; i < b->engines; i++) {
      SD_TRY(measure_once(b, i, round));
      find_peak(b, l, i);
    }
  for (int i = 0; i < b->engines; i++) {
    qsort(b->of[i].ns, (size_t)b->rounds, sizeof *b->of[i].ns, ascending);
    b->different |= !b->of[i].same;
  }
  return SD_OK;
}

/* ---- showing ---- */

/* A line of the head, no wider than the terminal. */
static void print_line(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void print_line(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  sd_format_list(text, sizeof text, format, arguments);
  va_end(arguments);
  sd_print_wrapped(stdout, sd_terminal_of(stdout).width, 2, text);
}

/* Columns: how wide, to the left where that is negative, and how soon each has to go where there is no room: the
 * highest first. */
static const struct {
  const char *head;
  int width, goes;
} columns[] = {{"problem", -14, 0},  {"method", -12, 0}, {"engine", -18, 0}, {"steps", 8, 7},
               {"million/s", 11, 5}, {"ns/step", 10, 0}, {"spread", 7, 3},   {"speed-up", 8, 1},
               {"share", 6, 4},      {"newton", 7, 6},   {" digest", -9, 2}};
enum { COLUMNS = sizeof columns / sizeof *columns, CELL = 64 };

static int width_up_to(int last) {
  int width = -1;
  for (int c = 0; c < COLUMNS; c++)
    if (columns[c].goes <= last) width += 1 + abs(columns[c].width);
  return width;
}

static void print_cells(char cells[COLUMNS][CELL]) {
  int last = COLUMNS, width = sd_terminal_of(stdout).width;
  while (last && width_up_to(last) > width) last--;
  for (int c = 0; c < COLUMNS; c++)
    if (columns[c].goes <= last) printf("%s%*s", c ? " " : "", columns[c].width, cells[c]);
  putchar('\n');
}

static void print_head(const bench *b, const char *processor) {
  char cells[COLUMNS][CELL];
  print_line("%s, compiler %s, %lld bodies, %lld %s", processor, __VERSION__, b->members, b->threads,
             sd_plural((size_t)b->threads, "thread", "threads"));
  int devices = 0;
  for (int i = 0; i < b->engines; i++) {
    if (strcmp(b->engine[i].backend, "cuda")) continue;
    print_line("%s", b->engine[i].text);
    devices++;
  }
  print_line("median of %d %s after one that is not counted; spread: highest less lowest%s", b->rounds,
             sd_plural((size_t)b->rounds, "round", "rounds"),
             devices ? "; times of devices include all transfers" : "");
  print_line("million/s: million steps of a body in a second; ns/step: nanoseconds for one");
  print_line("share: of the operations that chains of fma reach in the same lanes and threads%s",
             devices ? "; of a device, of its data sheet's" : "");
  putchar('\n');
  for (int c = 0; c < COLUMNS; c++) snprintf(cells[c], CELL, "%s", columns[c].head);
  print_cells(cells);
}

/* A number with so many digits after the point, or '-' for one that is not known. */
static void write_known(char cell[CELL], double value, int digits, const char *unit) {
  if (isnan(value)) snprintf(cell, CELL, "-");
  else sd_format(cell, CELL, "%.*f%s", digits, value, unit);
}

static void print_row(const bench *b, const line_of_work *l, int i) {
  const sd_engine *e = &b->engine[i];
  const outcome *o = &b->of[i];
  char cells[COLUMNS][CELL];
  double ns = median(b, i), spread = (o->ns[b->rounds - 1] - o->ns[0]) / ns;
  snprintf(cells[0], CELL, "%s", l->problem);
  snprintf(cells[1], CELL, "%s", l->method);
  snprintf(cells[2], CELL, "%s %s%s", e->backend, e->unit, e->emulated ? " (emulated)" : "");
  snprintf(cells[3], CELL, "%lld", (long long)l->steps);
  write_known(cells[4], 1e3 / ns, 2, "");
  write_known(cells[5], ns, 2, "");
  write_known(cells[6], 100 * spread, 1, "%");
  write_known(cells[7], speed_up(b, i), 2, "");
  write_known(cells[8], 100 * share_of_limit(b, l, i), 0, "%");
  write_known(cells[9], o->newton, 2, "");
  snprintf(cells[10], CELL, " %.8s%s", o->digest, o->same ? "" : " DIFFERS");
  print_cells(cells);
}

static void write_head(bench *b, const char *processor) {
  sd_json *j = &b->json;
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "spindrift", SPINDRIFT_VERSION);
  sd_json_text(j, "machine", processor);
  sd_json_text(j, "compiler", __VERSION__);
  sd_json_whole(j, "bodies", b->members);
  sd_json_whole(j, "threads", b->threads);
  sd_json_whole(j, "rounds", b->rounds);
  sd_json_open(j, "results", '[');
}

static void write_engine(sd_json *j, const sd_engine *e, long long threads) {
  int cuda = !strcmp(e->backend, "cuda");
  sd_json_text(j, "engine", e->text);
  if (!cuda) sd_json_text(j, "isa", e->unit);
  if (!cuda) sd_json_whole(j, "threads", threads);
  sd_json_open(j, "backend", '{');
  sd_json_text(j, "name", e->backend);
  if (!cuda) sd_json_text(j, "isa", e->unit);
  if (!cuda) sd_json_whole(j, "threads", threads);
  if (cuda) sd_json_whole(j, "device", strtol(e->unit, NULL, 10));
  sd_json_close(j, '}');
  sd_json_truth(j, "emulated", e->emulated);
  if (cuda) sd_json_truth(j, "transfers_included", 1);
}

static void write_row(bench *b, const line_of_work *l, int i) {
  sd_json *j = &b->json;
  const outcome *o = &b->of[i];
  double ns = median(b, i);
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "problem", l->problem);
  sd_json_text(j, "method", l->method);
  write_engine(j, &b->engine[i], b->threads);
  sd_json_whole(j, "steps", l->steps);
  sd_json_real(j, "body_steps_per_second", 1e9 / ns);
  sd_json_real(j, "ns_per_body_step", ns);
  sd_json_real(j, "ns_lowest", o->ns[0]);
  sd_json_real(j, "ns_highest", o->ns[b->rounds - 1]);
  sd_json_real(j, "speedup", speed_up(b, i));
  sd_json_real(j, "operations_per_body_step", operations_of(l, o->newton));
  sd_json_real(j, "peak_operations_per_second", b->peak[i]);
  sd_json_real(j, "share_of_limit", share_of_limit(b, l, i));
  sd_json_real(j, "newton", o->newton);
  sd_json_whole(j, "failed", (long long)o->failed);
  sd_json_text(j, "digest", o->digest);
  sd_json_truth(j, "same_digest", o->same);
  sd_json_close(j, '}');
}

/* ---- the verb ---- */

static int complain(const bench *b, sd_status status) {
  if (!b->error.status) return sd_complain(b->plan, status);
  sd_say(b->error.message);
  return sd_exit_status(b->error.status);
}

static sd_status prepare(bench *b) {
  SD_TRY(sd_plan_set(b->plan, "fallback", "none")); /* the processor's time must not be shown as a device's */
  b->rounds = b->request->display.rounds;
  SD_TRY(choose_engines(b));
  return choose_lines(b);
}

int sd_command_bench(const sd_request *r) {
  static bench b;
  char processor[128];
  b = (bench){.request = r, .plan = r->plan, .json = {.to = stdout}};
  for (int i = 0; i < SD_ENGINES_MOST; i++) b.peak[i] = NAN;
  sd_catch_signals(r->plan);
  sd_status status = prepare(&b);
  if (status) return complain(&b, status);
  machine(processor, sizeof processor);
  if (r->display.json) write_head(&b, processor);
  else print_head(&b, processor);
  for (int n = 0; n < b.lines && !status && !ferror(stdout); n++) { /* for nobody, if nobody reads */
    const line_of_work *l = &b.line[n];
    status = measure_line(&b, l);
    for (int i = 0; i < b.engines && !status; i++)
      if (r->display.json) write_row(&b, l, i);
      else print_row(&b, l, i);
    fflush(stdout);
  }
  if (r->display.json) {
    sd_json_close(&b.json, ']');
    sd_json_truth(&b.json, "same_digests", !b.different);
    sd_json_close(&b.json, '}');
  }
  if (b.different)
    sd_say("digests differ that should be equal; please report the lines above with the compiler and, for a device, "
           "its driver");
  return status ? complain(&b, status) : b.different ? 1 : b.failed ? 3 : 0;
}
