/* ranks.h - what processes that share a run say to one another: rank 0 gives orders, the others answer each of them.
 *
 * An order is its head and, if that says so, a message of so many bytes; an answer is a status and the message of a
 * failure, or bytes. */
#ifndef SD_RANKS_H
#define SD_RANKS_H

#include "specification.h"
#include "status.h"

#include <time.h>

typedef enum {
  SD_ORDER_BEGIN,  /* a run: how often it was doubled (until.h); its signature follows; answer: sd_hello */
  SD_ORDER_LOAD,   /* members: method, first, count, rows, grain; their slots follow */
  SD_ORDER_RUN,    /* a kernel: is it the first one?; the job follows; answer: sd_effort */
  SD_ORDER_ASK,    /* about rows first .. last-1 */
  SD_ORDER_ROW,    /* the samples of one */
  SD_ORDER_EXPORT, /* states of so many; the job follows */
  SD_ORDER_STORE,  /* the slots */
  SD_ORDER_UNLOAD,
  SD_ORDER_END,    /* of the run; answer: bytes that were sent */
  SD_ORDER_RETURN, /* from sd_run, with this status; no answer */
  SD_ORDER_LEAVE   /* for good; no answer */
} sd_order_kind;

typedef struct {
  uint64_t what, number[5];
  uint64_t size; /* of what follows */
} sd_order;

typedef struct {
  uint64_t status, size;
} sd_answer;

typedef struct {
  char backend[16];
  uint64_t threads;
} sd_hello;

/* By which plans are told apart: all that a run's numbers depend on. */
sd_status sd_ranks_signature(const sd_specification *spec, char signature[33], sd_error *error);

/* What a kernel took. */
typedef struct {
  double seconds, neighbour_seconds;
  uint64_t rebuilds;
} sd_effort;

static inline double sd_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int sd_is_ranked(const sd_ranks *ranks) {
  return ranks && ranks->count > 1;
}

sd_status sd_ranks_send(sd_ranks *ranks, int to, const void *bytes, size_t size, sd_error *error);
sd_status sd_ranks_receive(sd_ranks *ranks, int from, void *bytes, size_t size, sd_error *error);

/* What an answer begins with; a failure there is one here, and names the rank. */
sd_status sd_ranks_hear(sd_ranks *ranks, int from, size_t size, sd_error *error);
/* What an answer is, where that is bytes in one place. */
sd_status sd_ranks_answer(sd_ranks *ranks, const void *bytes, size_t size, sd_error *error);
sd_status sd_ranks_answer_failure(sd_ranks *ranks, const sd_error *failure, sd_error *error);

/* The others return from sd_run, with this status. */
void sd_ranks_dismiss(sd_ranks *ranks, sd_status status);
/* Works for rank 0 until it says to return, or to leave; the status is then its own. */
sd_status sd_ranks_serve(sd_plan *plan);

#endif
