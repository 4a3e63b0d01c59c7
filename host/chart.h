/* chart.h - charts of a page, as SVG in the text of it: their colours are the page's, light or dark, screen or print.
 */
#ifndef SD_CHART_H
#define SD_CHART_H

#include "text.h"

/* One axis: from low to high, plain, of whole numbers, logarithmic, or logarithmic both ways from zero (beyond
 * `linear`). */
typedef struct {
  const char *label;
  double low, high;
  enum { SD_AXIS_PLAIN, SD_AXIS_WHOLE, SD_AXIS_LOG, SD_AXIS_SIGNED } kind;
  double linear;
} sd_axis;

typedef struct {
  sd_text *to;
  sd_axis x, y;
  double left, right, top, bottom; /* of the plot, in the picture's own units */
} sd_chart;

/* `about` is read out in place of the picture.  A y axis without a label has no ticks: there are names instead. */
void sd_chart_begin(sd_chart *c, sd_text *to, int width, int height, const char *about, sd_axis x, sd_axis y);
void sd_chart_end(sd_chart *c);

/* Where a value is. */
double sd_chart_x(const sd_chart *c, double value);
double sd_chart_y(const sd_chart *c, double value);

/* Shapes of a method's colour; arrays of `count` numbers, `stride` apart.  What is not finite is left out. */
void sd_chart_line(sd_chart *c, const char *method, const double *x, const double *y, size_t count,
                   const char *class_name);
void sd_chart_band(sd_chart *c, const char *method, const double *x, const double *low, const double *high,
                   size_t count);
void sd_chart_point(sd_chart *c, const char *method, double x, double y, const char *title);
void sd_chart_interval(sd_chart *c, const char *method, double low, double high, double y, double thickness);
/* A rectangle of a colour, grey where there is none, with a dot in it or without. */
void sd_chart_cell(sd_chart *c, double left, double right, double low, double high, const char *colour, int dotted,
                   const char *title);
/* A name at the left of the plot. */
void sd_chart_name(sd_chart *c, const char *name, double y);
/* A strip between two values of x, behind what follows. */
void sd_chart_strip(sd_chart *c, double low, double high);

/* Text into a page: <, >, & and quotes as they must be there. */
void sd_text_add_html(sd_text *to, const char *text);

#endif
