#include "registry.h"

#include <ctype.h>
#include <string.h>

/* ---- compiled variants; variants.def is written by CMake, narrowest first ---- */

#define VARIANT(name) extern const sd_row *const sd_rows_##name[];
#include "variants.def"
#undef VARIANT

static const struct {
  const char *name;
  const sd_row *const *rows; /* in the order of sd_methods */
} variants[] = {
#define VARIANT(name) {#name, sd_rows_##name},
#include "variants.def"
#undef VARIANT
};

#if SPINDRIFT_CUDA
extern const sd_row *const sd_rows_cuda[]; /* no processor's: the handles are for the CUDA backend */
#endif

static int processor_runs(const char *variant) {
#if defined(__x86_64__)
  if (!strcmp(variant, "avx512"))
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma");
  if (!strcmp(variant, "avx2") || !strcmp(variant, "scalar"))
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#endif
  (void)variant;
  return 1;
}

int sd_variant_count(void) {
  return (int)(sizeof variants / sizeof *variants);
}

sd_variant sd_variant_at(int index) {
  sd_variant v = {variants[index].name, variants[index].rows[0]->lanes, processor_runs(variants[index].name)};
  return v;
}

sd_status sd_find_variant(const char *name, sd_variant *found, sd_error *error) {
  int any = !strcmp(name, "auto");
  char list[128] = "auto";
  for (int i = sd_variant_count() - 1; i >= 0; i--) {
    sd_variant v = sd_variant_at(i);
    if ((any && v.usable) || !strcmp(name, v.name)) {
      *found = v;
      if (v.usable) return SD_OK;
      return sd_fail(error, SD_BAD_INPUT, "isa %s: this processor cannot run it; leave --isa at auto", name);
    }
    strncat(list, ", ", sizeof list - strlen(list) - 1);
    strncat(list, v.name, sizeof list - strlen(list) - 1);
  }
  return sd_fail(error, SD_BAD_INPUT, "unknown isa '%s'; expected one of %s", name, list);
}

const sd_row *sd_find_row(const sd_method_entry *method, const char *variant) {
  for (int i = 0; i < sd_variant_count(); i++)
    if (!strcmp(variants[i].name, variant)) return variants[i].rows[method - sd_methods];
#if SPINDRIFT_CUDA
  if (!strcmp(variant, "cuda")) return sd_rows_cuda[method - sd_methods];
#endif
  return NULL;
}

/* ---- names ---- */

static int edit_distance(const char *a, const char *b) {
  size_t n = strlen(b);
  int row[64];
  if (n >= 64) return 64;
  for (size_t j = 0; j <= n; j++) row[j] = (int)j;
  for (size_t i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= n; j++) {
      int change = diagonal + (tolower((unsigned char)a[i - 1]) != b[j - 1]), least = row[j] + 1;
      diagonal = row[j];
      if (row[j - 1] + 1 < least) least = row[j - 1] + 1;
      row[j] = change < least ? change : least;
    }
  }
  return row[n];
}

void sd_nearest_consider(sd_nearest *nearest, const char *wrong, const char *candidate) {
  int distance = edit_distance(wrong, candidate);
  if (nearest->name && distance >= nearest->distance) return;
  nearest->name = candidate;
  nearest->distance = distance;
}

sd_status sd_find_problem(const char *name, int *index, sd_error *error) {
  sd_nearest nearest = {0};
  for (int i = 0; i < sd_problem_count; i++) {
    if (!strcmp(name, sd_problems[i].id)) {
      *index = i;
      return SD_OK;
    }
    sd_nearest_consider(&nearest, name, sd_problems[i].id);
  }
  return sd_fail(error, SD_BAD_INPUT, "unknown problem '%s'; did you mean '%s'? 'spindrift problems' lists all", name,
                 nearest.name);
}

/* A method of another family, or none at all. */
static sd_status unknown_method(const char *name, const char *base, int family, sd_error *error) {
  sd_nearest nearest = {0};
  for (int i = 0; i < sd_method_count; i++) {
    const sd_method_entry *m = &sd_methods[i];
    if (m->family == family) sd_nearest_consider(&nearest, base, m->id);
    if (!strcmp(base, m->id))
      return sd_fail(error, SD_BAD_INPUT, "method %s is for %s; %s want one of their own, such as %s", name,
                     sd_families[m->family].plural, sd_families[family].plural, sd_families[family].methods);
  }
  return sd_fail(error, SD_BAD_INPUT, "unknown method '%s'; did you mean '%s'? 'spindrift methods' lists all", name,
                 nearest.name);
}

sd_status sd_find_method(const char *name, int family, sd_method *found, sd_error *error) {
  const char *at = strchr(name, '@');
  size_t length = at ? (size_t)(at - name) : strlen(name);
  char base[sizeof found->name];
  if (strlen(name) >= sizeof base)
    return sd_fail(error, SD_BAD_INPUT, "unknown method '%.40s...'; 'spindrift methods' lists all", name);
  memcpy(base, name, length);
  base[length] = 0;
  const sd_method_entry *entry = NULL;
  for (int i = 0; i < sd_method_count; i++)
    if (sd_methods[i].family == family && !strcmp(base, sd_methods[i].id)) entry = &sd_methods[i];
  if (!entry) return unknown_method(name, base, family, error);
  int order = !at ? 2 : strlen(at) == 2 && at[1] != '2' ? at[1] - '0' : 0; /* exactly one digit */
  const double *stage = sd_composition(order, &found->stages);
  if (!stage)
    return sd_fail(error, SD_BAD_INPUT, "method '%s': a composition has order 4, 6 or 8, as in %s@4", name, base);
  if (at && !(entry->traits & SYMMETRIC))
    return sd_fail(error, SD_BAD_INPUT, "method '%s': only symmetric methods can be composed, and %s is not", name,
                   base);
  strcpy(found->name, name);
  found->entry = entry;
  found->order = at ? order : entry->order;
  found->stage = stage;
  return SD_OK;
}

int sd_parameters_of(const sd_method_entry *method, const sd_parameter *table[SD_METHOD_PARAMETERS_MAX]) {
  int count = 0;
  for (const sd_method_parameter *p = sd_method_parameters; p->method; p++)
    if (p->family == method->family && !strcmp(p->method, method->id) && count < SD_METHOD_PARAMETERS_MAX)
      table[count++] = &p->parameter;
  return count;
}
