#include "table_one.h"

#include <string.h>

/* Free body: symplectic, energy, momentum; generic potential: the same.  y: kept, -: empty, n: nearly. */
static const struct {
  const char *row, *methods, *entries[2];
} table[] = {
    {"Lie-Newmark [9]", "eln eln-exp tln tln-exp", {"?--", "?--"}},
    {"Algo_1 [10]", "sw-1", {"-y-", "-?-"}},
    {"Algo_C1 [10]", "sw-c1", {"-yy", "-??"}},
    {"Austin et al. [11]", "akw", {"-yy", "-??"}},
    {"Lewis & Simo [1]", "lewis-simo", {"yyy", "---"}},
    {"RATTLE [3,4]", "rattle", {"yyy", "yny"}},
    {"Variational [23]", "vlv vlv-exp var-mid", {"yny", "yny"}},
    {"LIEMID(EA) [13]", "liemid-ea", {"?-y", "?--"}},
    {"PRK [14]", "prk", {"-yy", "--?"}},
    {"MCG [14]", "mcg", {"?-y", "?--"}},
    {"NEW3 [15]", "new3", {"?-y", "?--"}},
};
enum { ROWS = sizeof table / sizeof *table };

static int row_of(const char *method) {
  size_t length = strlen(method);
  for (int i = 0; i < ROWS; i++)
    for (const char *at = table[i].methods; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
      if (strcspn(at, " ") == length && !strncmp(at, method, length)) return i;
  return -1;
}

const char *table_one_row(const char *method) {
  int i = row_of(method);
  return i < 0 ? NULL : table[i].row;
}

paper_entry table_one(const char *method, int setting, int kind) {
  int i = row_of(method);
  if (i < 0 || setting == HEAVY_TOP) return NO_ROW;
  switch (table[i].entries[setting == GENERIC][kind]) {
  case 'y': return PAPER_YES;
  case 'n': return PAPER_NEARLY;
  case '?': return PAPER_ASKS;
  default: return PAPER_NO;
  }
}

/* What is bounded and not kept is neither: an empty entry does not deny it. */
comparison compare_entry(paper_entry entry, const finding *found) {
  if (entry == NO_ROW || found->how == NOT_MEASURED || found->how == UNCLEAR) return NOTHING_TO_COMPARE;
  if (entry == PAPER_ASKS) return ANSWERS;
  if (entry == PAPER_YES) return found->how == KEPT ? AGREES : DISAGREES;
  if (entry == PAPER_NEARLY) return found->how == NEARLY || found->how == KEPT ? AGREES : DISAGREES;
  return found->how == KEPT ? DISAGREES : AGREES;
}
