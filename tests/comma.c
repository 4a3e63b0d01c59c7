/* comma.c - linked to the program, gives it the locale of its environment before it begins. */
#include "leaks_of_locales.h"

#include <locale.h>

__attribute__((constructor)) static void enter(void) {
  setlocale(LC_ALL, "");
}
