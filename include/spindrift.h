/* spindrift.h - ensembles of rigid bodies, integrated by geometric methods, to the same bits on every machine.
 *
 * The whole public API.  Build a plan by setting options by name, as on the command line; run it; read the result.
 * No function prints or exits.  A function that can fail returns sd_status; the plan keeps the message of its
 * first failure, one line that says what was wrong and what was expected.
 *
 * Structs grow: later versions add members at their ends.  One that a user allocates, or that a callback is shown,
 * begins with its `size`, which whoever allocates it sets to its sizeof; the others are only handed out by pointer, and
 * a user never steps from one to the next.
 *
 * Threads: different plans, results and simulations may be used by different threads at the same time, and a result or
 * a simulation may outlive its plan.  One plan, or one simulation, is for one thread at a time; a result that is not
 * being destroyed may be read by many.  Lists of what is built in may be read by all at any time.  Results are written
 * by HDF5, which is not made for threads: the library lets one thread at a time into it.  A program that uses HDF5 by
 * itself, on other threads, needs one that was built to be thread-safe, or must not do so meanwhile. */
#ifndef SPINDRIFT_H
#define SPINDRIFT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* what is declared here is what a shared library exports, and nothing else is */
#endif

#define SPINDRIFT_VERSION "0.3.0"

typedef enum {
#define STATUS(name, number, text) name = number,
#include "spindrift_status.def"
#undef STATUS
} sd_status;

const char *sd_status_text(sd_status status);
int sd_status_has_result(sd_status status); /* whether sd_run hands out a result with it, complete or not */
const char *sd_version(void);

/* ---- what there is ---- */

/* A list is read entry by entry, from 0 on: set the struct's `size` to its sizeof, and the function fills as much of it
 * as it has room for and returns 1, or 0 beyond the last.  Later versions add members at the end.  Texts last as long
 * as the process; what is not there is NULL, but for a DOI, which is "". */

/* A family: what a member of an ensemble is, and what its state is made of. */
typedef struct {
  size_t size;
  const char *id, *title;
  const char *plural;      /* of what it integrates */
  const char *methods;     /* by default, with commas, */
  const char *method_set;  /* and the name of these */
  const char *fit;         /* a `param` with which every method admits the problems; NULL: they do without */
  const char *reference;   /* a method of high order, to hold others against: */
  const char *order_steps; /* steps for a study of convergence, with commas, in units of the problem's own step, */
  double order_time;       /* its time, likewise, */
  double rounding;         /* and the size of errors that are rounding */
  int impulses;            /* whether there may be some */
  const char *units;       /* of the default parameters of its problems; NULL: any that go together */
  int systems;             /* whether a member has many bodies; then the processor alone has kernels for it */
} sd_family_info;
int sd_list_family(size_t index, sd_family_info *family);

/* An array of a state, as results have it: a number, a vector (columns 1), or a matrix by rows. */
typedef struct {
  size_t size;
  const char *id, *name; /* in JSON, in HDF5 */
  const char *units, *text;
  int per_body; /* as many of it as a member has bodies; otherwise one for the member */
  int rows, columns;
} sd_array_info;
int sd_list_array(size_t family, size_t index, sd_array_info *array);

/* Numbers that a member starts with, in the order of sd_plan_set_starts, and the option for their deviation; a count of
 * 0: members deviate in it, but it is no part of a start. */
typedef struct {
  size_t size;
  const char *name, *units, *text;
  int count;
  const char *option;
  double deviation; /* by default, */
  const char *wide; /* and one that spreads the starts widely, for tests */
  int rotation;     /* a unit quaternion: a displacement from one, as covariances have it, is a rotation vector */
} sd_start_info;
int sd_list_start(size_t family, size_t index, sd_start_info *start);

/* What a method may keep, do or want. */
typedef struct {
  size_t size;
  const char *id, *text;
  char letter; /* in tables; 0: it has none */
} sd_trait_info;
int sd_list_trait(size_t index, sd_trait_info *trait);

typedef struct {
  size_t size;
  const char *id, *title, *doi;
  const char *family;
  int order;
  uint64_t traits; /* bit k: it has trait k of the list */
} sd_method_info;
int sd_list_method(size_t index, sd_method_info *method);

typedef struct {
  size_t size;
  const char *id, *title, *doi;
  const char *family;
  double step, time; /* by default */
} sd_problem_info;
int sd_list_problem(size_t index, sd_problem_info *problem);

/* A parameter: `count` numbers, each within its range. */
typedef struct {
  size_t size;
  const char *name, *text;
  int count;
  const double *value; /* by default */
  double low, high;
} sd_parameter_info;
int sd_list_problem_parameter(size_t problem, size_t index, sd_parameter_info *parameter);
int sd_list_method_parameter(size_t method, size_t index, sd_parameter_info *parameter);

/* A variant of the processor's kernels, narrowest first; the last usable one is what `auto` takes. */
typedef struct {
  size_t size;
  const char *name;
  int lanes;  /* members at a time, of most methods */
  int usable; /* by this processor */
} sd_variant_info;
int sd_list_variant(size_t index, sd_variant_info *variant);

typedef enum {
  SD_OPTION_TEXT,
  SD_OPTION_PATH,
  SD_OPTION_POSITIVE,     /* a real */
  SD_OPTION_NOT_NEGATIVE, /* a real */
  SD_OPTION_UNSIGNED,     /* whole numbers: of 64 bits, */
  SD_OPTION_INTEGER,      /* of 63, */
  SD_OPTION_INT,          /* of 31 */
  SD_OPTION_CHOICE,       /* one of some words */
  SD_OPTION_PROBLEM,
  SD_OPTION_METHODS,    /* a list with commas */
  SD_OPTION_PARAMETER,  /* NAME=VALUE[,VALUE,VALUE] */
  SD_OPTION_IMPULSE,    /* t=T,dv=X,Y,Z[,size=S][,angle=A] */
  SD_OPTION_SPREAD,     /* the deviation of a family's starts: a real, not negative */
  SD_OPTION_LIMIT,      /* a time of the run, positive; or with units, as 47h30m, of the clock */
  SD_OPTION_SYSTEM,     /* a text of any length that describes a system, piece by piece */
  SD_OPTION_SOURCE,     /* KIND:ID:TEXT, a text of any length that is a problem or a method, piece by piece */
  SD_OPTION_SWEEP,      /* NAME=LOW:HIGH:COUNT[:log], or none */
  SD_OPTION_SCATTER,    /* NAME=SIGMA, or none */
  SD_OPTION_COLUMNS,    /* names of the numbers that members of a table have, with commas */
  SD_OPTION_STARTS,     /* the path of such a table */
  SD_OPTION_BURN,       /* from=T,for=S,thrust=F[,along=...] */
  SD_OPTION_ELEMENTS,   /* a=A,e=E,i=I,node=N,peri=P,M=M */
  SD_OPTION_COVARIANCE, /* the path of a matrix */
  SD_OPTION_SPREADING,  /* FRAME,NUMBER,... */
  SD_OPTION_EVENT,      /* WHEN[:WHAT] */
  SD_OPTION_VELOCITY,   /* X,Y,Z */
  SD_OPTION_TIMES       /* T,T,... */
} sd_option_kind;

/* What an option is about. */
enum {
  SD_ABOUT_ENSEMBLE = 1, /* what is integrated, */
  SD_ABOUT_SAMPLES = 2,  /* when it is looked at, */
  SD_ABOUT_STATES = 4,   /* whose states are kept: */
  SD_ABOUT_SCIENCE = 7,  /* this is what files say of a plan */
  SD_ABOUT_MACHINE = 8,  /* where it is done */
  SD_ABOUT_OUTPUT = 16,
  SD_ABOUT_CHECKPOINT = 32,
  SD_ABOUT_SAVING = 64, /* how often a checkpoint is saved */
  SD_ABOUT_LENGTH = 128 /* whether a run is made longer than was asked */
};

/* What a list of values means. */
enum {
  SD_NOT_LISTED,
  SD_LISTED_JOINED,   /* with commas, as one value */
  SD_LISTED_REPEATED, /* as if given again and again */
  SD_LISTED_RUNS      /* a run for each, in a study: a plan has one value */
};

/* An option of a plan, as sd_plan_set takes it. */
typedef struct {
  size_t size;
  const char *key, *synonym;
  sd_option_kind kind;
  int about, listed;
  int group;                    /* options of the same one say the same thing, such as time and steps; 0: none does */
  uint64_t low, high, multiple; /* of a whole number; multiple 0: of none */
  const char *words;            /* of a choice, with bars in between */
  const char *value;            /* by default, as it would be given */
  const char *placeholder;      /* of a value, in help */
  char text[160];               /* what it is */
  char otherwise[160];          /* the default, for people; or "" */
} sd_option_info;
int sd_list_option(size_t index, sd_option_info *option);
/* The option of this key or synonym; 0 if there is none. */
int sd_find_option(const char *name, sd_option_info *option);

/* ---- the machine ---- */

/* The threads that a run takes by default, and why: what this process may use, not what the machine has. */
typedef struct {
  size_t size;
  int threads;
  char why[128];
} sd_processor_info;
void sd_processor(sd_processor_info *processor);

/* A device of the CUDA backend; its text says what it is in one line. */
typedef struct {
  size_t size;
  char text[160];
} sd_device;

/* Fills the first `room` devices and returns how many there are; when there is none, `why` says what is missing.  The
 * first one's size is that of all. */
size_t sd_devices(sd_device *devices, size_t room, char why[256]);

/* Fused multiply-adds per second, in double precision: measured, of a variant's lanes on so many threads at once, which
 * takes a few hundredths of a second, and the most of several tries is nearest to what the units can do; of a device,
 * by its kind and its highest clock.  NaN where it is not known. */
double sd_peak(const char *variant, int threads);
double sd_device_peak(int device);

/* ---- plan ---- */

typedef struct sd_plan sd_plan;
sd_status sd_plan_create(sd_plan **plan);
void sd_plan_destroy(sd_plan *plan);

/* Keys and values as on the command line, without the dashes: what `spindrift run --help` lists, but for what is only
 * about showing a run.  `bodies` is another name of `members`, `first-body` of `first-member`; within one source they
 * must agree.  `param`, `impulse`, `burn`, `at-event`, `sweep` and `spread` may be given again and again (`none` takes
 * all of the last two back).  A `checkpoint` is saved every so often and at an interruption; one that is there is gone
 * on from; no two runs may use it at once.  `max-time` is two options: a number is how long `until-decided` may make
 * the run, and with units, as 47h30m, the time after which sd_run ends with SD_INTERRUPTED. Numbers have a point,
 * whatever the locale.  Whole numbers count to the last digit: decimal (010 is ten), also as 1e6, or hexadecimal after
 * 0x.  -0 is 0.  A value that is refused leaves the plan as it was. */
sd_status sd_plan_set(sd_plan *plan, const char *key, const char *value);

/* What a run of the plan has for a key, as sd_plan_set would take it, with as many digits as give the same bits back:
 * what was given or the default; "" for what is neither.  `param` and `impulse` have a line for each.  The text lasts
 * until the plan is next asked, or destroyed.  Fails where the plan cannot be run. */
sd_status sd_plan_get(sd_plan *plan, const char *key, const char **value);
sd_status sd_plan_copy(const sd_plan *plan, sd_plan **copy); /* with the same settings, starts and functions */
/* What is set from here on comes from a later source, as a command line does after a file.  A key that is set again has
 * its last value in any case.  But `time` and `steps` say one thing, the length, and all `impulse` are one list: within
 * one source time and steps must agree and impulses add up; the first of a later source replaces all of earlier ones.
 */
void sd_plan_next_source(sd_plan *plan);

/* Starts of their own for the members first .. first + count - 1, of `width` numbers each, one after the other: for a
 * rigid body attitude as a quaternion (w, x, y, z) and angular velocity in the body frame (7), for a point mass
 * position and momentum (6).  Whether they are what the problem's family starts with is seen when the plan is run. */
sd_status sd_plan_set_starts(sd_plan *plan, size_t first, size_t count, const double *numbers, size_t width);

/* Starts and parameters of their own for members first .. first + count - 1, in rows of `width` numbers: what each is,
 * `columns` says, with commas: parameters, J.2 for a component, NaN where the member has what the others have; and, if
 * all of them are there, the numbers of a start by the names of the family's arrays (sd_list_start), as position.1.
 * Rows are given in the order of the members, with the same columns every time. */
sd_status sd_plan_set_members(sd_plan *plan, const char *columns, size_t first, size_t count, const double *numbers,
                              size_t width);

/* One member of the plan's ensemble alone, by its number there: the same start, the same bits. */
sd_status sd_plan_single_out(sd_plan *plan, const char *member);

/* Whether parameters and deviations that neither the problem nor a method has are no error, as they are otherwise: of a
 * plan that runs the methods of another, one by one. */
void sd_plan_allow_spare(sd_plan *plan, int allowed);

/* Whether the JSON of its results has E - E0 of the ensemble over time. */
void sd_plan_with_series(sd_plan *plan, int wanted);

/* Can it be run?  Looks at all settings together, and finds what was not given; sd_run and sd_plan_get do so, too. */
sd_status sd_plan_resolve(sd_plan *plan);

/* The methods of a resolved plan: `id` is then a composition's own, such as vlv@4, and so is the order; it lasts until
 * the plan is resolved again. */
int sd_plan_method(const sd_plan *plan, size_t index, sd_method_info *method);
const char *sd_plan_skipped(const sd_plan *plan); /* of `all`, those that its problem does not admit, with commas */

/* Bytes that a run of it takes for members, samples and states on the host, about; 0 where it cannot be run. */
double sd_plan_memory(sd_plan *plan);
/* What would run it, and of systems how, in words, as the JSON of its result has it at `backend.devices`. */
sd_status sd_plan_machine(sd_plan *plan, char words[160]);

/* Of a plan whose problem is from a file of one's own: holds the functions that it gives against one another, by
 * differences, at places all over, and prints a line for each, up to the first that is wrong, which says by how much
 * and where; `wrong` is whether there is one. */
sd_status sd_plan_probe(sd_plan *plan, FILE *to, size_t *wrong, char message[512]);

const char *sd_plan_message(const sd_plan *plan); /* the message of the plan's last failure, or "" */

/* How far a run is. */
typedef struct {
  size_t size;
  const char *method;
  double done; /* of all the methods' work, 0 to 1 */
  double body_steps, body_steps_total;
  double body_steps_per_second; /* of this method, so far */
  double worst_error;           /* largest |E - E0| at its last sample */
  size_t failed;                /* bodies, until then */
  const char *trouble;          /* why the checkpoint could not be saved when that was last tried; NULL: it could */
  double time;                  /* the run's length, which `until-decided` may have made greater than the plan's */
  /* Systems whose lanes are bodies, or on a device: how often neighbours were looked for, of one member's, and their
   * share of the method's time, which a device does not tell: 0.  0 for others. */
  double neighbour_rebuilds, neighbour_share;
} sd_report;

/* Called between chunks of work; a nonzero return ends the run with SD_INTERRUPTED and the methods done so far.  At the
 * last step of a method, that one is done, too; of the last method, so is the run. */
typedef int (*sd_progress)(void *data, const sd_report *report);
void sd_plan_on_progress(sd_plan *plan, sd_progress progress, void *data);

/* What may be asked of runs while they go on, by another thread or by a signal handler.  All zeros ask for nothing;
 * beyond that only the functions below touch it, which are lock-free. */
typedef struct {
  int stop, save;
} sd_control;

/* Ends runs as a nonzero return of the progress function does, without a checkpoint also in the middle of a chunk. */
void sd_control_stop(sd_control *control);
/* Has the checkpoint saved at the end of the chunk; the run goes on. */
void sd_control_save(sd_control *control);
int sd_control_stopped(const sd_control *control);

/* Runs of the plan heed this one, which must live as long. */
void sd_plan_control(sd_plan *plan, sd_control *control);

/* Called when a checkpoint that was asked for has been saved at `path`, or with NULL where the plan has none. */
typedef void (*sd_saved)(void *data, const char *path);
void sd_plan_on_saved(sd_plan *plan, sd_saved saved, void *data);

/* ---- plans from files, and files of plans ---- */

/* After a failure the message says what was wrong, and there is nothing to destroy. */

/* The plans that repeat the runs of a result file (of an incomplete run: the methods that were done). */
sd_status sd_plans_repeat(const char *path, sd_plan ***plans, size_t *count, char message[512]);
/* The plans of a checkpoint's runs, which go on from it: of a study all, by the checkpoint of any of them or by the
 * name that theirs are made from. */
sd_status sd_plans_resume(const char *path, sd_plan ***plans, size_t *count, char message[512]);
void sd_plans_destroy(sd_plan **plans, size_t count); /* the plans and their list */

/* What such a plan's file says: the digest that its result had, the output that its run was begun with; or "". */
const char *sd_plan_digest(const sd_plan *plan);
const char *sd_plan_begun_with(const sd_plan *plan);

/* What plans are about to write, looked at before the first of them is run, one after the other: names that are not
 * taken twice, files that may be replaced.  A `max-time` of the clock counts from here on, for all of them together.
 * Several plans with a checkpoint have one each, FILE.1, FILE.2, ..., and each of these knows of all.  The output of
 * the first is locked until the claim is released, after which the plans are not to be run; their list must last until
 * then.  `input` is the file that the plans come from, or NULL. */
typedef struct sd_claim sd_claim;
sd_status sd_claim_files(sd_plan *const *plans, size_t count, const char *input, sd_claim **claim, char message[512]);
void sd_claim_release(sd_claim *claim);

/* What a result file or a checkpoint holds, for people. */
sd_status sd_file_describe(const char *path, FILE *to, char message[512]);
/* The same, and of a checkpoint the whole plan and the blocks that it is made of. */
sd_status sd_file_describe_all(const char *path, FILE *to, char message[512]);
/* The code that it has in it, problems and methods of somebody's own, as it is. */
sd_status sd_file_sources(const char *path, FILE *to, char message[512]);
sd_status sd_file_verify(const char *path, char message[512]); /* is every byte of it as it was written? */

/* ---- result ---- */

typedef enum { SD_UNDECIDED, SD_BOUNDED, SD_DRIFTS_UP, SD_DRIFTS_DOWN } sd_verdict;

/* Why, in a word. */
typedef enum {
  SD_NO_REASON,
  SD_STEADY,         /* drifts: every window of the run has the slope's sign, */
  SD_AVERAGES_OUT,   /* or an oscillation beside it averages out as fast as one does, */
  SD_MEMBERS_AGREE,  /* or the members do, which oscillate each for itself */
  SD_ROUNDING,       /* bounded: the energy is kept as well as it can be written, */
  SD_EXCLUDED,       /* or a change that would matter is excluded */
  SD_FEW_SAMPLES,    /* undecided, as all that follow */
  SD_MEMBERS_FAILED, /* too many for the others to speak for the method */
  SD_SAMPLES_BEAT,   /* with the oscillation: between the samples it looks otherwise */
  SD_LEFT_START,     /* the energy went away from where it started, and stays away */
  SD_LEFT_RANGE,     /* at an end of the run it is far from all that it was in between */
  SD_MEMBERS_WANDER, /* each its own way */
  SD_MEMBERS_DIFFER, /* more of them would decide */
  SD_SHORT,          /* a longer run would */
  SD_SAMPLES_SCARCE, /* more samples would: between them the energy is not seen */
  SD_NO_LENGTH,      /* none is in sight that would */
  SD_POINTS_AGREE,   /* of a sweep: the points have one verdict, which is this one, */
  SD_POINTS_DIFFER,  /* or not; then it is undecided */
  SD_REASONS
} sd_reason;

/* Statistics of one method.  Those that need two members are NaN for one. */
typedef struct {
  char method[32];
  const char *problem;
  double step, time;
  size_t members, failed;
  sd_verdict verdict;
  sd_reason reason;
  char because[96]; /* the reason in words, with its numbers */
  double seconds, ns_per_body_step;
  char digest[33]; /* over every scientific number of every member under this method */
#define STATISTIC(member, place, units, description, reduction) double member; /* its line says what it is */
#include "spindrift_statistics.def"
} sd_summary;

enum { /* how many quantiles a sample has; spindrift_statistics.def has their levels */
       SD_QUANTILES = 0
#define QUANTILE(level, name) +1
#include "spindrift_statistics.def"
};

/* E - E0 of the ensemble at one sample, over the members that have not failed. */
typedef struct {
#define SAMPLE_WHOLE(member, name, units, description) size_t member;
#define SAMPLE_REAL(member, name, units, description) double member;
#define SAMPLE_QUANTILES(member, name, units, description) double member[SD_QUANTILES];
#include "spindrift_statistics.def"
} sd_sample;

/* Numbers that a result keeps, as long as it lives: number i, j, ... is data[i * stride[0] + j * stride[1] + ...]. */
typedef struct {
  size_t size;
  const double *data; /* NULL where the numbers are whole */
  int rank;
  size_t shape[4], stride[4]; /* strides in numbers */
  const char *id, *name, *units, *text;
  const size_t *whole;        /* the numbers, where they are whole, */
  const unsigned char *small; /* or whole and less than 256 */
} sd_view;

/* The statistics that a summary has, of a problem of this family, and the quantities of a sample: lists as above. */
typedef struct {
  size_t size;
  const char *name; /* here and in HDF5 */
  const char *units, *text;
  char place[64]; /* in the JSON: `a.b` is b in the object a, a number is a place in a list */
} sd_statistic_info;
int sd_list_statistic(size_t family, size_t index, sd_statistic_info *statistic);

typedef struct {
  size_t size;
  const char *name, *dataset; /* here, and in HDF5 */
  const char *units, *text;
  int whole;           /* whole numbers, in place of reals */
  size_t count;        /* numbers of a sample: 1, or as many as there are quantiles, */
  const double *level; /* whose levels these are; or NULL */
} sd_quantity_info;
int sd_list_quantity(size_t index, sd_quantity_info *quantity);

typedef struct sd_result sd_result;

/* Validates the plan and integrates.  SD_BODIES_FAILED comes with a complete result, and so does SD_NOT_SAVED (a
 * checkpoint that cannot be saved does not end a run; it is tried again when it is next due, and this was the last
 * time); SD_INTERRUPTED with one of the methods that were done by then; other failures come without. */
sd_status sd_run(sd_plan *plan, sd_result **result);
void sd_result_destroy(sd_result *result);
size_t sd_result_count(const sd_result *result); /* one per method */
int sd_result_complete(const sd_result *result);
const char *sd_result_family(const sd_result *result); /* of its problem */
/* What was run: a line "key value" for each setting, as sd_plan_set takes it; a text for sd_free. */
sd_status sd_result_plan(const sd_result *result, char **text);
const sd_summary *sd_result_summary(const sd_result *result, size_t index);
/* A statistic by its name. */
sd_status sd_result_statistic(const sd_result *result, size_t method, const char *name, double *value);
/* E - E0 of the ensemble over time: how many samples a method has, and each of them, */
size_t sd_result_sample_count(const sd_result *result, size_t method);
const sd_sample *sd_result_sample(const sd_result *result, size_t method, size_t index);
/* or a quantity of all of them, by its name: samples; of `quantile` samples, then levels.  Of systems also what the
 * ledger has: `translation`, `bending`, ..., means over the members. */
sd_status sd_result_series(const sd_result *result, size_t method, const char *quantity, sd_view *view);
/* Those quantities by index, and after them what the family's members have an account of, such as energies by kind. */
size_t sd_result_series_count(const sd_result *result);
sd_status sd_result_series_at(const sd_result *result, size_t method, size_t index, sd_view *view);
/* Of a sweep: how many points it has, 0 for other runs, which have no series in turn; the grids, a list as above; the
 * value of one at a place; and of all points, by name, a statistic or `failed`, `verdict`, `reason`: an axis for each
 * grid. */
typedef struct {
  size_t size;
  const char *name;
  double low, high;
  size_t count;
  int equal_factors; /* from value to value, in place of equal distances */
} sd_axis_info;
size_t sd_result_points(const sd_result *result);
int sd_result_axis(const sd_result *result, size_t index, sd_axis_info *axis);
double sd_result_axis_value(const sd_result *result, size_t axis, size_t place);
sd_status sd_result_point(const sd_result *result, size_t method, const char *name, sd_view *view);
/* Of a run with `table`, what came of every member: columns, the first of which is the status; none for other runs.
 * Each has an axis for the members, of a sweep one for each grid before it. */
size_t sd_result_columns(const sd_result *result);
sd_status sd_result_column(const sd_result *result, size_t method, size_t index, sd_view *view);
/* Of a run with events `count`, `unbound`, `closest`, `time`, `distance`, `state` of the logs of all members
 * (docs/orbits.md); of one that was given times (`at`), in their order, `time`, `members`, `state_mean`,
 * `state_covariance`. */
sd_status sd_result_events(const sd_result *result, size_t method, const char *name, sd_view *view);
sd_status sd_result_at(const sd_result *result, size_t method, const char *name, sd_view *view);
/* States are arrays of the family's, such as Q and W of a rigid body or q and p of a point mass, and last the energy
 * error E - E0; by index, up to this count. */
size_t sd_result_array_count(const sd_result *result);
/* Of the first members at the end of the run (`final`): members, then the array's own rows and columns. */
size_t sd_result_final_count(const sd_result *result);
sd_status sd_result_final(const sd_result *result, size_t index, size_t array, sd_view *view);
/* "ok", or why it was frozen. */
const char *sd_result_final_status(const sd_result *result, size_t index, size_t member);
/* The same of all of them, as small numbers, and what such a number says; NULL beyond the last. */
sd_status sd_result_final_statuses(const sd_result *result, size_t index, sd_view *view);
const char *sd_list_member_status(size_t number);
/* Of the first members at every sample (`trajectories`): samples, members, then the array's own rows and columns. */
size_t sd_result_trajectory_count(const sd_result *result); /* members */
size_t sd_result_trajectory_samples(const sd_result *result);
sd_status sd_result_trajectory(const sd_result *result, size_t index, size_t array, sd_view *view);
double sd_result_trajectory_time(const sd_result *result, size_t sample);
/* Kepler's elements of one of these states: a, e, i, node, pericentre, mean anomaly, angles in degrees.  0 where there
 * is no such state, or the family's states have none. */
int sd_result_elements(const sd_result *result, size_t index, size_t sample, size_t member, double elements[6]);
/* Sixteen bytes in hexadecimal over every scientific number of every body: equal on every machine. */
const char *sd_result_digest(const sd_result *result);
/* The digest of several: the first, joined with the others in their order. */
void sd_digest_join(char digest[33], const char *next);
const char *sd_verdict_text(sd_verdict verdict);
const char *sd_result_note(const sd_result *result); /* of how the run went on, such as from which checkpoint; or "" */
/* Why it was done where it was: what `auto` found, or which device failed; or "". */
const char *sd_result_why(const sd_result *result);
/* Why the checkpoint could not be saved when that was last tried, or "". */
const char *sd_result_trouble(const sd_result *result);

/* ---- results as documents and files ---- */

/* In what follows a message tells of a failure, or is "". */

sd_status sd_result_write_table(const sd_result *result, FILE *to); /* a table for people */
/* One JSON document.  `plans` has the plan of every run, and each of the `results` the index there as its `run`; of one
 * run `plan` is that plan, of several the same list; `digest` covers all.  To a stream; to a file, which is replaced,
 * whole or not at all; or as a text with a zero at its end, which is not counted. */
sd_status sd_result_write_json(const sd_result *result, FILE *to);
sd_status sd_results_write_json(const sd_result *const *results, size_t count, FILE *to);
/* With the title of a study before all else, which is in no digest. */
sd_status sd_results_write_titled_json(const char *title, const sd_result *const *results, size_t count, FILE *to);
sd_status sd_results_save_json(const sd_result *const *results, size_t count, const char *path, char message[512]);
sd_status sd_results_json(const sd_result *const *results, size_t count, char **text, size_t *size);
/* An HDF5 file of one or several runs, whole or not at all.  A result that is there stays as PATH.previous; a file that
 * is not a result is not replaced (SD_BAD_INPUT); an incomplete result goes to PATH.incomplete if a complete one is at
 * PATH.  With SD_OK, the message says where the result went if not to PATH. */
sd_status sd_results_save(const sd_result *const *results, size_t count, const char *path, char message[512]);
/* The bytes that such a file would have. */
sd_status sd_results_hdf5(const sd_result *const *results, size_t count, void **bytes, size_t *size, char message[512]);
void sd_free(void *memory); /* texts and bytes of these functions, and only those */

/* The results that a file of sd_results_save holds, every number with the bits that it had, to be destroyed one by one
 * and their list with sd_free.  Not in the file, and so not in them: what sd_result_note and sd_result_trouble say. */
sd_status sd_results_read(const char *path, sd_result ***results, size_t *count, char message[512]);

/* The states of one member under one method, at the samples of its trajectory or, where it has none, at the end, for
 * other programs: "xyz", extended XYZ in NAME.xyz; "vtk", VTK's PolyData in NAME-000000.vtp, ..., and their list in
 * NAME.pvd.  NAME is the path without the ending of either, or of a result.  NULL: the first method, the first member,
 * which otherwise is a number in the ensemble.  With SD_OK, the message says what was written. */
sd_status sd_result_export(const sd_result *result, const char *method, const char *member, const char *format,
                           const char *path, char message[512]);

/* ---- a run in steps of one's own ---- */

/* One method of a plan, advanced as far as one likes, looked at, advanced further.  It heeds the plan's control and
 * progress function between chunks of work, and can be gone on with after SD_INTERRUPTED.  It has no checkpoint. */
typedef struct sd_simulation sd_simulation;

/* By the method's name; NULL: the plan's first.  The plan has the message of a failure here, later the simulation. */
sd_status sd_simulation_create(sd_plan *plan, const char *method, sd_simulation **simulation);
void sd_simulation_destroy(sd_simulation *simulation);
const char *sd_simulation_message(const sd_simulation *simulation);

/* By so many steps, or to a time that is a whole number of them; not beyond the plan's end. */
sd_status sd_simulation_advance(sd_simulation *simulation, int64_t steps);
sd_status sd_simulation_advance_to(sd_simulation *simulation, double time);
int64_t sd_simulation_step(const sd_simulation *simulation); /* steps that are done */
double sd_simulation_time(const sd_simulation *simulation);

/* Takes the states of the first members, or of all if there are not so many, as they are now.  The views, one for each
 * array of the family and the energy error, show them until it looks again. */
sd_status sd_simulation_look(sd_simulation *simulation, size_t members);
size_t sd_simulation_members(const sd_simulation *simulation); /* that were looked at */
sd_status sd_simulation_states(const sd_simulation *simulation, size_t array, sd_view *view);
const char *sd_simulation_status(const sd_simulation *simulation, size_t member); /* "ok", or why it was frozen */

/* Goes to the end and gives the result, which is that of sd_run of a plan with this method alone, to the same digest;
 * SD_BODIES_FAILED comes with one, too.  After that the simulation can be looked at and destroyed. */
sd_status sd_simulation_finish(sd_simulation *simulation, sd_result **result);
#include "spindrift_parts.h"
#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
