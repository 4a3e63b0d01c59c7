#define _GNU_SOURCE /* sched_getaffinity */
#include "processors.h"

#include "number.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- control groups ---- */

enum { PATH_ROOM = 4096 };

/* The first line of DIRECTORY/NAME; 0 where there is none. */
static int first_line(const char *directory, const char *name, char *line, int size) {
  char path[PATH_ROOM + 32];
  snprintf(path, sizeof path, "%.*s/%s", PATH_ROOM, directory, name);
  FILE *file = fopen(path, "r");
  int found = file && fgets(line, size, file);
  if (file) fclose(file);
  return found;
}

/* The quota of one group: time granted over the period in which it is; 0 where it is unlimited or not to be read. */
static double quota_of(const char *directory, int version) {
  char quota[64], period[64];
  long long granted = 0, in = 0; /* microseconds */
  if (version == 2) {            /* "max 100000" has no limit */
    if (!first_line(directory, "cpu.max", quota, sizeof quota) || sscanf(quota, "%lld %lld", &granted, &in) != 2)
      return 0;
  } else { /* -1 has none */
    if (!first_line(directory, "cpu.cfs_quota_us", quota, sizeof quota) || sscanf(quota, "%lld", &granted) != 1)
      return 0;
    if (!first_line(directory, "cpu.cfs_period_us", period, sizeof period) || sscanf(period, "%lld", &in) != 1)
      return 0;
  }
  return granted > 0 && in > 0 ? (double)granted / (double)in : 0;
}

/* Of the group and those above it, up to where they are mounted: each limits all below it. */
static double tightest(char *directory, size_t mount_length, int version) {
  double least = 0;
  for (;;) {
    double quota = quota_of(directory, version);
    if (quota > 0 && (least <= 0 || quota < least)) least = quota;
    char *slash = strrchr(directory, '/');
    if (!slash || (size_t)(slash - directory) < mount_length) return least;
    *slash = 0;
  }
}

/* Is `word` among the words of a list with commas? */
static int listed(const char *list, const char *word) {
  size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ',') && (!at[length] || strchr(",\n ", at[length]))) return 1;
  return 0;
}

/* The path of this process in the hierarchy that has the processor controller: "" where there is none.  Lines of
 * /proc/self/cgroup: NUMBER:CONTROLLERS:PATH, without controllers for version 2. */
static void own_path(const char *root, int version, char path[PATH_ROOM]) {
  char name[PATH_ROOM], line[PATH_ROOM];
  snprintf(name, sizeof name, "%s/proc/self/cgroup", root);
  FILE *file = fopen(name, "r");
  path[0] = 0;
  while (file && !*path && fgets(line, sizeof line, file)) {
    char *controllers = strchr(line, ':'), *at = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!at) continue;
    *at++ = 0;
    controllers++;
    if (version == 2 ? !*controllers : listed(controllers, "cpu"))
      snprintf(path, PATH_ROOM, "%.*s", (int)strcspn(at, "\n"), at);
  }
  if (file) fclose(file);
}

/* A mount of that hierarchy: where it is, and which group is seen there.  Lines of /proc/self/mountinfo:
 * ID PARENT DEVICE GROUP MOUNT OPTIONS ... - TYPE SOURCE OPTIONS. */
static int is_mount(const char *line, int version, char group[PATH_ROOM], char mount[PATH_ROOM]) {
  char type[32], options[512];
  const char *rest = strstr(line, " - ");
  if (!rest || sscanf(line, "%*s %*s %*s %4095s %4095s", group, mount) != 2) return 0;
  if (sscanf(rest, " - %31s %*s %511s", type, options) != 2) return 0;
  return version == 2 ? !strcmp(type, "cgroup2") : !strcmp(type, "cgroup") && listed(options, "cpu");
}

static double quota_at(const char *root, const char *mount, const char *group, const char *path, int version) {
  char directory[PATH_ROOM];
  size_t shown = strcmp(group, "/") ? strlen(group) : 0;
  if (strncmp(path, group, shown))
    shown = strlen(path); /* seen from elsewhere: the mount's own group is the best guess */
  int mount_length = snprintf(directory, sizeof directory, "%s%s", root, mount);
  if (mount_length < 0 || (size_t)mount_length >= sizeof directory) return 0;
  snprintf(directory + mount_length, sizeof directory - (size_t)mount_length, "%s", path + shown);
  return tightest(directory, (size_t)mount_length, version);
}

double sd_cgroup_quota(const char *root) {
  char name[PATH_ROOM], path[PATH_ROOM], line[3 * PATH_ROOM], group[PATH_ROOM], mount[PATH_ROOM];
  double least = 0;
  snprintf(name, sizeof name, "%s/proc/self/mountinfo", root);
  for (int version = 1; version <= 2; version++) {
    own_path(root, version, path);
    FILE *file = *path ? fopen(name, "r") : NULL;
    while (file && fgets(line, sizeof line, file)) {
      if (!is_mount(line, version, group, mount)) continue;
      double quota = quota_at(root, mount, group, path, version);
      if (quota > 0 && (least <= 0 || quota < least)) least = quota;
    }
    if (file) fclose(file);
  }
  return least;
}

/* ---- all limits ---- */

/* 0 where it cannot be told.  The set grows until the kernel's fits. */
static int affinity_count(void) {
  for (int room = 1024; room <= 1 << 20; room *= 4) {
    cpu_set_t *set = CPU_ALLOC(room);
    if (!set) return 0;
    int count = sched_getaffinity(0, CPU_ALLOC_SIZE(room), set) ? 0 : CPU_COUNT_S(CPU_ALLOC_SIZE(room), set);
    int too_small = !count && errno == EINVAL;
    CPU_FREE(set);
    if (!too_small) return count;
  }
  return 0;
}

static int whole_from_environment(const char *name) {
  const char *text = getenv(name);
  char *end;
  long value = text ? strtol(text, &end, 10) : 0;
  return text && end != text && !*end && value > 0 && value <= SD_THREADS_MAX ? (int)value : 0;
}

/* What is divided among processes leaves one to each. */
static int share_of(int count, int processes) {
  int share = processes > 1 ? count / processes : count;
  return share > 1 ? share : 1;
}

void sd_processors_decide(sd_processors *p, int sharers, int here) {
  int quota = share_of((int)ceil(fmin(p->quota, SD_THREADS_MAX)), here);
  p->threads = share_of(p->online, sharers);
  snprintf(p->why, sizeof p->why, "one for each processor");
  if (p->affinity && p->affinity < p->online) {
    p->threads = share_of(p->affinity, sharers);
    snprintf(p->why, sizeof p->why, "the processors that this process may run on, of %d", p->online);
  }
  if (p->quota > 0 && quota < p->threads) {
    p->threads = quota;
    sd_format(p->why, sizeof p->why, "its control group grants the time of %.4g, of %d processors", p->quota,
              p->online);
  }
  if (p->per_task && p->per_task < p->threads) {
    p->threads = p->per_task;
    snprintf(p->why, sizeof p->why, "SLURM_CPUS_PER_TASK, of %d processors", p->online);
  }
  if (p->threads > SD_THREADS_MAX) p->threads = SD_THREADS_MAX;
}

sd_processors sd_processors_usable(void) {
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  sd_processors p = {.online = online < 1 ? 1 : (int)online,
                     .affinity = affinity_count(),
                     .quota = sd_cgroup_quota(""),
                     .per_task = whole_from_environment("SLURM_CPUS_PER_TASK")};
  sd_processors_decide(&p, 1, 1);
  return p;
}
