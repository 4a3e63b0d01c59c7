#include "cli.h"

#include "launch.h"
#include "nearest.h"
#include "verbs.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sd_exit_status(sd_status status) {
  switch (status) {
  case SD_OK: return 0;
  case SD_BAD_INPUT: return 2;
  case SD_BODIES_FAILED: return 3;
  case SD_INTERRUPTED: return 130;
  default: return 1;
  }
}

static sd_ranks *ranks;
static char kept[512]; /* what a rank other than the first had to say last */

sd_ranks *sd_cli_ranks(void) {
  return ranks;
}

static int is_follower(void) {
  return ranks && ranks->mine;
}

void sd_say(const char *message) {
  if (is_follower()) {
    snprintf(kept, sizeof kept, "%s", message);
    return;
  }
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

static int usage_error(const char *format, const char *a, const char *b) {
  char message[512];
  snprintf(message, sizeof message, format, a, b);
  sd_say(message);
  return 2;
}

static int misplaced_option(const sd_verb *v, const char *name, const sd_option_info *o) {
  char message[256];
  int length = snprintf(message, sizeof message, "option --%s is not for %s; it is for", name, v->name), listed = 0;
  const sd_verb *other;
  for (size_t i = 0; (other = sd_verb_at(i)); i++) {
    if (!sd_verb_takes(other, o)) continue;
    size_t used = (size_t)length < sizeof message ? (size_t)length : sizeof message - 1;
    length += snprintf(message + used, sizeof message - used, "%s %s", listed++ ? "," : "", other->name);
  }
  sd_say(message);
  return 2;
}

/* One that others take, or none at all. */
static int unknown_option(const sd_verb *v, const char *name) {
  sd_nearest nearest = {0};
  sd_option_info o;
  if (sd_line_option_find(name, &o)) return misplaced_option(v, name, &o);
  for (size_t i = 0; sd_line_option_at(i, &o); i++) {
    if (sd_verb_takes(v, &o)) sd_nearest_consider(&nearest, name, o.key);
    if (sd_verb_takes(v, &o) && o.synonym) sd_nearest_consider(&nearest, name, o.synonym);
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

static int set_option(sd_request *r, const sd_verb *v, const sd_option_info *o, const char *given, const char *value) {
  const char **place = sd_verb_place(v, o->key, r);
  if (place) return *place = value, 0;
  if (!(o->about & SD_ABOUT_SHOWING)) return set_plan(r, strcmp(given, o->key) ? o->synonym : o->key, value);
  sd_error error = {0};
  if (!sd_display_set(&r->display, o->key, value, &error)) return 0;
  sd_say(error.message);
  return 2;
}

static int takes_several(const sd_verb *v) {
  return strstr(v->file, "...") != NULL;
}

static int parse(sd_request *r, const sd_verb *v, int argc, char **argv) {
  for (int i = 0; i < argc; i++) {
    if (v->file && (!r->file || takes_several(v)) && argv[i][0] != '-') {
      if (!r->file) r->file = argv[i];
      r->files[r->file_count++] = argv[i];
      continue;
    }
    if (!strcmp(argv[i], "-h")) return sd_help_verb(v), -1;
    if (strncmp(argv[i], "--", 2) || !argv[i][2])
      return usage_error("unexpected argument '%s'; options begin with --", argv[i], "");
    char name[48];
    sd_option_info o;
    const char *equals = strchr(argv[i], '='), *value = "yes";
    size_t length = equals ? (size_t)(equals - argv[i]) - 2 : strlen(argv[i]) - 2;
    if (length >= sizeof name) return usage_error("unknown option '%.60s'", argv[i], "");
    memcpy(name, argv[i] + 2, length);
    name[length] = 0;
    if (!strcmp(name, "help")) return sd_help_verb(v), -1;
    if (!sd_line_option_find(name, &o) || !sd_verb_takes(v, &o)) return unknown_option(v, name);
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
  for (size_t i = 0; sd_verb_at(i); i++) sd_nearest_consider(&nearest, name, sd_verb_at(i)->name);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) sd_nearest_consider(&nearest, name, others[i]);
  return usage_error("unknown verb '%s'; %s 'spindrift --help' lists all", name,
                     sd_nearest_question(&nearest, "", question));
}

static int is_one_of(const char *word, const char *a, const char *b) {
  return !strcmp(word, a) || !strcmp(word, b);
}

/* What runs ensembles is for all ranks, the rest for the first alone. */
static int is_for_all(const sd_verb *v) {
  return v->command == sd_command_run || v->command == sd_command_resume || v->command == sd_command_rerun;
}

/* Processes that know nothing of each other would all do the whole, and write the same files. */
static int is_among_strangers(void) {
  const char *sign;
  char message[256];
  int started = sd_launched(&sign);
  if (started <= (ranks ? ranks->count : 1)) return 0;
  snprintf(message, sizeof message,
           "%d processes that do not reach one another would each do all of it: %s (unset %s if that is meant)",
           started, sd_launch_advice(), sign);
  sd_say(message);
  return 1;
}

static int run_verb(const sd_verb *v, int argc, char **argv) {
  if (is_follower() && !is_for_all(v)) return 0;
  if (is_for_all(v) && is_among_strangers()) return 2;
  sd_request request = {.display = sd_display_defaults()};
  request.files = calloc((size_t)argc + 1, sizeof *request.files);
  if (!request.files || sd_plan_create(&request.plan)) return usage_error("out of memory", "", ""), 1;
  int status = parse(&request, v, argc, argv);
  if (is_follower()) request.display.quiet = 1, request.display.progress = SD_PROGRESS_NEVER;
  if (!status) status = v->command(&request);
  sd_plan_destroy(request.plan);
  free(request.files);
  return status < 0 ? 0 : status;
}

static int command_line(int argc, char **argv) {
  if (argc < 2 || is_one_of(argv[1], "--help", "-h")) return sd_help(), 0;
  if (is_one_of(argv[1], "--version", "-V")) return puts("spindrift " SPINDRIFT_VERSION) < 0;
  int asks = !strcmp(argv[1], "help"); /* also of a verb */
  if (asks && argc == 2) return sd_help(), 0;
  const char *name = argv[1 + asks];
  const sd_verb *v = sd_verb_find(name);
  if (!v) return unknown_verb(name);
  return asks ? (sd_help_verb(v), 0) : run_verb(v, argc - 2, argv + 2);
}

/* Of several processes the first one has the last word, and the exit status; what has gone wrong in another it says. */
static int leave(int status) {
  if (!ranks) return status;
  sd_ranks_leave(ranks, status ? SD_FAILED : SD_OK, *kept ? kept : "it failed");
  return is_follower() ? 0 : status;
}

int sd_cli(int argc, char **argv, sd_ranks *together) {
  ranks = together;
  if (is_follower() && !freopen("/dev/null", "w", stdout)) return 1;
#ifdef SIGXFSZ
  signal(SIGXFSZ, SIG_IGN); /* a file beyond the limit is an error to tell, not one to die of */
#endif
#ifdef SIGPIPE
  signal(SIGPIPE, SIG_IGN); /* nor is a reader that has gone */
#endif
  int status = command_line(argc, argv);
  if (!fflush(stdout) && !ferror(stdout)) return leave(status);
  int done = status == 0 || status == 3 || status == SD_EXIT_DRIFT;
  if (done) sd_say("cannot write to standard output");
  return leave(done ? 1 : status);
}
