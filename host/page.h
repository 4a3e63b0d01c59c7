/* page.h - the sections of a report: HTML with its charts in it, made of results and nothing else. */
#ifndef SD_PAGE_H
#define SD_PAGE_H

#include "chart.h"
#include "spindrift.h"

/* The results of a file, one for each run. */
typedef struct {
  const sd_result *const *result;
  size_t count;
} sd_runs;

void sd_page_key(sd_text *page, const char *method);              /* its name, with its colour */
void sd_page_verdicts(sd_text *page, const sd_result *result);    /* a table, and the changes with their reach */
void sd_page_bands(sd_text *page, const sd_result *result);       /* E - E0 over time, a chart for each method */
void sd_page_ends(sd_text *page, const sd_result *result);        /* E - E0 at the end */
void sd_page_iterations(sd_text *page, const sd_result *result);  /* of Newton's method, and the time of a step */
void sd_page_work(sd_text *page, const sd_runs *runs);            /* error against cost, where steps differ */
void sd_page_sweep(sd_text *page, const sd_result *result);       /* what came of its points, and where on the grid */
void sd_page_elements(sd_text *page, const sd_result *result);    /* of members about a centre, over time */
void sd_page_spread(sd_text *page, const sd_result *result);      /* about their mean, where there are moments */
int sd_page_trajectories(sd_text *page, const sd_result *result); /* a view to turn; 0 where none are kept */

#endif
