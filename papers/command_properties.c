/* command_properties.c - spindrift properties: what methods keep, measured, beside what Table I of Ortolan and Saccon
 * says of them. */
#include "cells.h"
#include "table_one.h"

#include "../host/json.h"
#include "../host/number.h"

#include <math.h>
#include <string.h>

enum { METHODS_MAX = 128, CELL = 24 };
static const char *const kinds[KINDS] = {"symplectic", "energy", "momentum"};
static const char *const keys[SETTINGS] = {"free", "top", "generic"};

static const char *sign_of(keeping how) {
  static const char *const signs[] = {"✓", "nearly", "✗", "?", "-"};
  return signs[how];
}
static const char *paper_sign(paper_entry e) {
  static const char *const signs[] = {"", "✓", "✗", "?", "nearly"};
  return signs[e];
}
static const char *paper_word(paper_entry e) {
  static const char *const words[] = {NULL, "yes", "no", "?", "nearly"};
  return words[e];
}

/* ✓ 3e-12, ✗ - 1.7e-02 (an energy that falls), and the paper's in parentheses. */
static void cell_text(const finding *f, paper_entry paper, char text[80]) {
  char number[24] = " fails", beside[24] = "";
  const char *direction = f->verdict == SD_DRIFTS_UP ? " +" : f->verdict == SD_DRIFTS_DOWN ? " -" : "";
  if (f->value == f->value) sd_format(number, sizeof number, " %.1e", f->value);
  if (f->how == NOT_MEASURED) number[0] = 0;
  if (paper) snprintf(beside, sizeof beside, " (%s)", paper_sign(paper));
  comparison c = compare_entry(paper, f);
  snprintf(text, 80, "%s%s%s%s%s", sign_of(f->how), f->how == LOST ? direction : "", number, beside,
           c == DISAGREES ? " !" : "");
}

static void print_setting(const properties *all, int count, int k, const setting_of_body *s) {
  sd_print(stdout, "\n%s: %s, single steps of %g, 16 bodies with steps of %g to %g%s%s\n", s->title, s->problem,
           s->single, s->step, s->time, k == GENERIC ? "; momentum: " : "", k == GENERIC ? momentum_problem : "");
  printf("%-14s", "method");
  for (int i = 0; i < KINDS; i++) print_cell(kinds[i], CELL);
  if (k == HEAVY_TOP) print_cell("momentum, J1 not J2", CELL);
  puts(k == HEAVY_TOP ? "spin" : "");
  for (int m = 0; m < count; m++) {
    char text[80];
    printf("%-14s", all[m].method);
    for (int i = 0; i < KINDS; i++) {
      cell_text(&all[m].of[k][i], table_one(all[m].method, k, i), text);
      print_cell(text, CELL);
    }
    if (k == HEAVY_TOP) cell_text(&all[m].any_top, NO_ROW, text), print_cell(text, CELL);
    if (k == HEAVY_TOP) cell_text(&all[m].spin, NO_ROW, text), fputs(text, stdout);
    putchar('\n');
  }
}

static void print_methods(const properties *all, int count) {
  printf("\n%-14s%-10s%-10s", "method", "order", "ns/step");
  print_cell("symmetric", CELL);
  puts("row of Table I");
  for (int m = 0; m < count; m++) {
    char text[80];
    const char *row = table_one_row(all[m].method);
    sd_print(stdout, "%-14s%-10.2f%-10.1f", all[m].method, all[m].order, all[m].ns);
    cell_text(&all[m].symmetric, NO_ROW, text);
    print_cell(text, CELL);
    puts(row ? row : "");
  }
}

/* Lines for the entries of the table that are of one kind: answered, or contradicted. */
static void print_compared(const properties *all, int count, comparison wanted, const char *title) {
  int any = 0;
  for (int m = 0; m < count; m++)
    for (int k = 0; k < SETTINGS; k++)
      for (int i = 0; i < KINDS; i++) {
        const finding *f = &all[m].of[k][i];
        paper_entry entry = table_one(all[m].method, k, i);
        if (compare_entry(entry, f) != wanted) continue;
        char text[80];
        cell_text(f, NO_ROW, text);
        if (!any++) printf("\n%s\n", title);
        printf("  %-19s %-10s %-18s %-11s paper %s, measured %s\n", table_one_row(all[m].method), all[m].method,
               settings_of_body[k].title, kinds[i], paper_sign(entry), text);
      }
}

static int print_undeclared(const properties *all, int count) {
  int wrong = 0;
  for (int m = 0; m < count; m++) {
    declared_trait traits[DECLARED];
    declared_traits(&all[m], traits);
    for (int i = 0; i < DECLARED; i++) {
      if (as_declared(all[m].method, &traits[i])) continue;
      char text[80];
      cell_text(traits[i].found, NO_ROW, text);
      printf("%s  %s: %s is %s, but measured %s\n", wrong++ ? "" : "\n", all[m].method, traits[i].trait,
             lab_has(all[m].method, traits[i].trait) ? "declared" : "not declared", text);
    }
  }
  return wrong;
}

static void print_all(const properties *all, int count, const setting_of_body *generic) {
  puts(
      "What methods keep, measured; in parentheses the entry of Table I of Ortolan and Saccon (doi:10.1002/nme.3333).");
  print_methods(all, count);
  for (int k = 0; k < SETTINGS; k++) print_setting(all, count, k, k == GENERIC ? generic : &settings_of_body[k]);
  print_compared(all, count, ANSWERS, "Question marks of Table I, answered:");
  print_compared(all, count, DISAGREES, "Entries of Table I that are not what was measured (!):");
  sd_print(
      stdout,
      "\n✓ up to %g (symmetric), %g (symplectic), %g (energy, momentum); ✗ from %g, %g, %g on; ? in between or "
      "undecided."
      "\nAn energy that is not kept: nearly, if the drift verdict is bounded; ✗ + or ✗ -, if it drifts, which no method"
      "\ndoes that is symplectic or conjugate to one that is.  What the paper leaves empty stands as (✗); that an "
      "energy"
      "\nis bounded does not contradict it.\n",
      symmetry_tolerance.kept, form_tolerance.kept, energy_tolerance.kept, symmetry_tolerance.lost, form_tolerance.lost,
      energy_tolerance.lost);
}

/* ---- JSON ---- */

static void json_finding(sd_json *j, const char *key, const finding *f, paper_entry paper, int energy) {
  static const char *const words[] = {"yes", "nearly", "no", "?", NULL};
  comparison c = compare_entry(paper, f);
  sd_json_open(j, key, '{');
  if (words[f->how]) sd_json_text(j, "kept", words[f->how]);
  sd_json_real(j, "defect", f->value);
  if (f->error == f->error) sd_json_real(j, "error", f->error);
  if (energy) sd_json_text(j, "verdict", sd_verdict_text(f->verdict));
  if (paper) sd_json_text(j, "paper", paper_word(paper));
  if (c == AGREES || c == DISAGREES) sd_json_truth(j, "agrees", c == AGREES);
  sd_json_close(j, '}');
}

static void json_properties(sd_json *j, const properties *p) {
  declared_trait traits[DECLARED];
  int right = 1;
  declared_traits(p, traits);
  for (int i = 0; i < DECLARED; i++) right &= as_declared(p->method, &traits[i]);
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "method", p->method);
  if (table_one_row(p->method)) sd_json_text(j, "row", table_one_row(p->method));
  sd_json_whole(j, "declared_order", p->declared_order);
  sd_json_real(j, "order", p->order);
  sd_json_real(j, "ns_per_body_step", p->ns);
  json_finding(j, "symmetric", &p->symmetric, NO_ROW, 0);
  for (int k = 0; k < SETTINGS; k++) {
    sd_json_open(j, keys[k], '{');
    for (int i = 0; i < KINDS; i++) json_finding(j, kinds[i], &p->of[k][i], table_one(p->method, k, i), i == ENERGY);
    if (k == HEAVY_TOP) json_finding(j, "momentum_of_any", &p->any_top, NO_ROW, 0);
    if (k == HEAVY_TOP) json_finding(j, "spin", &p->spin, NO_ROW, 0);
    sd_json_close(j, '}');
  }
  sd_json_truth(j, "as_declared", right);
  sd_json_close(j, '}');
}

/* ---- the verb ---- */

/* The options that it takes of an ensemble's, and no others: what is run is part of the table. */
static int takes(const sd_request *r) {
  for (size_t i = 0; i < r->setting_count; i++) {
    const char *key = r->setting[i].key;
    sd_option_info o = {.size = sizeof o};
    if (!sd_find_option(key, &o) || o.about & SD_ABOUT_MACHINE || !strcmp(key, "problem") || !strcmp(key, "method") ||
        !strcmp(key, "param"))
      continue;
    char message[160];
    snprintf(message, sizeof message, "properties: --%s has no effect; it takes --problem, --method and --param", key);
    sd_say(message);
    return 0;
  }
  return 1;
}

typedef struct {
  char name[32];
  int order;
} method;

/* The plan's methods, or all that there are of rigid bodies; 0 after a failure. */
static int list_methods(const sd_request *r, method methods[METHODS_MAX]) {
  sd_method_info m = {.size = sizeof m};
  int count = 0;
  sd_status status = sd_plan_set(r->plan, "members", "1");
  if (!status && !sd_request_sets(r, "method")) status = sd_plan_set(r->plan, "method", "all");
  sd_plan_allow_spare(r->plan, 1);
  if (!status && !sd_request_sets(r, "param"))
    status = sd_plan_set(r->plan, "param", "J=2,2,2"); /* for all to be there */
  if (!status) status = sd_plan_resolve(r->plan);
  if (status) return sd_complain(r->plan, status), 0;
  for (; count < METHODS_MAX && sd_plan_method(r->plan, (size_t)count, &m); count++) {
    if (strcmp(m.family, "so3")) return sd_say("properties: these are of rigid bodies; give a --problem of theirs"), 0;
    snprintf(methods[count].name, sizeof methods[count].name, "%s", m.id);
    methods[count].order = m.order;
  }
  return count;
}

int sd_command_properties(const sd_request *r) {
  static properties all[METHODS_MAX];
  method methods[METHODS_MAX];
  lab l = {.request = r};
  setting_of_body generic = settings_of_body[GENERIC];
  generic.problem = lab_problem(r);
  int count = takes(r) ? list_methods(r, methods) : 0, wrong = 0;
  if (!count) return 2;
  for (int m = 0; m < count && !l.error.status; m++)
    measure_properties(&l, methods[m].name, methods[m].order, &generic, &all[m]);
  if (l.error.status) return sd_say(l.error.message), sd_exit_status(l.error.status);
  if (!r->display.json) {
    print_all(all, count, &generic);
    if (!strcmp(generic.problem, "stress")) wrong = print_undeclared(all, count);
    return wrong != 0;
  }
  sd_json j = {.to = stdout};
  sd_json_open(&j, NULL, '[');
  for (int m = 0; m < count; m++) json_properties(&j, &all[m]);
  sd_json_close(&j, ']');
  return 0;
}
