#include "cli.h"

#include "commands.h"
#include "nearest.h"
#include "terminal.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *name;
  int (*command)(const sd_request *);
  const char *file; /* what it may be given without a dash, or NULL */
  const char *summary, *usage;
  int takes; /* what the options that it takes are about */
} verb;

enum {
  SHOW = SD_ABOUT_FORMAT | SD_ABOUT_NOTES,
  STUDY = SD_ABOUT_ENSEMBLE | SD_ABOUT_SAMPLES | SD_ABOUT_MACHINE | SHOW,
  REPEAT = SD_ABOUT_MACHINE | SD_ABOUT_OUTPUT | SD_ABOUT_DISPLAY | SHOW
};

static const verb verbs[] = {
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
    {"info", sd_command_info, "FILE", "show what a result file or a checkpoint holds", "spindrift info run.h5",
     SD_ABOUT_DETAIL},
    {"verify", sd_command_verify, "FILE", "check that every byte of a file is as it was written",
     "spindrift verify run.h5", SD_ABOUT_NOTES},
    {"plot", sd_command_plot, "FILE.h5", "draw a result file: energy over time, verdicts, energy at the end",
     "spindrift plot run.h5 --output run.svg", SD_ABOUT_OUTPUT},
    {"report", sd_command_report, "FILE.h5",
     "make a page of HTML of a result file: verdicts, charts, trajectories, plan",
     "spindrift report run.h5 --output run.html", SD_ABOUT_OUTPUT},
    {"export", sd_command_export, "FILE.h5", "write the states of a member for OVITO (xyz) or ParaView (vtk)",
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
};

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
static int is_idle(const verb *v, const sd_option_info *o) {
  const char *key = o->kind == SD_OPTION_SPREAD ? "seed" : o->key;
  for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
    if (idle[i].command == v->command && !strcmp(idle[i].key, key)) return 1;
  return 0;
}

static int list_of(const verb *v, const char *key) {
  int i = 0;
  while (i < LISTS && (lists[i].command != v->command || strcmp(lists[i].key, key))) i++;
  return i;
}

static int takes(const verb *v, const sd_option_info *o) {
  return ((o->about & v->takes) || list_of(v, o->key) < LISTS) && !is_idle(v, o);
}

int sd_exit_status(sd_status status) {
  switch (status) {
  case SD_OK: return 0;
  case SD_BAD_INPUT: return 2;
  case SD_BODIES_FAILED: return 3;
  case SD_INTERRUPTED: return 130;
  default: return 1;
  }
}

void sd_say(const char *message) {
  fputs("spindrift: ", stderr);
  for (; *message; message++) fputc((unsigned char)*message < 0x20 || *message == 0x7f ? '?' : *message, stderr);
  fputc('\n', stderr);
}

int sd_complain(const sd_plan *plan, sd_status status) {
  const char *message = sd_plan_message(plan);
  if (status && status != SD_BODIES_FAILED) sd_say(*message ? message : sd_status_text(status));
  return sd_exit_status(status);
}

sd_status sd_whole_of(sd_plan *plan, const char *key, long long *value) {
  const char *text;
  SD_TRY(sd_plan_get(plan, key, &text));
  *value = strtoll(text, NULL, 10);
  return SD_OK;
}

static int help(void) {
  printf("spindrift %s - does this integrator keep the energy, or does it only seem to?\n\n"
         "usage: spindrift VERB [options]      spindrift VERB --help shows the options of one\n\n",
         SPINDRIFT_VERSION);
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) printf("  %-10s %s\n", verbs[i].name, verbs[i].summary);
  printf("\nexample: spindrift run --method eln,vlv --members 1024\n");
  return 0;
}

static const char *default_of(const verb *v, const sd_option_info *o) {
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    if (defaults[i].command == v->command && !strcmp(defaults[i].key, o->key)) return defaults[i].otherwise;
  return o->otherwise;
}

static void help_line(const char *left, const char *right) {
  char text[640];
  snprintf(text, sizeof text, "  %-26s %s", left, right);
  sd_print_wrapped(stdout, sd_terminal_of(stdout).width, 29, text);
}

static void help_option(const verb *v, const sd_option_info *o) {
  char left[64], right[560];
  const char *otherwise = default_of(v, o);
  int list = list_of(v, o->key), noted = list < LISTS && *lists[list].note;
  const char *text = list < LISTS && lists[list].text ? lists[list].text : o->text;
  const char *value = list < LISTS && lists[list].placeholder ? lists[list].placeholder : o->placeholder;
  snprintf(left, sizeof left, "--%s %s", o->key, value ? value : "");
  snprintf(right, sizeof right, "%s%s%s%s%s%s%s%s", text, *otherwise ? " (" : "", otherwise, *otherwise ? ")" : "",
           noted ? "; " : "", noted ? lists[list].note : "", o->synonym ? "; also --" : "",
           o->synonym ? o->synonym : "");
  help_line(left, right);
}

/* What the word without a dash is. */
static const struct {
  const char *file, *text;
} arguments[] = {
    {"[STUDY.toml]", "a study: the same names as the options, lists where several are to be compared"},
    {"FILE.h5", "a result, of --output"},
    {"FILE", "a checkpoint, of --checkpoint; for info and verify a result as well"},
    {"FILE.h", "a problem or a method, as CONTRIBUTING has it, with its line of the list in a comment"},
    {"[ID|FILE.h]", "one of the list, or one of one's own"},
};

static void help_argument(const verb *v) {
  for (size_t i = 0; v->file && i < sizeof arguments / sizeof *arguments; i++)
    if (!strcmp(v->file, arguments[i].file)) help_line(v->file, arguments[i].text);
}

static int help_verb(const verb *v) {
  sd_option_info o;
  char head[256];
  snprintf(head, sizeof head, "spindrift %s%s%s%s - %s", v->name, v->file ? " " : "", v->file ? v->file : "",
           v->takes ? " [options]" : "", v->summary);
  sd_print_wrapped(stdout, sd_terminal_of(stdout).width, 2, head);
  putchar('\n');
  help_argument(v);
  for (size_t i = 0; sd_line_option_at(i, &o); i++)
    if (takes(v, &o)) help_option(v, &o);
  if (v->takes & SD_ABOUT_STATES) puts("\nMemory: at most 296 bytes per body, whatever the length of the run.");
  printf("\nexample: %s\n", v->usage);
  return 0;
}

static int usage_error(const char *format, const char *a, const char *b) {
  char message[512];
  snprintf(message, sizeof message, format, a, b);
  sd_say(message);
  return 2;
}

static int misplaced_option(const verb *v, const char *name, const sd_option_info *o) {
  char message[256];
  int length = snprintf(message, sizeof message, "option --%s is not for %s; it is for", name, v->name), listed = 0;
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    if (!takes(&verbs[i], o)) continue;
    size_t used = (size_t)length < sizeof message ? (size_t)length : sizeof message - 1;
    length += snprintf(message + used, sizeof message - used, "%s %s", listed++ ? "," : "", verbs[i].name);
  }
  sd_say(message);
  return 2;
}

/* One that others take, or none at all. */
static int unknown_option(const verb *v, const char *name) {
  sd_nearest nearest = {0};
  sd_option_info o;
  if (sd_line_option_find(name, &o)) return misplaced_option(v, name, &o);
  for (size_t i = 0; sd_line_option_at(i, &o); i++) {
    if (takes(v, &o)) sd_nearest_consider(&nearest, name, o.key);
    if (takes(v, &o) && o.synonym) sd_nearest_consider(&nearest, name, o.synonym);
  }
  char message[320], question[SD_NEAREST_ROOM];
  snprintf(message, sizeof message, "unknown option '--%s' for %s; %s", name, v->name,
           sd_nearest_question(&nearest, "--", question));
  sd_say(message);
  return 2;
}

int sd_request_sets(const sd_request *r, const char *key) {
  for (size_t i = 0; i < r->setting_count; i++)
    if (!strcmp(r->setting[i].key, key)) return 1;
  return 0;
}

/* A setting of the plan, which the plans of a study get, too. */
static int set_plan(sd_request *r, const char *name, const char *value) {
  sd_status status = sd_plan_set(r->plan, name, value);
  if (status) return sd_complain(r->plan, status);
  if (r->setting_count == SD_OPTIONS_MAX) return usage_error("too many options, from '%s' on", value, "");
  r->setting[r->setting_count].key = name;
  r->setting[r->setting_count++].value = value;
  return 0;
}

static int set_option(sd_request *r, const verb *v, const sd_option_info *o, const char *given, const char *value) {
  int list = list_of(v, o->key);
  if (list < LISTS) return memcpy((char *)r + lists[list].offset, &value, sizeof value), 0;
  if (!(o->about & SD_ABOUT_SHOWING)) return set_plan(r, strcmp(given, o->key) ? o->synonym : o->key, value);
  sd_error error = {0};
  if (!sd_display_set(&r->display, o->key, value, &error)) return 0;
  sd_say(error.message);
  return 2;
}

static int parse(sd_request *r, const verb *v, int argc, char **argv) {
  for (int i = 0; i < argc; i++) {
    if (v->file && !r->file && argv[i][0] != '-') {
      r->file = argv[i];
      continue;
    }
    if (!strcmp(argv[i], "-h")) return help_verb(v), -1;
    if (strncmp(argv[i], "--", 2) || !argv[i][2])
      return usage_error("unexpected argument '%s'; options begin with --", argv[i], "");
    char name[48];
    sd_option_info o;
    const char *equals = strchr(argv[i], '='), *value = "yes";
    size_t length = equals ? (size_t)(equals - argv[i]) - 2 : strlen(argv[i]) - 2;
    if (length >= sizeof name) return usage_error("unknown option '%.60s'", argv[i], "");
    memcpy(name, argv[i] + 2, length);
    name[length] = 0;
    if (!strcmp(name, "help")) return help_verb(v), -1;
    if (!sd_line_option_find(name, &o) || !takes(v, &o)) return unknown_option(v, name);
    if (!o.placeholder && !o.words && equals) return usage_error("option --%s takes no value", name, "");
    if (!o.placeholder && equals) value = equals + 1;
    if (o.placeholder) value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
    if (!value) return usage_error("option --%s needs a value", name, "");
    int wrong = set_option(r, v, &o, name, value);
    if (wrong) return wrong;
  }
  if (r->display.json && r->display.csv) return usage_error("give --json or --csv, not both", "", "");
  return 0;
}

/* What is no verb may be something that one is needed for. */
static int unknown_verb(const char *name) {
  static const char *const others[] = {"--version", "--help"};
  char question[SD_NEAREST_ROOM];
  sd_nearest nearest = {0};
  size_t length = strlen(name);
  if (length > 5 && !strcmp(name + length - 5, ".toml"))
    return usage_error("'%s' is no verb; did you mean 'spindrift run %s'?", name, name);
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) sd_nearest_consider(&nearest, name, verbs[i].name);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) sd_nearest_consider(&nearest, name, others[i]);
  return usage_error("unknown verb '%s'; %s 'spindrift --help' lists all", name,
                     sd_nearest_question(&nearest, "", question));
}

static const verb *find_verb(const char *name) {
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
    if (!strcmp(name, verbs[i].name)) return &verbs[i];
  return NULL;
}

static int is_one_of(const char *word, const char *a, const char *b) {
  return !strcmp(word, a) || !strcmp(word, b);
}

static int run_verb(const verb *v, int argc, char **argv) {
  sd_request request = {.display = sd_display_defaults()};
  if (sd_plan_create(&request.plan)) return usage_error("out of memory", "", ""), 1;
  int status = parse(&request, v, argc, argv);
  if (!status) status = v->command(&request);
  sd_plan_destroy(request.plan);
  return status < 0 ? 0 : status;
}

static int command_line(int argc, char **argv) {
  if (argc < 2 || is_one_of(argv[1], "--help", "-h")) return help();
  if (is_one_of(argv[1], "--version", "-V")) return puts("spindrift " SPINDRIFT_VERSION) < 0;
  int asks = !strcmp(argv[1], "help"); /* also of a verb */
  if (asks && argc == 2) return help();
  const char *name = argv[1 + asks];
  const verb *v = find_verb(name);
  if (!v) return unknown_verb(name);
  return asks ? help_verb(v) : run_verb(v, argc - 2, argv + 2);
}

int sd_cli(int argc, char **argv) {
#ifdef SIGXFSZ
  signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit is an error to tell, not one to die of */
#endif
#ifdef SIGPIPE
  signal(SIGPIPE, SIG_IGN); /* nor is a reader that has gone */
#endif
  int status = command_line(argc, argv);
  if (!fflush(stdout) && !ferror(stdout)) return status;
  int done = status == 0 || status == 3 || status == SD_EXIT_DRIFT;
  if (done) sd_say("cannot write to standard output");
  return done ? 1 : status;
}
