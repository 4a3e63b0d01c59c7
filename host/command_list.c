/* command_list.c - spindrift methods, problems, devices: what is built in. */
#include "commands.h"
#include "json.h"
#include "number.h"
#include "text.h"

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

static void json_methods(void) {
  sd_json j = {.to = stdout};
  sd_method_info m = {.size = sizeof m};
  sd_trait_info t = {.size = sizeof t};
  sd_parameter_info p = {.size = sizeof p};
  sd_json_open(&j, NULL, '[');
  for (size_t i = 0; sd_list_method(i, &m); i++) {
    sd_json_open(&j, NULL, '{');
    sd_json_text(&j, "id", m.id);
    sd_json_text(&j, "family", m.family);
    sd_json_whole(&j, "order", m.order);
    sd_json_open(&j, "traits", '[');
    for (size_t k = 0; sd_list_trait(k, &t); k++)
      if (m.traits >> k & 1) sd_json_text(&j, NULL, t.id);
    sd_json_close(&j, ']');
    sd_json_text(&j, "title", m.title);
    sd_json_text(&j, "doi", m.doi);
    sd_json_open(&j, "parameters", '[');
    for (size_t k = 0; sd_list_method_parameter(i, k, &p); k++) json_parameter(&j, &p);
    sd_json_close(&j, ']');
    sd_json_close(&j, '}');
  }
  sd_json_close(&j, ']');
}

/* The title of another family, in a paragraph of its own, where its entries begin; returns whether they do. */
static int begins_family(const char *id, const char **before) {
  sd_family_info f = {.size = sizeof f};
  if (*before && !strcmp(id, *before)) return 0;
  for (size_t i = 0; sd_list_family(i, &f) && strcmp(f.id, id); i++) {
  }
  printf("%s%s\n", *before ? "\n" : "", f.title);
  *before = id;
  return 1;
}

int sd_command_methods(const sd_request *r) {
  if (r->display.json) return json_methods(), 0;
  const char *family = NULL;
  sd_method_info m = {.size = sizeof m};
  sd_trait_info t = {.size = sizeof t};
  sd_parameter_info p = {.size = sizeof p};
  for (size_t i = 0; sd_list_method(i, &m); i++) {
    if (begins_family(m.family, &family)) printf("%-12s %5s  %-8s %-47s %s\n", "id", "order", "traits", "title", "doi");
    char letters[TRAITS_MOST + 1];
    list_letters(m.traits, letters);
    printf("%-12s %5d  %-8s %-47s %s\n", m.id, m.order, letters, m.title, m.doi);
    for (size_t k = 0; sd_list_method_parameter(i, k, &p); k++)
      sd_print(stdout, "%20s --param %s=%g: %s\n", "", p.name, p.value[0], p.text);
  }
  putchar('\n');
  for (size_t k = 0; sd_list_trait(k, &t); k++)
    if (t.letter) printf("%c  %s: %s\n", t.letter, t.id, t.text);
  puts("A symmetric method can be composed to order 4, 6, 8: vlv@4, vlv@6, vlv@8.");
  return 0;
}

static void json_problems(void) {
  sd_json j = {.to = stdout};
  sd_problem_info p = {.size = sizeof p};
  sd_parameter_info q = {.size = sizeof q};
  sd_json_open(&j, NULL, '[');
  for (size_t i = 0; sd_list_problem(i, &p); i++) {
    sd_json_open(&j, NULL, '{');
    sd_json_text(&j, "id", p.id);
    sd_json_text(&j, "family", p.family);
    sd_json_text(&j, "title", p.title);
    sd_json_text(&j, "doi", p.doi);
    sd_json_real(&j, "step", p.step);
    sd_json_real(&j, "time", p.time);
    sd_json_open(&j, "parameters", '[');
    for (size_t k = 0; sd_list_problem_parameter(i, k, &q); k++) json_parameter(&j, &q);
    sd_json_close(&j, ']');
    sd_json_close(&j, '}');
  }
  sd_json_close(&j, ']');
}

int sd_command_problems(const sd_request *r) {
  if (r->display.json) return json_problems(), 0;
  const char *family = NULL;
  sd_problem_info p = {.size = sizeof p};
  sd_parameter_info q = {.size = sizeof q};
  for (size_t i = 0; sd_list_problem(i, &p); i++) {
    if (begins_family(p.family, &family)) putchar('\n');
    sd_print(stdout, "%s: %s; step %g, time %g%s%s\n", p.id, p.title, p.step, p.time, *p.doi ? "; doi " : "", p.doi);
    for (size_t k = 0; sd_list_problem_parameter(i, k, &q); k++) {
      char value[64];
      int n = sd_format(value, sizeof value, "%.6g", q.value[0]);
      for (int c = 1; c < q.count; c++) n += sd_format(value + n, sizeof value - (size_t)n, ",%.6g", q.value[c]);
      sd_print(stdout, "  %-10s %-22s %g to %g: %s\n", q.name, value, q.low, q.high, q.text);
    }
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
