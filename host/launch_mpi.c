/* launch_mpi.c - processes by MPI, which is used to send and to receive, and for nothing else: no sum is MPI's. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "commands.h"

#include "launch.h"

#include <mpi.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static sd_ranks ours;

enum { MOST = 1 << 30 }; /* bytes of one message of MPI's, which counts by int */

/* Whoever waits leaves its processor to others: the first looks are free, then it sleeps, for longer and longer. */
static int wait_for(MPI_Request *request) {
  int done = 0;
  for (long looks = 0; !done; looks++) {
    if (MPI_Test(request, &done, MPI_STATUS_IGNORE)) return 1;
    if (done || looks < 1000) continue;
    long pause = (looks - 1000) * 1000;
    nanosleep(&(struct timespec){0, pause < 500000 ? pause : 500000}, NULL);
  }
  return 0;
}

static int send_bytes(void *data, int to, const void *bytes, size_t size) {
  MPI_Request request;
  (void)data;
  for (size_t at = 0; at < size; at += MOST) {
    int some = (int)(size - at < MOST ? size - at : MOST);
    if (MPI_Isend((const char *)bytes + at, some, MPI_BYTE, to, 0, MPI_COMM_WORLD, &request) || wait_for(&request))
      return 1;
  }
  return 0;
}

static int receive_bytes(void *data, int from, void *bytes, size_t size) {
  MPI_Request request;
  (void)data;
  for (size_t at = 0; at < size; at += MOST) {
    int some = (int)(size - at < MOST ? size - at : MOST);
    if (MPI_Irecv((char *)bytes + at, some, MPI_BYTE, from, 0, MPI_COMM_WORLD, &request) || wait_for(&request))
      return 1;
  }
  return 0;
}

/* Those on this machine, and which of them may run on the same processors: a launcher binds each to its own, or does
 * not. */
static void look_around(void) {
  MPI_Comm here;
  cpu_set_t mine, *all;
  ours.here = 1;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_rank(here, &ours.local);
  MPI_Comm_size(here, &ours.here);
  memset(&mine, 0, sizeof mine);
  sched_getaffinity(0, sizeof mine, &mine);
  all = calloc((size_t)ours.here, sizeof *all);
  ours.sharers = all ? 0 : ours.here;
  MPI_Allgather(&mine, sizeof mine, MPI_BYTE, all, sizeof mine, MPI_BYTE, here);
  for (int i = 0; all && i < ours.here; i++) ours.sharers += CPU_EQUAL(&mine, &all[i]);
  free(all);
  MPI_Comm_free(&here);
}

/* By itself it does without MPI, whose beginning takes its time. */
static int is_launched(void) {
  static const char *const signs[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"};
  for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
    if (getenv(signs[i])) return 1;
  return 0;
}

int sd_launch(sd_ranks **ranks) {
  int level;
  *ranks = NULL;
  if (!is_launched()) return 0;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level)) return sd_say("MPI does not begin"), 1;
  ours = (sd_ranks){.size = sizeof ours, .send = send_bytes, .receive = receive_bytes};
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &ours.mine);
  MPI_Comm_size(MPI_COMM_WORLD, &ours.count);
  look_around();
  *ranks = &ours;
  return 0;
}

void sd_land(void) {
  if (ours.count) MPI_Finalize();
}

const char *sd_launch_advice(void) {
  return "srun needs --mpi=pmix or --mpi=pmi2, mpirun has to be that of the MPI it was built with";
}
