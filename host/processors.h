/* processors.h - how many threads this process should start: what it may use, not what the machine has. */
#ifndef SD_PROCESSORS_H
#define SD_PROCESSORS_H

enum { SD_THREADS_MAX = 1024 };

typedef struct {
  int threads;   /* the least of those below, at least 1 */
  int online;    /* of the machine */
  int affinity;  /* that this process may run on; as taskset, numactl and batch systems set it */
  double quota;  /* processors' worth of time that its control groups grant; 0: no limit */
  int per_task;  /* SLURM_CPUS_PER_TASK; 0: not set, or no number */
  char why[128]; /* which of them decides, in words */
} sd_processors;

sd_processors sd_processors_usable(void);

/* Fills in `threads` and `why` from the rest, for one of `here` processes on this machine that run together, `sharers`
 * of which may run on the very processors that this one may: these share processors, all of them share the time that is
 * granted, and what a task has is its own. */
void sd_processors_decide(sd_processors *p, int sharers, int here);

/* The tightest processor quota of the control groups (v1 and v2) that this process is in, and of those above them; 0
 * where there is none.  `root` stands before every path that is read: "" but for tests. */
double sd_cgroup_quota(const char *root);

#endif
