/* command_list.c - spindrift methods, problems, devices: what is built in. */
#include "commands.h"
#include "json.h"
#include "number.h"
#include "processors.h"

#include <string.h>

static const struct {
  int trait;
  char letter;
  const char *name, *text;
} traits[] = {
#define TRAIT(name, letter, id, text) {name, letter, id, text},
#include "../kernels/traits.def"
#undef TRAIT
};

/* A column for each letter of the list, which has it where one of its traits is there. */
static void list_letters(int of, char letters[SD_TRAITS + 1]) {
  char columns[SD_TRAITS + 1] = "";
  for (int k = 0; k < SD_TRAITS; k++) {
    if (!traits[k].letter) continue;
    char *column = strchr(columns, traits[k].letter);
    size_t at = column ? (size_t)(column - columns) : strlen(columns);
    if (!column) letters[at] = '.';
    columns[at] = traits[k].letter;
    if (of & traits[k].trait) letters[at] = traits[k].letter;
  }
  letters[strlen(columns)] = 0;
}

static void json_parameter(sd_json *j, const sd_parameter *p) {
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
  sd_json_open(&j, NULL, '[');
  for (int i = 0; i < sd_method_count(); i++) {
    const sd_method_entry *m = sd_method_at(i);
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(m, table);
    sd_json_open(&j, NULL, '{');
    sd_json_text(&j, "id", m->id);
    sd_json_text(&j, "family", m->family->id);
    sd_json_whole(&j, "order", m->order);
    sd_json_open(&j, "traits", '[');
    for (int t = 0; t < SD_TRAITS; t++)
      if (m->traits & traits[t].trait) sd_json_text(&j, NULL, traits[t].name);
    sd_json_close(&j, ']');
    sd_json_text(&j, "title", m->title);
    sd_json_text(&j, "doi", m->doi);
    sd_json_open(&j, "parameters", '[');
    for (int k = 0; k < count; k++) json_parameter(&j, table[k]);
    sd_json_close(&j, ']');
    sd_json_close(&j, '}');
  }
  sd_json_close(&j, ']');
}

int sd_command_methods(const sd_request *r) {
  if (r->display.json) {
    json_methods();
    return 0;
  }
  for (int i = 0; i < sd_method_count(); i++) {
    const sd_method_entry *m = sd_method_at(i);
    if (m == m->family->method)
      printf("%s%s\n%-12s %5s  %-7s %-47s %s\n", i ? "\n" : "", m->family->title, "id", "order", "traits", "title",
             "doi");
    char letters[SD_TRAITS + 1];
    list_letters(m->traits, letters);
    printf("%-12s %5d  %-7s %-47s %s\n", m->id, m->order, letters, m->title, m->doi);
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(m, table);
    for (int k = 0; k < count; k++)
      sd_print(stdout, "%20s --param %s=%g: %s\n", "", table[k]->name, table[k]->value[0], table[k]->text);
  }
  putchar('\n');
  for (int k = 0; k < SD_TRAITS; k++)
    if (traits[k].letter) printf("%c  %s: %s\n", traits[k].letter, traits[k].name, traits[k].text);
  puts("A symmetric method can be composed to order 4, 6, 8: vlv@4, vlv@6, vlv@8.");
  return 0;
}

static void json_problems(void) {
  sd_json j = {.to = stdout};
  sd_json_open(&j, NULL, '[');
  for (int i = 0; i < sd_problem_count(); i++) {
    const sd_problem_entry *p = sd_problem_at(i);
    sd_json_open(&j, NULL, '{');
    sd_json_text(&j, "id", p->id);
    sd_json_text(&j, "family", p->family->id);
    sd_json_text(&j, "title", p->title);
    sd_json_text(&j, "doi", p->doi);
    sd_json_real(&j, "step", p->step);
    sd_json_real(&j, "time", p->time);
    sd_json_open(&j, "parameters", '[');
    for (const sd_parameter *q = p->parameter; q->name; q++) json_parameter(&j, q);
    sd_json_close(&j, ']');
    sd_json_close(&j, '}');
  }
  sd_json_close(&j, ']');
}

int sd_command_problems(const sd_request *r) {
  if (r->display.json) {
    json_problems();
    return 0;
  }
  for (int i = 0; i < sd_problem_count(); i++) {
    const sd_problem_entry *p = sd_problem_at(i);
    if (p == p->family->problem) printf("%s%s\n\n", i ? "\n" : "", p->family->title);
    sd_print(stdout, "%s: %s; step %g, time %g%s%s\n", p->id, p->title, p->step, p->time, *p->doi ? "; doi " : "",
             p->doi);
    for (const sd_parameter *q = p->parameter; q->name; q++) {
      char value[64];
      int n = sd_format(value, sizeof value, "%.6g", q->value[0]);
      for (int k = 1; k < q->count; k++) n += sd_format(value + n, sizeof value - (size_t)n, ",%.6g", q->value[k]);
      sd_print(stdout, "  %-10s %-22s %g to %g: %s\n", q->name, value, q->low, q->high, q->text);
    }
  }
  return 0;
}

int sd_command_devices(const sd_request *r) {
  sd_variant chosen;
  sd_error error = {0};
  sd_processors processors = sd_processors_usable();
  int threads = processors.threads;
  if (sd_find_variant("auto", &chosen, &error)) return 1;
  sd_device devices[64];
  char why[256];
  size_t count = sd_devices(devices, 64, why);
  if (count > 64) count = 64;
  if (r->display.json) {
    sd_json j = {.to = stdout};
    sd_json_open(&j, NULL, '{');
    sd_json_open(&j, "cpu", '{');
    sd_json_whole(&j, "threads", threads);
    sd_json_text(&j, "threads_because", processors.why);
    sd_json_open(&j, "variants", '[');
    for (int i = 0; i < sd_variant_count(); i++) {
      sd_variant v = sd_variant_at(i);
      sd_json_open(&j, NULL, '{');
      sd_json_text(&j, "isa", v.name);
      sd_json_whole(&j, "lanes", v.lanes);
      sd_json_truth(&j, "usable", v.usable);
      sd_json_close(&j, '}');
    }
    sd_json_close(&j, ']');
    sd_json_close(&j, '}');
    sd_json_open(&j, "cuda", '[');
    for (size_t i = 0; i < count; i++) sd_json_text(&j, NULL, devices[i].text);
    sd_json_close(&j, ']');
    if (!count) sd_json_text(&j, "cuda_missing", why);
    sd_json_text(&j, "auto", count ? "cuda" : chosen.name);
    sd_json_close(&j, '}');
    return 0;
  }
  printf("cpu: %d thread%s (%s)\n", threads, threads == 1 ? "" : "s", processors.why);
  for (int i = 0; i < sd_variant_count(); i++) {
    sd_variant v = sd_variant_at(i);
    printf("  %-9s %2d bod%s at a time   %s\n", v.name, v.lanes, v.lanes == 1 ? "y" : "ies",
           v.usable ? "usable" : "not on this processor");
  }
  for (size_t i = 0; i < count; i++) printf("cuda device %zu: %s\n", i, devices[i].text);
  if (!count) printf("cuda: %s\n", why);
  if (count) printf("auto: cuda, on %zu device%s\n", count, count == 1 ? "" : "s");
  else
    printf("auto: cpu, %s (the widest this processor has), %d thread%s\n", chosen.name, threads,
           threads == 1 ? "" : "s");
  return 0;
}
