/* The instructions that the stand-in has executed, as JSON. */
#include "standin_state.h"

namespace standin {

/* In the order of enum Kind, grouped as in the file. */
const char *const KIND_NAMES[KINDS] = {
    "f64 add",      "f64 mul",      "f64 fma",     "f64 div",      "f64 rcp",
    "f64 sqrt",     "f64 compare",  "f64 other",   "integer",      "convert",
    "move",         "branch",       "call",        "barrier",      "warp",
    "atomic",       "load global",  "load local",  "load shared",  "load param_const",
    "load generic", "store global", "store local", "store shared", "store generic"};

static void write_kernel_counts(FILE *f, const std::string &name, const Counted &c) {
  fprintf(f, "  \"%s\": {\n    \"launches\": %llu, \"threads\": %llu", name.c_str(), (unsigned long long)c.launches,
          (unsigned long long)c.threads);
  std::string group;
  for (int kind = 0; kind < KINDS; kind++) {
    uint64_t sum = 0;
    for (size_t b = 0; b < c.blocks.size(); b++) sum += c.blocks[b] * c.module->profile[b][kind];
    std::string label = KIND_NAMES[kind];
    size_t blank = label.find(' ');
    std::string own_group = blank == std::string::npos ? "" : label.substr(0, blank);
    if (own_group != group && !group.empty()) fputs("}", f);
    fputs(own_group != group || own_group.empty() ? ",\n    " : ", ", f);
    if (own_group != group && !own_group.empty()) fprintf(f, "\"%s\": {", own_group.c_str());
    group = own_group;
    fprintf(f, "\"%s\": %llu", label.c_str() + (blank == std::string::npos ? 0 : blank + 1), (unsigned long long)sum);
  }
  fputs("}\n  }", f);
}

int write_counts(const char *file) {
  FILE *f = fopen(file, "w");
  if (!f) return -1;
  const char *separator = "{\n";
  for (const auto &[name, c] : state().counted) {
    if (!c.module->profile) continue;
    fputs(separator, f);
    write_kernel_counts(f, name, c);
    separator = ",\n";
  }
  fputs(*separator == '{' ? "{}\n" : "\n}\n", f);
  return fclose(f) == 0 ? 0 : -1;
}

void write_counts_at_exit() {
  Lock lock(state().lock);
  if (write_counts(state().count_file.c_str())) complain("cannot write %s", state().count_file.c_str());
}

} // namespace standin
