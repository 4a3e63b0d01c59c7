/* comma.c - linked to the program, gives it the locale of its environment before it begins. */
#include <locale.h>

__attribute__((constructor)) static void enter(void) {
  setlocale(LC_ALL, "");
}
