/* command_figure.c - spindrift figure: the papers' figures, with what the papers claim beside what was found. */
#include "figure.h"

#include "../host/nearest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
  const char *id;
  figure_maker *make;
  const char *paper, *text;
} list[] = {
#define FIGURE(id, maker, paper, text) {id, maker, paper, text},
#include "figures.def"
#undef FIGURE
};
enum { FIGURES = sizeof list / sizeof *list };

static int list_all(void) {
  for (int i = 0; i < FIGURES; i++) printf("%-24s %s (%s)\n", list[i].id, list[i].text, list[i].paper);
  puts("all                      every one of these");
  return 0;
}

static int unknown(const char *id) {
  sd_nearest nearest = {0};
  char message[320], question[SD_NEAREST_ROOM];
  for (int i = 0; i < FIGURES; i++) sd_nearest_consider(&nearest, id, list[i].id);
  snprintf(message, sizeof message, "unknown figure '%.60s'; %s 'spindrift figure' lists all", id,
           sd_nearest_question(&nearest, "", question));
  sd_say(message);
  return 2;
}

/* A folder that is there, or is made. */
static sd_status open_directory(figures *f) {
  struct stat found;
  if (mkdir(f->directory, 0777) && errno != EEXIST)
    return sd_fail(&f->lab.error, SD_FAILED, "cannot make '%.300s': %s", f->directory, strerror(errno));
  if (stat(f->directory, &found) || !S_ISDIR(found.st_mode))
    return sd_fail(&f->lab.error, SD_BAD_INPUT, "output: '%.300s' is no folder", f->directory);
  return sd_picture_possible("any.svg", &f->lab.error);
}

/* The names of what was drawn, in the JSON. */
static void json_pictures(figures *f) {
  char *names = sd_text_take(&f->drawn);
  sd_json_open(f->json, "pictures", '[');
  for (char *name = names, *end; name && (end = strchr(name, '\n')); name = end + 1) {
    *end = 0;
    sd_json_text(f->json, NULL, name);
  }
  sd_json_close(f->json, ']');
  free(names);
}

static void make(figures *f, int i) {
  f->id = list[i].id;
  if (f->json) {
    sd_json_open(f->json, NULL, '{');
    sd_json_text(f->json, "figure", list[i].id);
    sd_json_text(f->json, "paper", list[i].paper);
    sd_json_open(f->json, "claims", '[');
  } else {
    printf("%s: %s (%s)\n", list[i].id, list[i].text, list[i].paper);
  }
  list[i].make(f);
  if (f->json) {
    sd_json_close(f->json, ']');
    json_pictures(f);
    sd_json_close(f->json, '}');
  } else {
    free(sd_text_take(&f->drawn));
  }
  fflush(stdout);
}

int sd_command_figure(const sd_request *r) {
  sd_json json = {.to = stdout};
  figures f = {.lab = {.request = r},
               .directory = r->output ? r->output : "figures",
               .ending = r->display.png ? ".png" : ".svg",
               .quick = r->display.quick,
               .json = r->display.json ? &json : NULL};
  int known = 0;
  if (!r->file) return list_all();
  for (int i = 0; i < FIGURES; i++) known |= !strcmp(r->file, "all") || !strcmp(r->file, list[i].id);
  if (!known) return unknown(r->file);
  open_directory(&f);
  if (f.json && !f.lab.error.status) sd_json_open(f.json, NULL, '[');
  for (int i = 0; i < FIGURES && !f.lab.error.status; i++)
    if (!strcmp(r->file, "all") || !strcmp(r->file, list[i].id)) make(&f, i);
  if (f.lab.error.status) return sd_say(f.lab.error.message), sd_exit_status(f.lab.error.status);
  if (f.json) sd_json_close(f.json, ']');
  else printf("%d pictures, %d claims, %d of them refuted\n", f.pictures, f.claims, f.refuted);
  return 0;
}
