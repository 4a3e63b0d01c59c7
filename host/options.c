#include "options.h"

#include "number.h"
#include "plan.h"
#include "processors.h"

#include <stddef.h>
#include <string.h>

/* What a line of the list may say besides what every line says. */
#define IN(type, member) .offset = offsetof(type, member), .size = sizeof((type *)0)->member
#define GIVEN(member) IN(sd_plan, member)
#define SHOWN(member) IN(sd_display, member)
#define RESOLVED(member) .resolved = offsetof(sd_plan, member)
#define RANGE(least, most) .low = (least), .high = (most)
#define MULTIPLE(of) .multiple = (of)
#define WORDS(list) .words = (list)
#define GROUP(of) .group = (of)
#define SYNONYM(other, of) .synonym = (other), GROUP(of)
#define LISTED(as) .listed = SD_LISTED_##as
#define OF_FAMILIES .sigma = NULL

#define OPTION(name, type, topic, shown, standard, meaning, what, ...) \
  {.key = (name),                                                      \
   .kind = SD_OPTION_##type,                                           \
   .about = SD_ABOUT_##topic,                                          \
   .placeholder = (shown),                                             \
   .value = (standard),                                                \
   .otherwise = (meaning),                                             \
   .text = (what),                                                     \
   __VA_ARGS__},
static const sd_option options[] = {
#include "options.def"
};

/* The one that a family has for one half of its state. */
static sd_option deviation(sd_option option, const sd_sigma *sigma) {
  option.key = sigma->key;
  option.text = sigma->text;
  option.sigma = sigma;
  return option;
}

int sd_option_at(size_t index, sd_option *option) {
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    int many = options[i].kind == SD_OPTION_SIGMA;
    size_t count = many ? 2 * SD_FAMILIES : 1;
    if (index < count) {
      *option = many ? deviation(options[i], &sd_families[index / 2].sigma[index % 2]) : options[i];
      option->name = option->key;
      return 1;
    }
    index -= count;
  }
  return 0;
}

int sd_option_find(const char *name, sd_option *option) {
  for (size_t i = 0; sd_option_at(i, option); i++) {
    if (!strcmp(name, option->key)) return 1;
    if (!option->synonym || strcmp(name, option->synonym)) continue;
    option->name = option->synonym;
    return 1;
  }
  return 0;
}

const char *sd_option_default(const sd_option *o, char text[SD_DEFAULT_ROOM]) {
  if (o->sigma) sd_format(text, SD_DEFAULT_ROOM, "%g", o->sigma->value);
  else
    snprintf(text, SD_DEFAULT_ROOM, "%s%s%s", o->value ? o->value : "", o->value && o->otherwise ? ": " : "",
             o->otherwise ? o->otherwise : "");
  return text;
}
