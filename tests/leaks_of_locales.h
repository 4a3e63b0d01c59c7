/* leaks_of_locales.h - where LOCPATH is set, glibc's setlocale and newlocale lose a few bytes: the leak sanitizer is
 * told. */
#ifndef LEAKS_OF_LOCALES_H
#define LEAKS_OF_LOCALES_H

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:argz_add_sep\n";
}

const char *__lsan_default_options(void);
const char *__lsan_default_options(void) {
  return "print_suppressions=0";
}

#endif
