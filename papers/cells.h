/* cells.h - tables for people, with signs that take more bytes than places. */
#ifndef PAPERS_CELLS_H
#define PAPERS_CELLS_H

/* Writes a cell to stdout, filled up with blanks to a width in characters, which UTF-8 has fewer of than bytes. */
void print_cell(const char *text, int width);

#endif
