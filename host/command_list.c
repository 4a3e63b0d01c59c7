/* command_list.c - spindrift methods, problems, devices: what is built in. */
#include "commands.h"
#include "json.h"
#include "nearest.h"
#include "number.h"
#include "terminal.h"
#include "text.h"

#include <stdarg.h>
#include <string.h>

enum { TRAITS_MOST = 64, DEVICES_MOST = 64 };

/* A column for each letter of the list, which has it where one of its traits is there. */
static void list_letters(uint64_t traits, char letters[TRAITS_MOST + 1]) {
  char columns[TRAITS_MOST + 1] = "";
  sd_trait_info t = {.size = sizeof t};
  for (size_t k = 0; sd_list_trait(k, &t); k++) {
    if (!t.letter) continue;
    char *column = strchr(columns, t.letter);
    size_t at = column ? (size_t)(column - columns) : strlen(columns);
    if (!column) letters[at] = '.';
    columns[at] = t.letter;
    if (traits >> k & 1) letters[at] = t.letter;
  }
  letters[strlen(columns)] = 0;
}

static void json_parameter(sd_json *j, const sd_parameter_info *p) {
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "name", p->name);
  sd_json_reals(j, "default", p->value, p->count);
  sd_json_real(j, "low", p->low);
  sd_json_real(j, "high", p->high);
  sd_json_text(j, "text", p->text);
  sd_json_close(j, '}');
}

/* ---- names ---- */

/* A composition is of the method before its @. */
static int is_asked_for(const char *asked, const char *id) {
  size_t length = asked ? strcspn(asked, "@") : 0;
  return !asked || (strlen(id) == length && !strncmp(id, asked, length));
}

static int complain(const char *what, const char *asked, const sd_nearest *nearest) {
  char message[512], question[SD_NEAREST_ROOM];
  snprintf(message, sizeof message, "unknown %s '%.100s'; %s 'spindrift %ss' lists all", what, asked,
           sd_nearest_question(nearest, "", question), what);
  sd_say(message);
  return 2;
}

size_t sd_family_of(const char *id, sd_family_info *family) {
  size_t i = 0;
  *family = (sd_family_info){.size = sizeof *family};
  while (sd_list_family(i, family) && strcmp(family->id, id)) i++;
  return i;
}

/* In place of a file of one's own the id of what is in it, which is in the lists then. */
static int take_own(sd_request *r, const char *kind, char id[32]) {
  if (!sd_is_own(r->file)) return 0;
  sd_status status = sd_plan_take_own(r->plan, kind, r->file, id);
  if (status) return sd_complain(r->plan, status);
  r->file = id;
  return 0;
}

/* ---- paragraphs ---- */

enum { WIDEST = 100, NAMED = 12 }; /* columns: of a line, and where what was named begins */

static int page_width(void) {
  int width = sd_terminal_of(stdout).width;
  return width < WIDEST ? width : WIDEST;
}

static void print_line(int indent, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void print_line(int indent, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  sd_format_list(text, sizeof text, format, arguments);
  va_end(arguments);
  sd_print_wrapped(stdout, page_width(), indent, text);
}

/* The title of another family, in a paragraph of its own, where its entries begin; returns whether they do. */
static int begins_family(const char *id, const char **before, sd_family_info *f) {
  if (*before && !strcmp(id, *before)) return 0;
  sd_family_of(id, f);
  putchar('\n');
  *before = id;
  return 1;
}

/* V,V,V */
static const char *default_text(const sd_parameter_info *p, char text[64]) {
  char one[32];
  int n = 0;
  for (int c = 0; c < p->count; c++)
    n += snprintf(text + n, 64 - (size_t)n, "%s%s", c ? "," : "", sd_real_text(p->value[c], 6, one));
  return text;
}

static void print_parameter(const sd_parameter_info *p) {
  char value[64];
  print_line(37, "  %-10s %-22s  %g to %g: %s", p->name, default_text(p, value), p->low, p->high, p->text);
}

/* ---- methods ---- */

static void json_method(sd_json *j, size_t i, const sd_method_info *m) {
  sd_trait_info t = {.size = sizeof t};
  sd_parameter_info p = {.size = sizeof p};
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "id", m->id);
  sd_json_text(j, "family", m->family);
  sd_json_whole(j, "order", m->order);
  sd_json_open(j, "traits", '[');
  for (size_t k = 0; sd_list_trait(k, &t); k++)
    if (m->traits >> k & 1) sd_json_text(j, NULL, t.id);
  sd_json_close(j, ']');
  sd_json_text(j, "title", m->title);
  sd_json_text(j, "doi", m->doi);
  sd_json_open(j, "parameters", '[');
  for (size_t k = 0; sd_list_method_parameter(i, k, &p); k++) json_parameter(j, &p);
  sd_json_close(j, ']');
  sd_json_close(j, '}');
}

static void json_methods(const char *asked) {
  sd_json j = {.to = stdout};
  sd_method_info m = {.size = sizeof m};
  sd_json_open(&j, NULL, '[');
  for (size_t i = 0; sd_list_method(i, &m); i++)
    if (is_asked_for(asked, m.id)) json_method(&j, i, &m);
  sd_json_close(&j, ']');
}

/* The whole story of one. */
static void tell_method(size_t i, const sd_method_info *m) {
  sd_family_info f;
  sd_trait_info t = {.size = sizeof t};
  sd_parameter_info p = {.size = sizeof p};
  int symmetric = 0;
  sd_family_of(m->family, &f);
  print_line(2, "%s: %s", m->id, m->title);
  print_line(NAMED, "  %-9s %s", "family", f.title);
  print_line(NAMED, "  %-9s %d", "order", m->order);
  if (*m->doi) print_line(NAMED, "  %-9s %s", "doi", m->doi);
  for (size_t k = 0; sd_list_trait(k, &t); k++) {
    if (!(m->traits >> k & 1)) continue;
    print_line(NAMED, "  %-9s %s: %s", "trait", t.id, t.text);
    symmetric |= !strcmp(t.id, "symmetric");
  }
  if (symmetric) print_line(NAMED, "  %-9s %s@4, %s@6, %s@8 are its compositions", "higher", m->id, m->id, m->id);
  for (size_t k = 0; sd_list_method_parameter(i, k, &p); k++)
    print_line(NAMED, "  %-9s --param %s=%g, %g to %g: %s", "parameter", p.name, p.value[0], p.low, p.high, p.text);
}

/* An id may be one method of one family and another of another. */
static void tell_methods(const char *asked) {
  sd_method_info m = {.size = sizeof m};
  int told = 0;
  for (size_t i = 0; sd_list_method(i, &m); i++) {
    if (!is_asked_for(asked, m.id)) continue;
    if (told++) putchar('\n');
    tell_method(i, &m);
  }
}

static int check_method(const char *asked) {
  sd_method_info m = {.size = sizeof m};
  sd_nearest nearest = {0};
  for (size_t i = 0; sd_list_method(i, &m); i++) {
    if (is_asked_for(asked, m.id)) return 0;
    sd_nearest_consider(&nearest, asked, m.id);
  }
  return complain("method", asked, &nearest);
}

static void print_legend(void) {
  sd_trait_info t = {.size = sizeof t};
  for (size_t k = 0; sd_list_trait(k, &t); k++)
    if (t.letter) print_line(3, "%c  %s: %s", t.letter, t.id, t.text);
  print_line(0, "A symmetric method can be composed to order 4, 6, 8: vlv@4, vlv@6, vlv@8.");
}

/* The citation beside the title where there is room, otherwise below. */
static void print_method(size_t i, const sd_method_info *m) {
  char letters[TRAITS_MOST + 1], row[256];
  sd_parameter_info p = {.size = sizeof p};
  list_letters(m->traits, letters);
  int length = snprintf(row, sizeof row, "%-11s %5d %-7s %-45s %s", m->id, m->order, letters, m->title, m->doi);
  int apart = length > page_width();
  if (apart) print_line(26, "%-11s %5d %-7s %s", m->id, m->order, letters, m->title);
  else puts(row);
  if (apart && *m->doi) print_line(2, "%*s%s", 26 + (int)strlen(m->doi) > page_width() ? 2 : 26, "", m->doi);
  for (size_t k = 0; sd_list_method_parameter(i, k, &p); k++)
    print_line(26, "%25s --param %s=%g: %s", "", p.name, p.value[0], p.text);
}

int sd_command_methods(const sd_request *asked) {
  const char *family = NULL;
  sd_family_info f;
  sd_method_info m = {.size = sizeof m};
  char own[32];
  sd_request request = *asked;
  const sd_request *r = &request;
  int status = take_own(&request, "method", own);
  if (!status && r->file) status = check_method(r->file);
  if (status) return status;
  if (r->display.json) return json_methods(r->file), 0;
  if (r->file) return tell_methods(r->file), 0;
  print_legend();
  for (size_t i = 0; sd_list_method(i, &m); i++) {
    if (begins_family(m.family, &family, &f))
      puts(f.title), print_line(26, "%-11s %5s %-7s %-45s %s", "id", "order", "traits", "title", "doi");
    print_method(i, &m);
  }
  return 0;
}

/* ---- problems ---- */

static void json_problem(sd_json *j, size_t i, const sd_problem_info *p) {
  sd_family_info f;
  sd_parameter_info q = {.size = sizeof q};
  sd_family_of(p->family, &f);
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "id", p->id);
  sd_json_text(j, "family", p->family);
  sd_json_text(j, "title", p->title);
  sd_json_text(j, "doi", p->doi);
  sd_json_real(j, "step", p->step);
  sd_json_real(j, "time", p->time);
  if (f.units) sd_json_text(j, "units", f.units);
  sd_json_open(j, "parameters", '[');
  for (size_t k = 0; sd_list_problem_parameter(i, k, &q); k++) json_parameter(j, &q);
  sd_json_close(j, ']');
  sd_json_close(j, '}');
}

static void json_problems(const char *asked) {
  sd_json j = {.to = stdout};
  sd_problem_info p = {.size = sizeof p};
  sd_json_open(&j, NULL, '[');
  for (size_t i = 0; sd_list_problem(i, &p); i++)
    if (is_asked_for(asked, p.id)) json_problem(&j, i, &p);
  sd_json_close(&j, ']');
}

static void print_problem(size_t i, const sd_problem_info *p) {
  sd_parameter_info q = {.size = sizeof q};
  print_line(2, "%s: %s; step %g, time %g%s%s", p->id, p->title, p->step, p->time, *p->doi ? "; doi " : "", p->doi);
  for (size_t k = 0; sd_list_problem_parameter(i, k, &q); k++) print_parameter(&q);
}

/* The whole story of one. */
static void tell_problem(size_t i, const sd_problem_info *p) {
  sd_family_info f;
  sd_start_info s = {.size = sizeof s};
  sd_parameter_info q = {.size = sizeof q};
  size_t family = sd_family_of(p->family, &f);
  print_line(2, "%s: %s", p->id, p->title);
  print_line(NAMED, "  %-9s %s", "family", f.title);
  if (*p->doi) print_line(NAMED, "  %-9s %s", "doi", p->doi);
  print_line(NAMED, "  %-9s %g by default", "step", p->step);
  print_line(NAMED, "  %-9s %g by default", "time", p->time);
  print_line(NAMED, "  %-9s %s", "units", f.units ? f.units : "any that go together");
  print_line(NAMED, "  %-9s %s by default", "methods", f.methods);
  for (size_t k = 0; sd_list_start(family, k, &s); k++)
    print_line(NAMED, "  %-9s --%s %g: standard deviation of the starts in %s", "spread", s.option, s.deviation,
               s.name);
  puts("  --param");
  for (size_t k = 0; sd_list_problem_parameter(i, k, &q); k++) print_parameter(&q);
}

static void tell_problems(const char *asked) {
  sd_problem_info p = {.size = sizeof p};
  for (size_t i = 0; sd_list_problem(i, &p); i++)
    if (is_asked_for(asked, p.id)) tell_problem(i, &p);
}

static int check_problem(const char *asked) {
  sd_problem_info p = {.size = sizeof p};
  sd_nearest nearest = {0};
  for (size_t i = 0; sd_list_problem(i, &p); i++) {
    if (is_asked_for(asked, p.id)) return 0;
    sd_nearest_consider(&nearest, asked, p.id);
  }
  return complain("problem", asked, &nearest);
}

int sd_command_problems(const sd_request *asked) {
  const char *family = NULL;
  sd_family_info f;
  sd_problem_info p = {.size = sizeof p};
  char own[32];
  sd_request request = *asked;
  const sd_request *r = &request;
  int status = take_own(&request, "problem", own);
  if (!status && r->file) status = check_problem(r->file);
  if (status) return status;
  if (r->display.json) return json_problems(r->file), 0;
  if (r->file) return tell_problems(r->file), 0;
  for (size_t i = 0; sd_list_problem(i, &p); i++) {
    if (begins_family(p.family, &family, &f))
      print_line(2, "%s%s%s", f.title, f.units ? "; defaults in " : "", f.units ? f.units : "");
    print_problem(i, &p);
  }
  return 0;
}

/* ---- devices ---- */

typedef struct {
  sd_processor_info processor;
  const char *widest; /* of the variants that this processor runs */
  sd_device device[DEVICES_MOST];
  size_t devices;
  char missing[256];
} machine;

static void json_machine(const machine *m) {
  sd_json j = {.to = stdout};
  sd_variant_info v = {.size = sizeof v};
  sd_json_open(&j, NULL, '{');
  sd_json_open(&j, "cpu", '{');
  sd_json_whole(&j, "threads", m->processor.threads);
  sd_json_text(&j, "threads_because", m->processor.why);
  sd_json_open(&j, "variants", '[');
  for (size_t i = 0; sd_list_variant(i, &v); i++) {
    sd_json_open(&j, NULL, '{');
    sd_json_text(&j, "isa", v.name);
    sd_json_whole(&j, "lanes", v.lanes);
    sd_json_truth(&j, "usable", v.usable);
    sd_json_close(&j, '}');
  }
  sd_json_close(&j, ']');
  sd_json_close(&j, '}');
  sd_json_open(&j, "cuda", '[');
  for (size_t i = 0; i < m->devices; i++) sd_json_text(&j, NULL, m->device[i].text);
  sd_json_close(&j, ']');
  if (!m->devices) sd_json_text(&j, "cuda_missing", m->missing);
  sd_json_text(&j, "auto", m->devices ? "cuda" : m->widest);
  sd_json_close(&j, '}');
}

static void print_machine(const machine *m) {
  sd_variant_info v = {.size = sizeof v};
  int threads = m->processor.threads;
  const char *word = sd_plural((size_t)threads, "thread", "threads");
  printf("cpu: %d %s (%s)\n", threads, word, m->processor.why);
  for (size_t i = 0; sd_list_variant(i, &v); i++)
    printf("  %-9s %2d %s at a time   %s\n", v.name, v.lanes, sd_plural((size_t)v.lanes, "body", "bodies"),
           v.usable ? "usable" : "not on this processor");
  for (size_t i = 0; i < m->devices; i++) printf("cuda device %zu: %s\n", i, m->device[i].text);
  if (m->devices) printf("auto: cuda, on %zu %s\n", m->devices, sd_plural(m->devices, "device", "devices"));
  else printf("cuda: %s\nauto: cpu, %s (the widest this processor has), %d %s\n", m->missing, m->widest, threads, word);
}

int sd_command_devices(const sd_request *r) {
  static machine m;
  sd_variant_info v = {.size = sizeof v};
  m = (machine){.processor = {.size = sizeof m.processor}, .device = {{.size = sizeof *m.device}}};
  sd_processor(&m.processor);
  for (size_t i = 0; sd_list_variant(i, &v); i++)
    if (v.usable) m.widest = v.name;
  if (!m.widest) return 1;
  m.devices = sd_devices(m.device, DEVICES_MOST, m.missing);
  if (m.devices > DEVICES_MOST) m.devices = DEVICES_MOST;
  if (r->display.json) json_machine(&m);
  else print_machine(&m);
  return 0;
}
