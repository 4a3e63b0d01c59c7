#include "cli.h"

#include "commands.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const char *name;
  int (*command)(const sd_request *);
  const char *summary, *usage;
  const char *options; /* the options it takes, each between spaces */
} verb;

#define MACHINE " backend threads isa devices block device-memory fallback "
#define PLAN                                                                                                         \
  " problem param method bodies sigma-attitude sigma-velocity sigma-position sigma-momentum impulse seed step time " \
  "steps every first-body " MACHINE "json quiet "

static const verb verbs[] = {
    {"run", sd_command_run, "integrate an ensemble with one or several methods and compare them",
     "spindrift run --problem stress --method eln,vlv --bodies 1024 --step 0.125 --time 10000\n"
     "example: spindrift run studies/drift.toml --seed 2",
     PLAN "final trajectories series progress output checkpoint checkpoint-every "},
    {"resume", sd_command_resume, "go on from a checkpoint", "spindrift resume run.ckpt --output run.h5",
     MACHINE "json quiet series progress output checkpoint-every "},
    {"rerun", sd_command_rerun, "repeat a run from its result file and compare the digests",
     "spindrift rerun run.h5\nexample: spindrift rerun run.h5 --body 4711 --trajectory --json",
     MACHINE "json quiet series progress output body trajectory every "},
    {"info", sd_command_info, "show what a result file or a checkpoint holds", "spindrift info run.h5", " "},
    {"verify", sd_command_verify, "check that every byte of a file is as it was written", "spindrift verify run.h5",
     " quiet "},
    {"order", sd_command_order, "measure the order of convergence of methods on a problem",
     "spindrift order --problem stress --method vlv,vlv@4 --time 5 --step 0.25,0.125,0.0625", PLAN},
    {"methods", sd_command_methods, "list the methods: order, traits, citation", "spindrift methods --json", " json "},
    {"problems", sd_command_problems, "list the problems: parameters, defaults, ranges", "spindrift problems",
     " json "},
    {"bench", sd_command_bench, "measure variants of the processor and CUDA devices on the same bodies",
     "spindrift bench --problem stress --method eln,vlv --bodies 4096 --steps 1000 --isa all\n"
     "example: spindrift bench --backend cpu,cuda --bodies 1e6",
     PLAN "rounds "},
    {"devices", sd_command_devices, "show the processor's variants, the CUDA devices and what auto chooses",
     "spindrift devices", " json "},
    {"selftest", sd_command_selftest, "check that every variant and device gives the same bits", "spindrift selftest",
     " json "},
};

static const struct {
  const char *name, *value, *text;
} options[] = {
    {"problem", "ID", "what to integrate; see 'spindrift problems' (stress); bench: a list ID,ID,..."},
    {"param", "NAME=V[,V,V]", "a parameter of the problem or a method; repeatable"},
    {"method", "ID[,ID...]", "methods; also 'all', 'seed1', and compositions such as vlv@4 (seed1; orbits: all)"},
    {"bodies", "N", "size of the ensemble (1024)"},
    {"sigma-attitude", "X", "spread of the starts: attitude, radians (0.01); body 0 is not perturbed"},
    {"sigma-velocity", "X", "spread of the starts: angular velocity (0.01)"},
    {"sigma-position", "X", "the same for orbits: position (1)"},
    {"sigma-momentum", "X", "and momentum (0.001)"},
    {"impulse", "t=T,dv=X,Y,Z",
     "orbits: a change of velocity at a time, with errors ,size=S (relative) ,angle=A; repeatable"},
    {"seed", "S", "64-bit seed, decimal or 0x... (1)"},
    {"step", "H", "time step (the problem's default); order: a list H,H,..."},
    {"time", "T", "length of the run, a whole number of steps (the problem's default)"},
    {"steps", "N", "length of the run in steps, in place of --time"},
    {"every", "K", "sample energy and invariants at t=0 and every K steps (about 1000 samples)"},
    {"backend", "NAME", "auto, cpu or cuda (auto: cuda where a device is found); bench: a list (auto: both)"},
    {"devices", "N[,N...]",
     "cuda: the devices that share the ensemble (all; see 'spindrift devices'); bench: one by one"},
    {"block", "N", "cuda: threads in a block (128)"},
    {"device-memory", "MIB", "cuda: use at most this much of each device (what is free)"},
    {"fallback", "NAME", "none, or cpu: a method that a device failed is run again by the processor (none)"},
    {"threads", "N", "threads (one for each processor that may be used; see 'spindrift devices')"},
    {"isa", "NAME", "auto, portable, scalar, avx2, avx512 (auto: the widest that runs here); bench: a list, or all"},
    {"rounds", "N", "how often each is measured, after once that does not count; the median is shown (5)"},
    {"final", "K", "put the final state of the first K bodies into the JSON"},
    {"trajectories", "K", "put the first K bodies' states at every sample into the JSON"},
    {"series", NULL, "put E-E0 of the ensemble over time into the JSON: mean, deviation, quantiles"},
    {"output", "FILE.h5", "write plan, statistics, series, states and trajectories to an HDF5 file"},
    {"checkpoint", "FILE", "save the run there now and then, and go on from it if it is there"},
    {"checkpoint-every", "SECONDS", "how often (60)"},
    {"first-body", "I", "the run's body 0 is body I of the ensemble (0)"},
    {"body", "I", "this body alone"},
    {"trajectory", NULL, "with its states at every sample, in the JSON and the output file"},
    {"progress", "WHEN", "auto, always or never (auto: on a terminal)"},
    {"json", NULL, "print one JSON document and nothing else"},
    {"quiet", NULL, "no notes on stderr"},
};

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

static int takes(const verb *v, const char *option) {
  char spaced[48];
  snprintf(spaced, sizeof spaced, " %.40s ", option);
  return strstr(v->options, spaced) != NULL;
}

static int help(void) {
  printf("spindrift %s - does this integrator keep the energy, or does it only seem to?\n\n"
         "usage: spindrift VERB [options]      spindrift VERB --help shows the options of one\n\n",
         SPINDRIFT_VERSION);
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) printf("  %-10s %s\n", verbs[i].name, verbs[i].summary);
  printf("\nexample: spindrift run --method eln,vlv --bodies 1024\n");
  return 0;
}

static int help_verb(const verb *v) {
  printf("spindrift %s%s - %s\n\n", v->name, v->command == sd_command_run ? " [STUDY.toml]" : "", v->summary);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    char left[48];
    if (!takes(v, options[i].name)) continue;
    snprintf(left, sizeof left, "--%s %s", options[i].name, options[i].value ? options[i].value : "");
    printf("  %-24s %s\n", left, options[i].text);
  }
  printf("\nMemory: at most 272 bytes per body, whatever the length of the run.\nexample: %s\n", v->usage);
  return 0;
}

static int usage_error(const char *format, const char *a, const char *b) {
  char message[512];
  snprintf(message, sizeof message, format, a, b);
  sd_say(message);
  return 2;
}

static int unknown_option(const verb *v, const char *name) {
  sd_nearest nearest = {0};
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    if (takes(v, options[i].name)) sd_nearest_consider(&nearest, name, options[i].name);
  char message[256];
  snprintf(message, sizeof message, "unknown option '--%s' for %s; did you mean '--%s'?", name, v->name, nearest.name);
  sd_say(message);
  return 2;
}

/* Options that are not part of the plan; returns whether it was one. */
static int own_option(sd_request *r, const verb *v, const char *name, const char *value) {
  if (!strcmp(name, "step") && v->command == sd_command_order) r->steps = value;
  else if (!strcmp(name, "backend") && v->command == sd_command_bench) r->backends = value;
  else if (!strcmp(name, "isa") && v->command == sd_command_bench) r->variants = value;
  else if (!strcmp(name, "devices") && v->command == sd_command_bench) r->devices = value;
  else if (!strcmp(name, "problem") && v->command == sd_command_bench) r->problems = value;
  else if (!strcmp(name, "rounds")) r->rounds = value;
  else if (!strcmp(name, "body")) r->body = value;
  else return 0;
  return 1;
}

static int takes_file(const verb *v) {
  return v->command == sd_command_run || v->command == sd_command_resume || v->command == sd_command_rerun ||
         v->command == sd_command_info || v->command == sd_command_verify;
}

static int parse(sd_request *r, const verb *v, int argc, char **argv) {
  for (int i = 0; i < argc; i++) {
    if (takes_file(v) && !r->file && argv[i][0] != '-') {
      r->file = argv[i];
      continue;
    }
    if (strncmp(argv[i], "--", 2) || !argv[i][2])
      return usage_error("unexpected argument '%s'; options begin with --", argv[i], "");
    char name[48];
    const char *equals = strchr(argv[i], '='), *value = NULL;
    size_t length = equals ? (size_t)(equals - argv[i]) - 2 : strlen(argv[i]) - 2;
    if (length >= sizeof name) return usage_error("unknown option '%.60s'", argv[i], "");
    memcpy(name, argv[i] + 2, length);
    name[length] = 0;
    if (!strcmp(name, "help")) return help_verb(v), -1;
    if (!takes(v, name)) return unknown_option(v, name);
    if (!strcmp(name, "json")) r->json = 1;
    else if (!strcmp(name, "quiet")) r->quiet = 1;
    else if (!strcmp(name, "series")) r->series = 1;
    else if (!strcmp(name, "trajectory")) r->trajectory = 1;
    if (!strcmp(name, "json") || !strcmp(name, "quiet") || !strcmp(name, "series") || !strcmp(name, "trajectory")) {
      if (equals) return usage_error("option --%s takes no value", name, "");
      continue;
    }
    value = equals ? equals + 1 : i + 1 < argc ? argv[++i] : NULL;
    if (!value) return usage_error("option --%s needs a value", name, "");
    if (!strcmp(name, "progress")) {
      r->progress = !strcmp(value, "always") ? 1 : !strcmp(value, "never") ? -1 : 0;
      if (!r->progress && strcmp(value, "auto"))
        return usage_error("progress: '%s' should be auto, always or never", value, "");
    } else if (!own_option(r, v, name, value)) {
      sd_status status = sd_plan_set(r->plan, name, value);
      if (status) return sd_complain(r->plan, status);
      if (r->setting_count == SD_OPTIONS_MAX) return usage_error("too many options, from '%s' on", argv[i], "");
      for (size_t k = 0; k < sizeof options / sizeof *options; k++)
        if (!strcmp(options[k].name, name)) r->setting[r->setting_count].key = options[k].name;
      r->setting[r->setting_count++].value = value;
    }
  }
  return 0;
}

static const verb *find_verb(const char *name) {
  sd_nearest nearest = {0};
  for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++) {
    if (!strcmp(name, verbs[i].name)) return &verbs[i];
    sd_nearest_consider(&nearest, name, verbs[i].name);
  }
  usage_error("unknown verb '%s'; did you mean '%s'? 'spindrift --help' lists all", name, nearest.name);
  return NULL;
}

static int command_line(int argc, char **argv) {
  if (argc < 2) return help();
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) return help();
  if (!strcmp(argv[1], "--version")) return puts("spindrift " SPINDRIFT_VERSION) < 0;
  const verb *v = find_verb(argv[1]);
  if (!v) return 2;
  sd_request request = {0};
  if (sd_plan_create(&request.plan)) return usage_error("out of memory", "", ""), 1;
  int status = parse(&request, v, argc - 2, argv + 2);
  if (!status) status = v->command(&request);
  sd_plan_destroy(request.plan);
  return status < 0 ? 0 : status;
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
  if (status == 0 || status == 3) sd_say("cannot write to standard output");
  return status == 0 || status == 3 ? 1 : status;
}
