/* figure.h - what the figures of the papers share: where pictures go, what is claimed and what was found.
 *
 * A figure is a function in one of the files figure_*.c and a line of figures.def.  It runs what the paper ran, as an
 * ensemble whose first member is the paper's own trajectory, draws it, and holds the paper's claims against it. */
#ifndef PAPERS_FIGURE_H
#define PAPERS_FIGURE_H

#include "lab.h"

#include "../host/json.h"
#include "../host/plotting.h"

typedef struct {
  lab lab;
  const char *directory, *ending; /* where pictures go, and as what: .svg or .png */
  int quick;                      /* fewer members */
  const char *id;                 /* of the figure at work */
  sd_json *json;                  /* or NULL: people read it */
  int pictures, claims, refuted;
  sd_text drawn; /* the pictures of the figure at work, a line each */
} figures;

/* The size of ensembles. */
const char *figure_members(const figures *f);

/* A picture of the figure at work, ID or ID-PART: its script begun, then drawn; PATH.gnuplot keeps the script, which
 * has the data in it. */
void figure_begin(figures *f, sd_text *script, const char *part, int width, int height);
void figure_draw(figures *f, sd_text *script, const char *part);

/* What the paper says and what was found; where they differ, `because` says why, or NULL. */
void figure_claim(figures *f, int agrees, const char *claim, const char *because, const char *found, ...)
    __attribute__((format(printf, 5, 6)));

/* E - E0 of a method as data $name: time, the first member's, 5 and 95 % of all; and a panel of it. */
void figure_energy_data(sd_text *script, const sd_result *result, size_t method, const char *name);
void figure_energy_panel(sd_text *script, const char *method, const char *name);
/* The energy error of the first member at a sample. */
double figure_first_error(const sd_result *result, size_t method, size_t sample);

/* What an ensemble has at one place: the first member's, 5 and 95 % of those that are finite, which are sorted. */
typedef struct {
  double first, low, high;
} figure_range;
figure_range figure_range_of(double *all, size_t count);
/* Ranges over x as data $name; a curve of the first members with points over a band of the others, title and all,
 * without what ends a plot's item. */
void figure_range_data(sd_text *script, const char *name, const double *x, const figure_range *y, int count);
void figure_range_curve(sd_text *script, const char *name, const char *method, const char *title);
/* The slope of log first over log x, as below. */
double figure_range_power(const double *x, const figure_range *y, int count);

/* Slope of log y over log x, least squares, over those that are finite and positive. */
double figure_power(const double *x, const double *y, int count);

typedef void figure_maker(figures *f);
#define FIGURE(id, maker, paper, text) figure_maker maker;
#include "figures.def"
#undef FIGURE

#endif
