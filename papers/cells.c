#include "cells.h"

#include <stdio.h>

void print_cell(const char *text, int width) {
  int length = 0;
  for (const char *c = text; *c; c++) length += ((unsigned char)*c & 0xc0) != 0x80;
  printf("%s%*s", text, length < width ? width - length : 0, "");
}
