/* command_list.c - spindrift methods, problems, devices: what is built in. */
#include "commands.h"
#include "json.h"
#include "number.h"
#include "processors.h"

#include <string.h>

static const struct {
  int trait;
  const char *name;
} traits[] = {{SYMMETRIC, "symmetric"},         {SYMPLECTIC, "symplectic"},   {FREE_ENERGY, "free-energy"},
              {FREE_MOMENTUM, "free-momentum"}, {TOP_ENERGY, "top-energy"},   {TOP_MOMENTUM, "top-momentum"},
              {TOP_SPIN, "top-spin"},           {GEOMETRIC, "geometric"},     {SPHERICAL, "spherical-only"},
              {ADAPTIVE, "adaptive"},           {ANGULAR, "angular-momentum"}};
enum { TRAITS = sizeof traits / sizeof *traits };

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
  for (int i = 0; i < sd_method_count; i++) {
    const sd_method_entry *m = &sd_methods[i];
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(m, table);
    sd_json_open(&j, NULL, '{');
    sd_json_text(&j, "id", m->id);
    sd_json_text(&j, "family", sd_families[m->family].id);
    sd_json_whole(&j, "order", m->order);
    sd_json_open(&j, "traits", '[');
    for (int t = 0; t < TRAITS; t++)
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
  for (int i = 0; i < sd_method_count; i++) {
    const sd_method_entry *m = &sd_methods[i];
    if (!i || m->family != m[-1].family)
      printf("%s%s\n%-12s %5s  %-7s %-47s %s\n", i ? "\n" : "", sd_families[m->family].title, "id", "order", "traits",
             "title", "doi");
    int t = m->traits;
    char letters[8] = {t & SYMMETRIC ? 's' : '.',   t & SYMPLECTIC ? 'S' : '.',
                       t & FREE_ENERGY ? 'e' : '.', t & (FREE_MOMENTUM | ANGULAR) ? 'm' : '.',
                       t & TOP_ENERGY ? 'E' : '.',  t & TOP_MOMENTUM ? 'M' : '.',
                       t & TOP_SPIN ? 'A' : '.',    0};
    printf("%-12s %5d  %-7s %-47s %s\n", m->id, m->order, letters, m->title, m->doi);
    const sd_parameter *table[SD_METHOD_PARAMETERS_MAX];
    int count = sd_parameters_of(m, table);
    for (int k = 0; k < count; k++)
      sd_print(stdout, "%20s --param %s=%g: %s\n", "", table[k]->name, table[k]->value[0], table[k]->text);
  }
  puts("\ns symmetric   S symplectic   e, m keeps energy, momentum of the free body   E, M of the heavy top, A its "
       "spin\n"
       "                             orbits: m keeps angular momentum\n"
       "A symmetric method can be composed to order 4, 6, 8: vlv@4, vlv@6, vlv@8.  rrp*, campello: spherical bodies.");
  return 0;
}

static void json_problems(void) {
  sd_json j = {.to = stdout};
  sd_json_open(&j, NULL, '[');
  for (int i = 0; i < sd_problem_count; i++) {
    const sd_problem_entry *p = &sd_problems[i];
    sd_json_open(&j, NULL, '{');
    sd_json_text(&j, "id", p->id);
    sd_json_text(&j, "family", sd_families[p->family].id);
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
  for (int i = 0; i < sd_problem_count; i++) {
    const sd_problem_entry *p = &sd_problems[i];
    if (!i || p->family != p[-1].family) printf("%s%s\n\n", i ? "\n" : "", sd_families[p->family].title);
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
