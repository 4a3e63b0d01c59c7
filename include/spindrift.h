/* spindrift.h - ensembles of rigid bodies, integrated by geometric methods, to the same bits on every machine.
 *
 * The whole public API.  Build a plan by setting options by name, as on the command line; run it; read the result.
 * No function prints or exits.  A function that can fail returns sd_status; the plan keeps the message of its
 * first failure, one line that says what was wrong and what was expected. */
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

#define SPINDRIFT_VERSION "0.2.0"

typedef enum {
#define STATUS(name, number, text) name = number,
#include "spindrift_status.def"
#undef STATUS
} sd_status;

const char *sd_status_text(sd_status status);
const char *sd_version(void);

/* ---- plan ---- */

typedef struct sd_plan sd_plan;

sd_status sd_plan_create(sd_plan **plan);
void sd_plan_destroy(sd_plan *plan);

/* Keys and values as on the command line, without the dashes: what `spindrift run --help` lists, but for what is only
 * about showing a run.  `bodies` is another name of `members`, `first-body` of `first-member`; within one source they
 * must agree.  `param` and `impulse` may be given again and again.  A `checkpoint` is saved every so often and at an
 * interruption; one that is there is gone on from; no two runs may use it at once.
 * Numbers have a point, whatever the locale.  Whole numbers count to the last digit: decimal (010 is ten), also as 1e6,
 * or hexadecimal after 0x.  -0 is 0.  A value that is refused leaves the plan as it was. */
sd_status sd_plan_set(sd_plan *plan, const char *key, const char *value);

/* What is set from here on comes from a later source, as a command line does after a file.  A key that is set again has
 * its last value in any case.  But `time` and `steps` say one thing, the length, and all `impulse` are one list: within
 * one source time and steps must agree and impulses add up; the first of a later source replaces what earlier ones
 * gave. */
void sd_plan_next_source(sd_plan *plan);

/* Starts of their own for the members first .. first + count - 1, of `width` numbers each, one after the other: for a
 * rigid body attitude as a quaternion (w, x, y, z) and angular velocity in the body frame (7), for a point mass
 * position and momentum (6).  Whether they are what the problem's family starts with is looked at when the plan is run.
 */
sd_status sd_plan_set_starts(sd_plan *plan, size_t first, size_t count, const double *numbers, size_t width);

/* The message of the plan's last failure, or "". */
const char *sd_plan_message(const sd_plan *plan);

/* How far a run is. */
typedef struct {
  const char *method;
  double done; /* of all the methods' work, 0 to 1 */
  double body_steps, body_steps_total;
  double body_steps_per_second; /* of this method, so far */
  double worst_error;           /* largest |E - E0| at its last sample */
  size_t failed;                /* bodies, until then */
  const char *trouble;          /* why the checkpoint could not be saved when that was last tried; NULL: it could */
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

/* ---- devices ---- */

/* A device of the CUDA backend; its text says what it is in one line. */
typedef struct {
  char text[160];
} sd_device;

/* Fills the first `room` devices and returns how many there are; when there is none, `why` says what is missing. */
size_t sd_devices(sd_device *devices, size_t room, char why[256]);

/* ---- result ---- */

typedef enum { SD_UNDECIDED, SD_BOUNDED, SD_DRIFTS_UP, SD_DRIFTS_DOWN } sd_verdict;

/* What users read of a result are pointers into it: they never allocate these structs, nor step from one to the next.
 * Members are only ever added at the end. */

/* Statistics of one method.  Those that need two members are NaN for one. */
typedef struct {
  char method[32];
  const char *problem;
  double step, time;
  size_t members, failed;
  sd_verdict verdict;
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

/* Numbers that a result keeps, as long as it lives: number i, j, ... of the array is data[i * stride[0] + j * stride[1]
 * + ...]. Set `size` to sizeof(sd_view) before it is filled. */
typedef struct {
  size_t size;
  const double *data;
  int rank;
  size_t shape[4], stride[4]; /* strides in numbers */
  const char *id, *name, *units, *text;
} sd_view;

typedef struct sd_result sd_result;

/* Validates the plan and integrates.  SD_BODIES_FAILED comes with a complete result, and so does SD_NOT_SAVED (a
 * checkpoint that cannot be saved does not end a run; it is tried again when it is next due, and this was the last
 * time); SD_INTERRUPTED with one of the methods that were done by then; other failures come without. */
sd_status sd_run(sd_plan *plan, sd_result **result);
void sd_result_destroy(sd_result *result);

size_t sd_result_count(const sd_result *result); /* one per method */
int sd_result_complete(const sd_result *result);
const sd_summary *sd_result_summary(const sd_result *result, size_t index);
/* E - E0 of the ensemble over time: how many samples a method has, and each of them. */
size_t sd_result_sample_count(const sd_result *result, size_t method);
const sd_sample *sd_result_sample(const sd_result *result, size_t method, size_t index);
/* States are arrays of the family's, such as Q and W of a rigid body or q and p of a point mass, and last the energy
 * error E - E0; by index, up to this count. */
size_t sd_result_array_count(const sd_result *result);
/* Of the first members at the end of the run (`final`): members, then the array's own rows and columns. */
size_t sd_result_final_count(const sd_result *result);
sd_status sd_result_final(const sd_result *result, size_t index, size_t array, sd_view *view);
const char *sd_result_final_status(const sd_result *result, size_t index,
                                   size_t member); /* "ok", or why it was frozen */
/* Of the first members at every sample (`trajectories`): samples, members, then the array's own rows and columns. */
size_t sd_result_trajectory_count(const sd_result *result); /* members */
size_t sd_result_trajectory_samples(const sd_result *result);
sd_status sd_result_trajectory(const sd_result *result, size_t index, size_t array, sd_view *view);
double sd_result_trajectory_time(const sd_result *result, size_t sample);
/* Sixteen bytes in hexadecimal over every scientific number of every body: equal on every machine. */
const char *sd_result_digest(const sd_result *result);
const char *sd_verdict_text(sd_verdict verdict);
sd_status sd_result_write_json(const sd_result *result, FILE *to);
/* What should be known of how the run went on, such as from which checkpoint; or "". */
const char *sd_result_note(const sd_result *result);
/* Why the checkpoint could not be saved when that was last tried, or "". */
const char *sd_result_trouble(const sd_result *result);
/* An HDF5 file of one or several runs, whole or not at all.  A result that is there stays as PATH.previous; a file that
 * is not a result is not replaced (SD_BAD_INPUT); an incomplete result goes to PATH.incomplete if a complete one is at
 * PATH. The message tells of a failure or, with SD_OK, where the result went if not to PATH; or it is "". */
sd_status sd_results_save(const sd_result *const *results, size_t count, const char *path, char message[512]);
/* Several runs, as of a study, in one document: `plan` is then a list, and `digest` covers all. */
sd_status sd_results_write_json(const sd_result *const *results, size_t count, FILE *to);
sd_status sd_result_write_table(const sd_result *result, FILE *to);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
