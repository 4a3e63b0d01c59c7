/* plotting.h - pictures, drawn by gnuplot, which is looked for when one is wanted.
 *
 * A picture is a script for gnuplot with its data in it.  One look for all: labelled axes, a grid that stays behind,
 * the key beside the data, and for every method the same colour, dash and point in every picture. */
#ifndef SD_PLOTTING_H
#define SD_PLOTTING_H

#include "status.h"
#include "text.h"

/* SVG or PNG, as the name of the picture ends; size in points. */
void sd_picture_begin(sd_text *script, const char *path, int width, int height);
/* Hands the script over and frees it.  The picture is there whole, or not at all and the error says why. */
sd_status sd_picture_draw(sd_text *script, const char *path, sd_error *error);
/* SD_OK if a picture of this name can be drawn here. */
sd_status sd_picture_possible(const char *path, sd_error *error);

/* How a method looks: `lc rgb ... dt ... pt ...`, and its colour alone, #rrggbb. */
const char *sd_style_of(const char *method, char style[64]);
const char *sd_colour_of(const char *method);
/* Of the style's dash, for others than gnuplot: "" or lengths as SVG has them. */
const char *sd_dash_of(const char *method);

#endif
