/* report.c - a result as one JSON document, or as a table of at most 100 columns. */
#include "json.h"
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *sd_verdict_text(sd_verdict verdict) {
  switch (verdict) {
  case SD_UNDECIDED: return "undecided";
  case SD_BOUNDED: return "bounded";
  case SD_DRIFTS_UP: return "drifts +";
  case SD_DRIFTS_DOWN: return "drifts -";
  }
  return "unknown";
}

static void write_plan(sd_json *j, const sd_plan *plan) {
  sd_json_open(j, "plan", '{');
  sd_json_text(j, "problem", sd_problems[plan->problem].id);
  sd_json_open(j, "param", '{');
  const double *value = plan->parameters;
  for (const sd_parameter *p = sd_problems[plan->problem].parameter; p->name; value += p++->count) {
    if (p->count == 1)
      sd_json_real(j, p->name, *value);
    else
      sd_json_reals(j, p->name, value, p->count);
  }
  sd_json_close(j, '}');
  sd_json_open(j, "methods", '[');
  for (int m = 0; m < plan->method_count; m++) {
    const sd_parameter *table[SD_METHOD_MAX];
    int count = sd_parameters_of(plan->methods[m].entry, table);
    sd_json_open(j, NULL, '{');
    sd_json_text(j, "method", plan->methods[m].name);
    for (int i = 0; i < count; i++) sd_json_real(j, table[i]->name, plan->method_parameters[m][i]);
    sd_json_close(j, '}');
  }
  sd_json_close(j, ']');
  sd_json_whole(j, "bodies", (long long)plan->bodies);
  sd_json_real(j, "step", plan->h);
  sd_json_whole(j, "steps", plan->total_steps);
  sd_json_real(j, "time", plan->total_time);
  sd_json_whole(j, "every", plan->sample_every);
  sd_json_whole(j, "seed", (long long)plan->seed);
  sd_json_close(j, '}');
}

static void write_energy(sd_json *j, const sd_summary *r) {
  const double interval[] = {r->slope_low, r->slope_high};
  sd_json_open(j, "energy", '{');
  sd_json_real(j, "initial_mean", r->energy_initial_mean);
  sd_json_open(j, "slope", '{');
  sd_json_real(j, "mean", r->slope_mean);
  sd_json_real(j, "stderr", r->slope_stderr);
  sd_json_reals(j, "ci95", interval, 2);
  sd_json_real(j, "first_half", r->slope_first_half);
  sd_json_real(j, "second_half", r->slope_second_half);
  sd_json_close(j, '}');
  sd_json_real(j, "max_abs_error", r->energy_max_abs_error);
  sd_json_real(j, "rms_error", r->energy_rms_error);
  sd_json_close(j, '}');
}

static void write_final(sd_json *j, const sd_final *f) {
  sd_json_open(j, NULL, '{');
  sd_json_whole(j, "body", (long long)f->body);
  sd_json_text(j, "status", f->status);
  sd_json_reals(j, "Q", f->Q, 9);
  sd_json_reals(j, "W", f->W, 3);
  sd_json_real(j, "energy_error", f->energy_error);
  sd_json_close(j, '}');
}

static void write_summary(sd_json *j, const sd_result *result, size_t m) {
  const sd_summary *r = &result->summaries[m];
  sd_json_open(j, NULL, '{');
  sd_json_text(j, "method", r->method);
  sd_json_text(j, "problem", r->problem);
  sd_json_real(j, "step", r->step);
  sd_json_real(j, "time", r->time);
  sd_json_whole(j, "bodies", (long long)r->bodies);
  sd_json_whole(j, "failed", (long long)r->failed);
  write_energy(j, r);
  sd_json_open(j, "invariants", '{');
  sd_json_real(j, "orthogonality_max", r->orthogonality_max);
  sd_json_real(j, "momentum_max_error", r->momentum_max_error);
  sd_json_close(j, '}');
  sd_json_open(j, "newton", '{');
  sd_json_real(j, "mean", r->newton_mean);
  sd_json_real(j, "max", r->newton_max);
  sd_json_close(j, '}');
  sd_json_text(j, "verdict", sd_verdict_text(r->verdict));
  sd_json_real(j, "seconds", r->seconds);
  sd_json_real(j, "ns_per_body_step", r->ns_per_body_step);
  if (result->plan.finals) {
    sd_json_open(j, "final", '[');
    for (size_t i = 0; i < result->plan.finals; i++) write_final(j, sd_result_final(result, m, i));
    sd_json_close(j, ']');
  }
  sd_json_close(j, '}');
}

sd_status sd_result_write_json(const sd_result *result, FILE *to) {
  sd_json j = {.to = to};
  sd_json_open(&j, NULL, '{');
  sd_json_text(&j, "spindrift", SPINDRIFT_VERSION);
  sd_json_text(&j, "digest", result->digest);
  write_plan(&j, &result->plan);
  sd_json_open(&j, "backend", '{');
  sd_json_text(&j, "name", result->backend);
  sd_json_text(&j, "isa", result->isa);
  sd_json_whole(&j, "threads", result->threads);
  sd_json_close(&j, '}');
  sd_json_open(&j, "results", '[');
  for (size_t m = 0; m < sd_result_count(result); m++) write_summary(&j, result, m);
  sd_json_close(&j, ']');
  sd_json_close(&j, '}');
  return fflush(to) || ferror(to) ? SD_IO : SD_OK;
}

/* ---- the table ---- */

static const char *in_digits(char *text, size_t size, double value, const char *format) {
  if (isfinite(value))
    snprintf(text, size, format, value);
  else
    snprintf(text, size, "-");
  return text;
}

sd_status sd_result_write_table(const sd_result *result, FILE *to) {
  const sd_plan *plan = &result->plan;
  fprintf(to, "%s: %zu bod%s, step %g, time %g, %lld steps, seed %llu\n\n", sd_problems[plan->problem].id,
          plan->bodies, plan->bodies == 1 ? "y" : "ies", plan->h, plan->total_time, (long long)plan->total_steps,
          (unsigned long long)plan->seed);
  fprintf(to, "%-14s %-10s %11s %9s %10s %9s %9s %7s %8s\n", "method", "verdict", "slope of E", "+- 95 %",
          "max |E-E0|", "momentum", "|QtQ-I|", "newton", "ns/step");
  for (size_t m = 0; m < sd_result_count(result); m++) {
    const sd_summary *r = &result->summaries[m];
    char a[32], b[32], c[32], d[32], e[32], f[32], g[32];
    fprintf(to, "%-14s %-10s %11s %9s %10s %9s %9s %7s %8s", r->method, sd_verdict_text(r->verdict),
            in_digits(a, sizeof a, r->slope_mean, "%+.3e"),
            in_digits(b, sizeof b, (r->slope_high - r->slope_low) / 2, "%.1e"),
            in_digits(c, sizeof c, r->energy_max_abs_error, "%.2e"),
            in_digits(d, sizeof d, r->momentum_max_error, "%.1e"), in_digits(e, sizeof e, r->orthogonality_max, "%.1e"),
            in_digits(f, sizeof f, r->newton_mean, "%.2f"), in_digits(g, sizeof g, r->ns_per_body_step, "%.2f"));
    if (r->failed) fprintf(to, "  %zu failed", r->failed);
    putc('\n', to);
  }
  fprintf(to, "\ndigest %s   (%s, %s, %d thread%s)\n", result->digest, result->backend, result->isa, result->threads,
          result->threads == 1 ? "" : "s");
  return fflush(to) || ferror(to) ? SD_IO : SD_OK;
}
