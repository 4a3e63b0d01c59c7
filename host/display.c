#include "display.h"

#include "number.h"

#include <stddef.h>
#include <string.h>

static const sd_option_info own[] = {
    {.key = "member",
     .synonym = "body",
     .about = SD_ABOUT_MEMBER,
     .placeholder = "I",
     .text = "this member of the ensemble alone"},
    {.key = "trajectory",
     .about = SD_ABOUT_MEMBER,
     .text = "with its states at every sample, in the JSON and the output file"},
    {.key = "format", .about = SD_ABOUT_EXPORT, .placeholder = "NAME", .text = "xyz (extended XYZ) or vtk (PolyData)"},
    {.key = "run",
     .about = SD_ABOUT_EXPORT,
     .placeholder = "I",
     .otherwise = "0",
     .text = "which of the runs in the file, from 0 on"},
    {.key = "rounds",
     .about = SD_ABOUT_ROUNDS,
     .placeholder = "N",
     .otherwise = "5",
     .text = "how often each is measured, after once that does not count; the median is shown"},
    {.key = "plot",
     .about = SD_ABOUT_PICTURE,
     .placeholder = "FILE.svg",
     .text = "draw a picture of it, as SVG or PNG; needs gnuplot"},
    {.key = "quick", .about = SD_ABOUT_FIGURES, .text = "smaller ensembles"},
    {.key = "png", .about = SD_ABOUT_FIGURES, .text = "pictures as PNG in place of SVG"},
    {.key = "series",
     .about = SD_ABOUT_DISPLAY,
     .text = "put E-E0 of the ensemble over time into the JSON: mean, deviation, quantiles"},
    {.key = "csv",
     .about = SD_ABOUT_DISPLAY,
     .text = "print the results as comma-separated values, one line for each method of each run"},
    {.key = "map",
     .about = SD_ABOUT_DISPLAY,
     .placeholder = "FILE.svg",
     .text = "of a sweep: draw the slope of the energy over the grid, as SVG or PNG; needs gnuplot"},
    {.key = "map-of",
     .about = SD_ABOUT_DISPLAY,
     .placeholder = "QUANTITY",
     .otherwise = "drift_slope",
     .text = "draw another statistic, by its name in the result file, such as energy_max_abs_error"},
    {.key = "fail-on-drift",
     .about = SD_ABOUT_DISPLAY,
     .text = "exit status 4 if the energy drifts under any of the methods"},
    {.key = "dry-run",
     .about = SD_ABOUT_TRIAL,
     .text = "show the plan as it would be run, its memory, and the time that it would take, from a short measurement"},
    {.key = "source", .about = SD_ABOUT_DETAIL, .text = "the code that it has in it"},
    {.key = "verbose", .about = SD_ABOUT_DETAIL, .text = "of a checkpoint, also the whole plan and its blocks"},
    {.key = "progress",
     .about = SD_ABOUT_DISPLAY,
     .placeholder = "WHEN",
     .otherwise = "auto: on a terminal",
     .text = "auto, always or never"},
    {.key = "json", .about = SD_ABOUT_FORMAT, .text = "print one JSON document and nothing else"},
    {.key = "quiet", .about = SD_ABOUT_NOTES, .text = "no notes on stderr"},
};
enum { OWN = sizeof own / sizeof *own };

int sd_line_option_at(size_t index, sd_option_info *option) {
  size_t plans = 0;
  option->size = sizeof *option;
  if (sd_list_option(index, option)) return 1;
  while (sd_list_option(plans, option)) plans++;
  if (index - plans >= OWN) return 0;
  *option = own[index - plans];
  return 1;
}

int sd_line_option_find(const char *name, sd_option_info *option) {
  option->size = sizeof *option;
  if (sd_find_option(name, option)) return 1;
  for (int i = 0; i < OWN; i++) {
    *option = own[i];
    if (!strcmp(name, own[i].key) || (own[i].synonym && !strcmp(name, own[i].synonym))) return 1;
  }
  return 0;
}

sd_display sd_display_defaults(void) {
  return (sd_display){.rounds = 5, .map_of = "drift_slope"};
}

static sd_status set_rounds(sd_display *display, const char *text, sd_error *error) {
  uint64_t rounds;
  sd_wholeness found = sd_whole_from(text, &rounds);
  if (found == SD_NOT_A_NUMBER || found == SD_NOT_WHOLE)
    return sd_fail(error, SD_BAD_INPUT, "rounds: '%s' is not a whole number", text);
  if (found == SD_BEYOND || rounds < 1 || rounds > SD_ROUNDS_MOST)
    return sd_fail(error, SD_BAD_INPUT, "rounds: %s is out of range; expected 1 to %d", text, SD_ROUNDS_MOST);
  display->rounds = (int)rounds;
  return SD_OK;
}

static sd_status set_progress(sd_display *display, const char *text, sd_error *error) {
  if (!strcmp(text, "auto")) display->progress = SD_PROGRESS_AUTO;
  else if (!strcmp(text, "always")) display->progress = SD_PROGRESS_ALWAYS;
  else if (!strcmp(text, "never")) display->progress = SD_PROGRESS_NEVER;
  else return sd_fail(error, SD_BAD_INPUT, "progress: '%s' should be auto, always or never", text);
  return SD_OK;
}

/* Those without a value. */
static const struct {
  const char *key;
  size_t offset;
} switches[] = {
    {"csv", offsetof(sd_display, csv)},         {"dry-run", offsetof(sd_display, dry_run)},
    {"json", offsetof(sd_display, json)},       {"fail-on-drift", offsetof(sd_display, fail_on_drift)},
    {"quiet", offsetof(sd_display, quiet)},     {"series", offsetof(sd_display, series)},
    {"verbose", offsetof(sd_display, verbose)}, {"trajectory", offsetof(sd_display, trajectory)},
    {"quick", offsetof(sd_display, quick)},     {"png", offsetof(sd_display, png)},
    {"source", offsetof(sd_display, source)},
};

sd_status sd_display_set(sd_display *display, const char *key, const char *value, sd_error *error) {
  if (!strcmp(key, "rounds")) return set_rounds(display, value, error);
  if (!strcmp(key, "progress")) return set_progress(display, value, error);
  if (!strcmp(key, "member") && !*value) return sd_fail(error, SD_BAD_INPUT, "member: a value is missing");
  if (!strcmp(key, "member")) display->member = value;
  if (!strcmp(key, "format")) display->format = value;
  if (!strcmp(key, "run")) display->run = value;
  if (!strcmp(key, "map")) display->map = value;
  if (!strcmp(key, "map-of")) display->map_of = value;
  for (size_t i = 0; i < sizeof switches / sizeof *switches; i++)
    if (!strcmp(key, switches[i].key)) *(int *)((char *)display + switches[i].offset) = 1;
  return SD_OK;
}
