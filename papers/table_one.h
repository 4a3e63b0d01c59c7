/* table_one.h - Table I of G. Ortolan, A. Saccon, Int. J. Numer. Meth. Engng 90 (2012) 390-402, doi:10.1002/nme.3333,
 * as it is printed. */
#ifndef PAPERS_TABLE_ONE_H
#define PAPERS_TABLE_ONE_H

#include "properties.h"

/* An entry: kept, not kept (left empty there), a question mark, `nearly`; or the method has no row. */
typedef enum { NO_ROW, PAPER_YES, PAPER_NO, PAPER_ASKS, PAPER_NEARLY } paper_entry;

/* The row that a method is in, or NULL. */
const char *table_one_row(const char *method);
/* Of the free body and of the generic potential; the paper has no heavy top. */
paper_entry table_one(const char *method, int setting, int kind);

typedef enum { NOTHING_TO_COMPARE, AGREES, ANSWERS, DISAGREES } comparison;
comparison compare_entry(paper_entry entry, const finding *found);

#endif
