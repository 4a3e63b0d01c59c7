#include "options.h"

#include "number.h"
#include "plan.h"
#include "processors.h"

#include <stddef.h>
#include <string.h>

/* What a line of the list may say besides what every line says: where what is given goes, settings or place; and where
 * what it comes to is, in the specification or, if it is not as given, in the place. */
#define GIVEN(member) .offset = offsetof(sd_plan, settings.member), .size = sizeof((sd_plan *)0)->settings.member
#define PLACED(member) .offset = offsetof(sd_plan, place.member), .size = sizeof((sd_plan *)0)->place.member
#define RESOLVED(member) .resolved = offsetof(sd_specification, member)
#define DERIVED(member) RESOLVED(member), .derived = 1
#define FOUND(member) .found = offsetof(sd_plan, place.member)
#define RANGE(least, most) .low = (least), .high = (most)
#define MULTIPLE(of) .multiple = (of)
#define WORDS(list) .words = (list)
#define GROUP(of) .group = (of)
#define SYNONYM(other, of) .synonym = (other), GROUP(of)
#define LISTED(as) .listed = SD_LISTED_##as
#define OF_FAMILIES .start = NULL
#define NOT_IN_FILES .derived = 1
#define OWN(of) .own = SD_OF_##of

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

/* The start arrays of all families, one after the other; NULL after the last. */
static const sd_start_array *start_array(size_t index) {
  for (int f = 0; f < sd_family_count(); f++)
    for (const sd_start_array *a = sd_family_at(f)->start; a->name; a++)
      if (!index--) return a;
  return NULL;
}

int sd_option_at(size_t index, sd_option *option) {
  for (size_t i = 0, spreads = 0; i < sizeof options / sizeof *options; i++) {
    *option = options[i];
    if (option->kind == SD_OPTION_SPREAD) {
      option->start = start_array(spreads);
      if (!option->start) continue;
      option->key = option->start->key;
      spreads++;
      i--; /* there may be more of them */
    }
    option->name = option->key;
    if (!index--) return 1;
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

const char *sd_option_text(const sd_option *o, char text[SD_OPTION_ROOM]) {
  snprintf(text, SD_OPTION_ROOM, "%s%s%s", o->text, o->start ? " " : "", o->start ? o->start->name : "");
  return text;
}

const char *sd_option_default(const sd_option *o, char text[SD_OPTION_ROOM]) {
  if (o->start) sd_format(text, SD_OPTION_ROOM, "%g", o->start->deviation);
  else
    snprintf(text, SD_OPTION_ROOM, "%s%s%s", o->value ? o->value : "", o->value && o->otherwise ? ": " : "",
             o->otherwise ? o->otherwise : "");
  return text;
}
