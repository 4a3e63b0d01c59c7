/* config.cpp - studies, by the TOML parser that distributions carry, and for its sake in C++.  No exception leaves it.
 */
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config.h"
extern "C" {
#include "display.h"
#include "nearest.h"
#include "number.h"
}
#include "study_text.hpp"

namespace {

struct parser_lost {};

[[noreturn]] void lose_parser() {
  throw parser_lost{};
}

} // namespace

/* The parser comes with its header, whatever pkg-config says, so that the program needs no further library.  It returns
 * its errors: its exception class would end the program if there were no memory for the message.  Some texts that are
 * no TOML ("[" and a line break, "[1, }") violate its assertions; without NDEBUG they would end the program, and with
 * NDEBUG its behaviour would be undefined. */
#undef NDEBUG
#undef TOML_ASSERT
#undef TOML_HEADER_ONLY
#undef TOML_SHARED_LIB
#define TOML_ASSERT(...) ((__VA_ARGS__) ? static_cast<void>(0) : lose_parser())
#define TOML_EXCEPTIONS 0
#ifdef __cpp_lib_to_chars
#define TOML_FLOAT_CHARCONV 1 /* otherwise a stream, which takes missing memory for a bad number */
#endif
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace {

/* Far beyond any study, and small enough that no file can make the reader use much memory or time. */
constexpr size_t max_file = 1 << 20, max_runs = 1000, max_text = 1023;

struct setting {
  std::string key, value;
  int line;
};

using settings = std::vector<setting>;
using parameters = std::map<std::string, setting>; /* by name */

/* [param.PROBLEM] */
struct own_parameters {
  int line;
  parameters set;
};

struct document {
  std::map<size_t, settings> axes; /* what there is a run for each of, by its place in the list of options */
  settings others;
  std::string title;
  bool series = false;
  parameters shared;
  std::map<std::string, own_parameters> own; /* by problem */
};

/* ---- the keys ---- */

const char *const remarks[] = {"title", "description"};

/* By the name that was looked for. */
struct option : sd_option_info {
  const char *name;
};

bool find_option(const std::string &name, option &o) {
  if (name.find('\0') != name.npos || !sd_line_option_find(name.c_str(), &o)) return false;
  o.name = name == o.key ? o.key : o.synonym;
  return true;
}

/* What TOML has for an option.  WIDE: a whole number, in quotes where TOML has too few bits for it.  EITHER: a number
 * means one thing and a string another. */
enum value_type { STRING, NUMBER, WHOLE, WIDE, EITHER };

value_type type_of(const option &o) {
  switch (o.kind) {
  case SD_OPTION_POSITIVE:
  case SD_OPTION_NOT_NEGATIVE:
  case SD_OPTION_PARAMETER:
  case SD_OPTION_SPREAD: return NUMBER;
  case SD_OPTION_UNSIGNED: return o.high > INT64_MAX ? WIDE : WHOLE;
  case SD_OPTION_INTEGER:
  case SD_OPTION_INT: return WHOLE;
  case SD_OPTION_LIMIT: return EITHER;
  default: return STRING;
  }
}

/* On or off: TOML has booleans for that. */
bool is_switch(const option &o) {
  return o.kind == SD_OPTION_CHOICE && std::string_view(o.words) == "no|yes";
}

std::string expected(const option &o) {
  if (is_switch(o)) return "a boolean";
  if (o.kind == SD_OPTION_PARAMETER) return "a number or an array of up to four numbers";
  switch (type_of(o)) {
  case STRING: return o.listed ? "a string or an array of strings" : "a string";
  case NUMBER: return o.listed ? "a number or an array of numbers" : "a number";
  case WHOLE: return o.listed ? "a whole number or an array of these" : "a whole number";
  case WIDE: return o.listed ? "a whole number, a string or an array of these" : "a whole number or a string";
  case EITHER: return "a number or a string";
  }
  return "";
}

int line_of(const toml::node &node) {
  return static_cast<int>(node.source().begin.line);
}

/* A key as messages show it: keys in quotes may have any length and hold anything. */
std::string shown(std::string_view key) {
  size_t most = 40;
  while (most < key.size() && !begins_letter(key[most])) most--;
  std::string text(key.substr(0, most));
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text + (key.size() > most ? "..." : "");
}

std::string in_line(int line) {
  return "in line " + std::to_string(line);
}

/* ---- the file ---- */

std::string read_file(const char *path) {
  auto cannot = [] {
    if (errno == ENOMEM) throw std::bad_alloc();
    return failure{0, std::string("cannot be read: ") + std::strerror(errno)};
  };
  std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path, "rb"), std::fclose);
  if (!file) throw cannot();
  std::string text(max_file + 1, '\0');
  size_t length = std::fread(&text[0], 1, text.size(), file.get());
  if (std::ferror(file.get())) throw cannot(); /* a directory, for one */
  if (length > max_file) throw failure{0, "more than 1 MiB: not a study"};
  text.resize(length);
  return text;
}

/* ---- parsing ---- */

toml::table parse_or_lose(std::string_view text) {
  toml::parse_result result = toml::parse(text);
  if (!result)
    throw failure{static_cast<int>(result.error().source().begin.line), std::string(result.error().description())};
  return std::move(result).table();
}

bool loses_parser(std::string_view text) {
  try {
    parse_or_lose(text);
  } catch (const failure &) {
  } catch (const parser_lost &) {
    return true;
  }
  return false;
}

toml::table parse(std::string_view text) {
  try {
    return parse_or_lose(text);
  } catch (const parser_lost &) {
  }
  size_t fine = 0, lost = text.size(); /* the parser does not say where: look for the shortest such beginning */
  while (lost - fine > 1) {
    size_t half = fine + (lost - fine) / 2;
    (loses_parser(text.substr(0, half)) ? lost : fine) = half;
  }
  throw failure{line_at(text, fine), "not TOML"};
}

/* ---- values ---- */

const char *type_name(const toml::node &node) {
  switch (node.type()) {
  case toml::node_type::string: return "a string";
  case toml::node_type::integer: return "a whole number";
  case toml::node_type::floating_point: return "a floating-point number";
  case toml::node_type::boolean: return "a boolean";
  case toml::node_type::array: return "an array";
  case toml::node_type::table: return "a table";
  case toml::node_type::date: return "a date";
  case toml::node_type::time: return "a time of day";
  case toml::node_type::date_time: return "a date and time";
  default: return "nothing";
  }
}

failure wrong_type(const std::string &name, const std::string &expected, const char *found, const toml::node &node) {
  return {line_of(node), name + ": expected " + expected + ", found " + found};
}

/* Those of ASCII, and the others to which terminals listen, U+0080 to U+009F. */
bool has_control(std::string_view text) {
  for (size_t i = 0; i < text.size(); i++) {
    auto byte = static_cast<unsigned char>(text[i]);
    if (byte < ' ' || byte == 0x7F) return true;
    if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) return true;
  }
  return false;
}

std::string string_text(const std::string &name, const std::string &text, const toml::node &node) {
  if (text.empty()) throw failure{line_of(node), name + ": the string is empty"};
  if (text.size() > max_text) throw failure{line_of(node), name + ": '" + shown(text) + "' is too long"};
  if (has_control(text)) throw failure{line_of(node), name + ": a control character in the string"};
  return text;
}

std::string value_text(const option &o, const std::string &name, const toml::node &node, bool in_array) {
  value_type type = type_of(o);
  if (const auto *text = node.as_string(); text && (type == STRING || type == WIDE || type == EITHER))
    return string_text(name, text->get(), node);
  if (const auto *truth = node.as_boolean(); truth && is_switch(o)) return truth->get() ? "yes" : "no";
  if (const auto *number = node.as_integer(); number && type != STRING) return std::to_string(number->get());
  if (const auto *number = node.as_floating_point(); number && (type == NUMBER || type == WHOLE || type == EITHER)) {
    double value = number->get();
    char text[32];
    if (!std::isfinite(value))
      throw failure{line_of(node), name + ": expected a finite number, found " + (std::isnan(value) ? "nan" : "inf")};
    return sd_real_text(value, 15, text);
  }
  throw wrong_type(name, expected(o), in_array && node.is_array() ? "a nested array" : type_name(node), node);
}

/* One setting for a value, one for each element of an array. */
settings values_of(const option &o, const std::string &name, const toml::node &node) {
  const toml::array *array = o.listed ? node.as_array() : nullptr;
  if (!array) return {{o.name, value_text(o, name, node, false), line_of(node)}};
  if (array->empty()) throw failure{line_of(node), name + ": the array is empty"};
  settings values;
  for (const toml::node &element : *array)
    values.push_back({o.name, value_text(o, name, element, true), line_of(element)});
  return values;
}

std::string joined(const settings &values) {
  std::string text;
  for (const setting &s : values) text += (text.empty() ? "" : ",") + s.value;
  return text;
}

/* ---- tables ---- */

struct entry {
  std::string key;
  const toml::node *node;
};

/* By place in the file, so that the first mistake is the one reported; the parser sorts by key. */
std::vector<entry> entries_of(const toml::table &table) {
  std::vector<entry> entries;
  for (auto &&[key, node] : table) entries.push_back({std::string(key.str()), &node});
  std::stable_sort(entries.begin(), entries.end(),
                   [](const entry &a, const entry &b) { return a.node->source().begin < b.node->source().begin; });
  return entries;
}

const toml::table &table_of(const std::string &name, const toml::node &node) {
  if (!node.is_table()) throw wrong_type(name, "a table of parameters", type_name(node), node);
  return *node.as_table();
}

failure unknown(const std::string &name, const char *what, const sd_nearest &nearest, const toml::node &node) {
  char question[SD_NEAREST_ROOM];
  return {line_of(node), name + ": unknown " + what + "; " + sd_nearest_question(&nearest, "", question)};
}

/* Its place in the list of problems, or `no_problem`. */
constexpr size_t no_problem = SIZE_MAX;

size_t find_problem(const std::string &id, sd_nearest *nearest) {
  std::string wrong = shown(id);
  sd_problem_info p = {};
  p.size = sizeof p;
  for (size_t i = 0; sd_list_problem(i, &p); i++) {
    if (id == p.id) return i;
    sd_nearest_consider(nearest, wrong.c_str(), p.id);
  }
  return no_problem;
}

/* Whether a method, the problem, or without one any problem, has the parameter. */
bool has_parameter(size_t problem, const std::string &name, sd_nearest *nearest) {
  bool found = false;
  std::string wrong = shown(name);
  auto consider = [&](const char *candidate) {
    found = found || name == candidate;
    sd_nearest_consider(nearest, wrong.c_str(), candidate);
  };
  sd_problem_info p = {};
  sd_method_info m = {};
  sd_parameter_info q = {};
  p.size = sizeof p, m.size = sizeof m, q.size = sizeof q;
  for (size_t i = 0; sd_list_problem(i, &p); i++)
    for (size_t k = 0; (problem == no_problem || problem == i) && sd_list_problem_parameter(i, k, &q); k++)
      consider(q.name);
  for (size_t i = 0; sd_list_method(i, &m); i++)
    for (size_t k = 0; sd_list_method_parameter(i, k, &q); k++) consider(q.name);
  return found;
}

/* NAME = number or array, into NAME=V,V,V. */
void read_parameter(parameters &to, const option &o, size_t problem, const std::string &prefix, const entry &e) {
  sd_nearest nearest = {};
  std::string name = prefix + "." + shown(e.key);
  if (!has_parameter(problem, e.key, &nearest)) throw unknown(name, "parameter", nearest, *e.node);
  settings values = values_of(o, name, *e.node);
  if (values.size() > 4)
    throw failure{line_of(*e.node), name + ": expected at most four numbers, found " + std::to_string(values.size())};
  to[e.key] = {values[0].key, e.key + "=" + joined(values), line_of(*e.node)};
}

/* [param]: parameters, and a table [param.PROBLEM] for each problem that has some of its own. */
void read_parameters(document &d, const option &o, const toml::table &table) {
  for (const entry &e : entries_of(table)) {
    sd_nearest nearest = {}, other = {};
    size_t problem = find_problem(e.key, &nearest);
    std::string name = "param." + shown(e.key);
    if (problem != no_problem) {
      own_parameters &own = d.own[e.key];
      own.line = line_of(*e.node);
      for (const entry &one : entries_of(table_of(name, *e.node))) read_parameter(own.set, o, problem, name, one);
    } else if (e.node->is_table() && !has_parameter(no_problem, e.key, &other)) {
      throw unknown(name, "problem", nearest, *e.node);
    } else {
      read_parameter(d.shared, o, no_problem, "param", e);
    }
  }
}

failure unknown_key(const entry &e) {
  sd_nearest nearest = {};
  sd_option_info o = {};
  o.size = sizeof o;
  std::string name = shown(e.key);
  for (size_t i = 0; sd_list_option(i, &o); i++) {
    sd_nearest_consider(&nearest, name.c_str(), o.key);
    if (o.synonym) sd_nearest_consider(&nearest, name.c_str(), o.synonym);
  }
  for (const char *remark : remarks) sd_nearest_consider(&nearest, name.c_str(), remark);
  return unknown(name, "key", nearest, *e.node);
}

/* The one option of showing that a study may have: what its document is to hold is a part of what is studied. */
void read_series(document &d, const entry &e) {
  const auto *truth = e.node->as_boolean();
  if (!truth) throw wrong_type(e.key, "a boolean", type_name(*e.node), *e.node);
  d.series = truth->get();
}

size_t place_of(const char *key) {
  sd_option_info o = {};
  o.size = sizeof o;
  size_t place = 0;
  while (sd_list_option(place, &o) && std::strcmp(o.key, key)) place++;
  return place;
}

/* Two names of one option may stand beside each other, and must agree: sd_plan_set compares them. */
void add_axis(document &d, const option &o, const settings &values) {
  settings &axis = d.axes[place_of(o.key)];
  if (axis.empty()) axis = values;
  else if (axis.size() == 1 && values.size() == 1) d.others.push_back(values[0]);
  else
    throw failure{values[0].line,
                  std::string(o.name) + ": there is " + axis[0].key + ", " + in_line(axis[0].line) + "; keep one"};
}

void read_option(document &d, const option &o, const entry &e) {
  if (!std::strcmp(o.key, "series")) return read_series(d, e);
  if (o.about & SD_ABOUT_SHOWING) /* how to show a run, not what to run */
    throw failure{line_of(*e.node), e.key + ": not for a study; give --" + o.name + " with the command"};
  if (o.kind == SD_OPTION_PARAMETER) return read_parameters(d, o, table_of(e.key, *e.node));
  settings values = values_of(o, e.key, *e.node);
  if (o.listed == SD_LISTED_RUNS) {
    add_axis(d, o, values);
  } else if (o.listed == SD_LISTED_REPEATED) {
    d.others.insert(d.others.end(), values.begin(), values.end());
  } else {
    std::string text = joined(values);
    if (text.size() > max_text) throw failure{line_of(*e.node), e.key + ": '" + shown(text) + "' is too long"};
    d.others.push_back({o.name, text, line_of(*e.node)});
  }
}

/* first_member and first-member are one key, and so in a way are time and steps: a file has no last word.  Two
 * names of one option are for sd_plan_set to compare. */
void refuse_twice(std::map<std::string, int> &lines, const option &o, const entry &e) {
  if (auto same = lines.find(o.name); same != lines.end())
    throw failure{line_of(*e.node), e.key + ": given already, " + in_line(same->second)};
  for (auto &&[name, line] : lines) {
    option other;
    if (o.group && find_option(name, other) && other.group == o.group && std::strcmp(other.key, o.key))
      throw failure{line_of(*e.node), e.key + ": there is " + name + ", " + in_line(line) + "; keep one"};
  }
  lines[o.name] = line_of(*e.node);
}

document interpret(const toml::table &table) {
  document d;
  std::map<std::string, int> lines;
  for (const entry &e : entries_of(table)) {
    std::string name = e.key;
    std::replace(name.begin(), name.end(), '_', '-');
    option o;
    if (find_option(name, o)) {
      refuse_twice(lines, o, e);
      read_option(d, o, e);
    } else if (std::find(std::begin(remarks), std::end(remarks), e.key) != std::end(remarks)) {
      const auto *text = e.node->as_string();
      if (!text) throw wrong_type(e.key, "a string", type_name(*e.node), *e.node);
      if (e.key == remarks[0]) d.title = text->get();
    } else {
      throw unknown_key(e);
    }
  }
  /* Parameters that nothing uses would look as if they had been used. */
  for (auto &&[problem, own] : d.own) {
    auto same = [&id = problem](const setting &s) { return s.value == id; };
    const settings &problems = d.axes[place_of("problem")];
    if (std::none_of(problems.begin(), problems.end(), same))
      throw failure{own.line, "param." + problem + ": 'problem' does not name " + problem};
  }
  return d;
}

/* ---- the study ---- */

/* The combination of this number: the last axis turns fastest. */
settings combination(const document &d, size_t number) {
  settings all;
  for (auto axis = d.axes.rbegin(); axis != d.axes.rend(); ++axis) {
    const settings &values = axis->second;
    if (values.empty()) continue;
    all.insert(all.begin(), values[number % values.size()]);
    number /= values.size();
  }
  return all;
}

settings compose(const document &d, size_t number) {
  settings all = combination(d, number);
  auto is_problem = [](const setting &s) { return s.key == "problem"; };
  auto problem = std::find_if(all.begin(), all.end(), is_problem);
  auto own = problem == all.end() ? d.own.end() : d.own.find(problem->value);
  all.insert(all.end(), d.others.begin(), d.others.end());
  parameters merged = own == d.own.end() ? parameters() : own->second.set;
  merged.insert(d.shared.begin(), d.shared.end()); /* keeps what is there */
  for (auto &&[name, parameter] : merged) all.push_back(parameter);
  return all;
}

char *copied(const std::string &text) {
  char *copy = static_cast<char *>(std::malloc(text.size() + 1));
  if (!copy) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

/* Whatever is stored when memory ends, sd_study_destroy frees. */
template <typename T> T *zeroed(size_t count) {
  void *memory = std::calloc(count ? count : 1, sizeof(T));
  if (!memory) throw std::bad_alloc();
  return static_cast<T *>(memory);
}

void store_run(sd_study_run *run, const settings &from) {
  run->setting = zeroed<sd_setting>(from.size());
  for (const setting &s : from) {
    sd_setting *to = &run->setting[run->count++];
    to->key = copied(s.key);
    to->value = copied(s.value);
    to->line = s.line;
  }
}

size_t runs_of(const document &d) {
  size_t runs = 1;
  for (auto &&[place, axis] : d.axes) runs = std::min(runs * std::max<size_t>(axis.size(), 1), max_file * max_file);
  return runs;
}

void store(sd_study *study, const document &d) {
  size_t runs = runs_of(d);
  if (runs > max_runs)
    throw failure{0, std::to_string(runs) + " runs, of " + std::to_string(max_runs) +
                         " at most: problems times sizes times steps times seeds"};
  study->series = d.series;
  if (!d.title.empty()) study->title = copied(d.title);
  study->run = zeroed<sd_study_run>(runs);
  study->count = runs;
  for (size_t i = 0; i < study->count; i++) store_run(&study->run[i], compose(d, i));
}

/* Nothing here may allocate.  A long path shows its end, and leaves room for what is wrong. */
sd_status report(sd_error *error, sd_status status, const char *path, int line, const char *text) {
  constexpr size_t most = 160;
  size_t length = std::strlen(path);
  const char *dots = length > most ? "..." : "", *tail = length > most ? path + (length - most) : path;
  while (length > most && !begins_letter(*tail)) tail++;
  char place[16] = "";
  if (line > 0) std::snprintf(place, sizeof place, ":%d", line);
  status = sd_fail(error, status, "%s%s%s: %s", dots, tail, place, text);
  for (char *c = error->message; *c; c++)
    if (static_cast<unsigned char>(*c) < ' ' || *c == '\x7f') *c = ' ';
  return status;
}

} // namespace

sd_status sd_study_read(sd_study *study, const char *path, sd_error *error) {
  sd_status status;
  *study = sd_study{};
  try {
    store(study, interpret(parse(text_for_parser(read_file(path)))));
    return SD_OK;
  } catch (const failure &f) {
    status = report(error, SD_BAD_INPUT, path, f.line, f.text.c_str());
  } catch (const std::bad_alloc &) {
    status = report(error, SD_NO_MEMORY, path, 0, "out of memory");
  } catch (const std::exception &e) {
    status = report(error, SD_FAILED, path, 0, e.what());
  } catch (...) {
    status = report(error, SD_FAILED, path, 0, "cannot be read");
  }
  sd_study_destroy(study);
  return status;
}

void sd_study_destroy(sd_study *study) {
  for (size_t i = 0; i < study->count; i++) {
    sd_study_run *run = &study->run[i];
    for (size_t k = 0; k < run->count; k++) {
      std::free(run->setting[k].key);
      std::free(run->setting[k].value);
    }
    std::free(run->setting);
  }
  std::free(study->run);
  std::free(study->title);
  *study = sd_study{};
}
