#include "verbs.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
  SHOW = SD_ABOUT_FORMAT | SD_ABOUT_NOTES,
  STUDY = SD_ABOUT_ENSEMBLE | SD_ABOUT_SAMPLES | SD_ABOUT_MACHINE | SHOW,
  REPEAT = SD_ABOUT_MACHINE | SD_ABOUT_OUTPUT | SD_ABOUT_DISPLAY | SHOW
};

static const sd_verb verbs[] = {
    {"run", sd_command_run, "[STUDY.toml]", "integrate an ensemble with one or several methods and compare them",
     "spindrift run --problem stress --method eln,vlv --members 1024 --step 0.125 --time 10000\n"
     "example: spindrift run studies/drift.toml --seed 2",
     STUDY | SD_ABOUT_STATES | SD_ABOUT_DISPLAY | SD_ABOUT_TRIAL | SD_ABOUT_OUTPUT | SD_ABOUT_CHECKPOINT |
         SD_ABOUT_SAVING | SD_ABOUT_LENGTH},
    {"resume", sd_command_resume, "FILE", "go on from a checkpoint", "spindrift resume run.ckpt --output run.h5",
     REPEAT | SD_ABOUT_SAVING | SD_ABOUT_LENGTH},
    {"rerun", sd_command_rerun, "FILE.h5", "repeat a run from its result file and compare the digests",
     "spindrift rerun run.h5\nexample: spindrift rerun run.h5 --member 4711 --trajectory --json",
     REPEAT | SD_ABOUT_SAMPLES | SD_ABOUT_MEMBER},
    {"merge", sd_command_merge, "FILE.h5...", "make one result of those of runs that are parts of an ensemble",
     "spindrift merge part-0.h5 part-1.h5 --output all.h5", SD_ABOUT_OUTPUT | SHOW},
    {"info", sd_command_info, "FILE", "show what a result file or a checkpoint holds", "spindrift info run.h5",
     SD_ABOUT_DETAIL},
    {"verify", sd_command_verify, "FILE", "check that every byte of a file is as it was written",
     "spindrift verify run.h5", SD_ABOUT_NOTES},
    {"plot", sd_command_plot, "FILE.h5", "draw a result file: energy over time, verdicts, energy at the end",
     "spindrift plot run.h5 --output run.svg", SD_ABOUT_OUTPUT},
    {"report", sd_command_report, "FILE.h5",
     "make a page of HTML of a result file: verdicts, charts, trajectories, plan",
     "spindrift report run.h5 --output run.html", SD_ABOUT_OUTPUT},
    {"export", sd_command_export, "FILE.h5",
     "write the states of a member for OVITO (xyz) or ParaView (vtk), or its elements",
     "spindrift export run.h5 --format xyz\nexample: spindrift export run.h5 --format vtk --method vlv --member 2",
     SD_ABOUT_EXPORT | SD_ABOUT_NOTES},
    {"order", sd_command_order, NULL, "measure the order of convergence of methods on a problem",
     "spindrift order --problem stress --method vlv,vlv@4 --time 5 --step 0.25,0.125,0.0625", STUDY},
    {"precision", sd_command_precision, NULL, "measure error against cost, over methods and steps",
     "spindrift precision --method vlv,vlv@4,rk4 --time 5 --step 0.25,0.125,0.0625 --members 16",
     STUDY | SD_ABOUT_ROUNDS | SD_ABOUT_PICTURE},
    {"properties", sd_command_properties, NULL, "measure what methods keep, beside what the literature says of them",
     "spindrift properties --method eln,vlv,rattle", SD_ABOUT_ENSEMBLE | SD_ABOUT_MACHINE | SHOW},
    {"figure", sd_command_figure, "[ID|all]", "make the papers' figures, and hold their claims against what is found",
     "spindrift figure stress-drift --quick --output figures",
     SD_ABOUT_OUTPUT | SD_ABOUT_FIGURES | SD_ABOUT_MACHINE | SD_ABOUT_FORMAT},
    {"check", sd_command_check, "FILE.h",
     "test a problem or a method of one's own: what it gives, and what it says of itself", "spindrift check mine.h",
     SD_ABOUT_MACHINE},
    {"methods", sd_command_methods, "[ID|FILE.h]",
     "list the methods: order, traits, citation; or all there is to say of one",
     "spindrift methods\nexample: spindrift methods vlv", SD_ABOUT_FORMAT},
    {"problems", sd_command_problems, "[ID|FILE.h]",
     "list the problems: parameters, defaults, ranges; or all there is to say of one",
     "spindrift problems\nexample: spindrift problems stress --json", SD_ABOUT_FORMAT},
    {"bench", sd_command_bench, NULL, "measure variants of the processor and CUDA devices on the same bodies",
     "spindrift bench --problem stress --method eln,vlv --members 4096 --steps 1000 --isa all\n"
     "example: spindrift bench --backend cpu,cuda --members 1e6",
     STUDY | SD_ABOUT_ROUNDS},
    {"devices", sd_command_devices, NULL, "show the processor's variants, the CUDA devices and what auto chooses",
     "spindrift devices", SD_ABOUT_FORMAT},
    {"selftest", sd_command_selftest, NULL, "check that every variant and device gives the same bits",
     "spindrift selftest", SD_ABOUT_FORMAT},
    {"manual", sd_command_manual, NULL, "print the manual page", "spindrift manual | man -l -", 0},
    {"completion", sd_command_completion, "SHELL", "print what completes the command line in bash, zsh or fish",
     "spindrift completion bash >~/.local/share/bash-completion/completions/spindrift", 0},
};
enum { VERBS = sizeof verbs / sizeof *verbs };

/* Options of which a verb takes a list, or something else that is not for the plan. */
static const struct {
  int (*command)(const sd_request *);
  const char *key;
  size_t offset; /* in the request */
  const char *note;
  const char *text, *placeholder; /* what it is, and its value, where that is not what the plan has it for */
} lists[] = {
    {sd_command_order, "step", offsetof(sd_request, steps), "a list H,H,...", NULL, NULL},
    {sd_command_precision, "step", offsetof(sd_request, steps), "a list H,H,...", NULL, NULL},
    {sd_command_precision, "plot", offsetof(sd_request, plot), "", NULL, NULL},
    {sd_command_plot, "output", offsetof(sd_request, output),
     "here: NAME.svg or NAME.png, for NAME-energy.svg and so on", NULL, NULL},
    {sd_command_figure, "output", offsetof(sd_request, output), "here: a folder, figures by default", NULL, NULL},
    {sd_command_report, "output", offsetof(sd_request, output), "here: the page, FILE.html by default", NULL, NULL},
    {sd_command_bench, "backend", offsetof(sd_request, backends), "a list, and auto is both", NULL, NULL},
    {sd_command_bench, "devices", offsetof(sd_request, devices), "one by one", NULL, NULL},
    {sd_command_bench, "isa", offsetof(sd_request, variants), "a list, or all", NULL, NULL},
    {sd_command_bench, "problem", offsetof(sd_request, problems), "a list ID,ID,...", NULL, NULL},
    {sd_command_export, "method", offsetof(sd_request, method), "", "one of the run's methods", "ID"},
    {sd_command_export, "member", offsetof(sd_request, member), "", "the member, by its number in the ensemble", "I"},
    {sd_command_export, "output", offsetof(sd_request, output), "", "the name of what is written, without its ending",
     "NAME"},
};
enum { LISTS = sizeof lists / sizeof *lists };

/* Defaults that are not the plan's. */
static const struct {
  int (*command)(const sd_request *);
  const char *key, *otherwise;
} defaults[] = {
    {sd_command_order, "step", "multiples of the problem's own"},
    {sd_command_order, "time", "a multiple of the problem's own step"},
    {sd_command_export, "method", "the first"},
    {sd_command_export, "member", "the first"},
    {sd_command_export, "output", "that of the result"},
};

/* Options that would change nothing, among what a verb's others are about. */
static const struct {
  int (*command)(const sd_request *);
  const char *key;
} idle[] = {
    {sd_command_order, "members"},  {sd_command_order, "first-member"}, {sd_command_order, "steps"},
    {sd_command_order, "every"},    {sd_command_order, "resolve"},      {sd_command_order, "seed"},
    {sd_command_order, "threads"},  {sd_command_order, "block"},        {sd_command_order, "device-memory"},
    {sd_command_order, "fallback"}, {sd_command_bench, "fallback"},
};

/* Without a seed starts are not perturbed, and deviations of theirs do nothing. */
static int is_idle(const sd_verb *v, const sd_option_info *o) {
  const char *key = o->kind == SD_OPTION_SPREAD ? "seed" : o->key;
  for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
    if (idle[i].command == v->command && !strcmp(idle[i].key, key)) return 1;
  return 0;
}

static int list_of(const sd_verb *v, const char *key) {
  int i = 0;
  while (i < LISTS && (lists[i].command != v->command || strcmp(lists[i].key, key))) i++;
  return i;
}

int sd_verb_takes(const sd_verb *v, const sd_option_info *o) {
  return ((o->about & v->takes) || list_of(v, o->key) < LISTS) && !is_idle(v, o);
}

const char **sd_verb_place(const sd_verb *v, const char *key, sd_request *request) {
  int list = list_of(v, key);
  return list < LISTS ? (const char **)(void *)((char *)request + lists[list].offset) : NULL;
}

static const char *default_of(const sd_verb *v, const sd_option_info *o) {
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    if (defaults[i].command == v->command && !strcmp(defaults[i].key, o->key)) return defaults[i].otherwise;
  return o->otherwise;
}

void sd_verb_help(const sd_verb *v, const sd_option_info *o, sd_option_help *help) {
  const char *otherwise = default_of(v, o);
  int list = list_of(v, o->key), noted = list < LISTS && *lists[list].note;
  const char *text = list < LISTS && lists[list].text ? lists[list].text : o->text;
  const char *value = list < LISTS && lists[list].placeholder ? lists[list].placeholder : o->placeholder;
  snprintf(help->left, sizeof help->left, "--%s%s%s", o->key, value ? " " : "", value ? value : "");
  snprintf(help->right, sizeof help->right, "%s%s%s%s%s%s%s%s", text, *otherwise ? " (" : "", otherwise,
           *otherwise ? ")" : "", noted ? "; " : "", noted ? lists[list].note : "", o->synonym ? "; also --" : "",
           o->synonym ? o->synonym : "");
}

/* What the word without a dash is. */
static const struct {
  const char *file, *text;
} arguments[] = {
    {"[STUDY.toml]", "a study: the same names as the options, lists where several are to be compared"},
    {"FILE.h5", "a result, of --output"},
    {"FILE.h5...",
     "results of runs with --mergeable, each of which begins, by --first-member or --first-point, where another ends"},
    {"FILE", "a checkpoint, of --checkpoint; for info and verify a result as well"},
    {"FILE.h", "a problem or a method, as CONTRIBUTING has it, with its line of the list in a comment"},
    {"[ID|FILE.h]", "one of the list, or one of one's own"},
    {"SHELL", "bash, zsh or fish"},
};

const char *sd_verb_file(const sd_verb *v) {
  for (size_t i = 0; v->file && i < sizeof arguments / sizeof *arguments; i++)
    if (!strcmp(v->file, arguments[i].file)) return arguments[i].text;
  return NULL;
}

const sd_verb *sd_verb_at(size_t index) {
  return index < VERBS ? &verbs[index] : NULL;
}

const sd_verb *sd_verb_find(const char *name) {
  for (size_t i = 0; i < VERBS; i++)
    if (!strcmp(name, verbs[i].name)) return &verbs[i];
  return NULL;
}
