/* test_processors.c - the quota of control groups, read from trees of files as the kernel lays them out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../host/processors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/spindrift-processors-XXXXXX";
static char place[256]; /* the tree of one test */

/* A file below `place`, with the folders above it. */
static void file(const char *path, const char *text) {
  char name[1024];
  snprintf(name, sizeof name, "%s%s", place, path);
  for (char *slash = name + strlen(place) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(name, 0700);
    *slash = '/';
  }
  FILE *to = fopen(name, "w");
  assert_non_null(to);
  fputs(text, to);
  assert_int_equal(fclose(to), 0);
}

static int new_place(void **state) {
  static int count;
  (void)state;
  snprintf(place, sizeof place, "%s/%d", root, count++);
  return mkdir(place, 0700);
}

#define PURE                                                                                                \
  "25 20 0:21 / /proc rw - proc proc rw\n30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 " \
  "rw,nsdelegate\n"

static void test_no_groups(void **state) {
  (void)state;
  assert_true(sd_cgroup_quota(place) == 0); /* no files at all */
  file("/proc/self/cgroup", "0::/a\n");
  file("/proc/self/mountinfo", PURE);
  assert_true(sd_cgroup_quota(place) == 0); /* no limit is written down */
  file("/sys/fs/cgroup/a/cpu.max", "max 100000\n");
  assert_true(sd_cgroup_quota(place) == 0);
  file("/sys/fs/cgroup/a/cpu.max", "nonsense\n");
  assert_true(sd_cgroup_quota(place) == 0);
}

static void test_version_2(void **state) {
  (void)state;
  file("/proc/self/cgroup", "0::/user.slice/job.scope\n");
  file("/proc/self/mountinfo", PURE);
  file("/sys/fs/cgroup/user.slice/job.scope/cpu.max", "150000 100000\n");
  assert_true(sd_cgroup_quota(place) == 1.5);
  file("/sys/fs/cgroup/user.slice/cpu.max", "50000 100000\n"); /* what is above limits too */
  assert_true(sd_cgroup_quota(place) == 0.5);
  file("/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
  file("/sys/fs/cgroup/cpu.max", "120000 100000\n"); /* also at the mount itself */
  assert_true(sd_cgroup_quota(place) == 1.2);
  file("/sys/fs/cpu.max", "10000 100000\n"); /* and nothing beyond it */
  assert_true(sd_cgroup_quota(place) == 1.2);
}

/* A container: its group is the root of what it sees. */
static void test_namespace(void **state) {
  (void)state;
  file("/proc/self/cgroup", "0::/\n");
  file("/proc/self/mountinfo", PURE);
  file("/sys/fs/cgroup/cpu.max", "200000 100000\n");
  assert_true(sd_cgroup_quota(place) == 2);
}

static void test_version_1(void **state) {
  (void)state;
  file("/proc/self/cgroup", "4:memory:/x\n3:cpuset:/y\n2:cpu,cpuacct:/docker/abc\n1:name=systemd:/z\n");
  file("/proc/self/mountinfo", "31 30 0:27 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
                               "32 30 0:28 /docker/abc /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n");
  file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  file("/sys/fs/cgroup/cpuset/cpu.cfs_quota_us", "1000\n"); /* of another controller */
  file("/sys/fs/cgroup/cpuset/cpu.cfs_period_us", "100000\n");
  assert_true(sd_cgroup_quota(place) == 0);
  file("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "250000\n");
  assert_true(sd_cgroup_quota(place) == 2.5);
}

/* Both at once, as systemd once mounted them: the tighter one counts. */
static void test_both(void **state) {
  (void)state;
  file("/proc/self/cgroup", "1:cpu:/job\n0::/job\n");
  file("/proc/self/mountinfo", "32 30 0:28 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
                               "33 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n");
  file("/sys/fs/cgroup/cpu/job/cpu.cfs_quota_us", "300000\n");
  file("/sys/fs/cgroup/cpu/job/cpu.cfs_period_us", "100000\n");
  assert_true(sd_cgroup_quota(place) == 3);
  file("/sys/fs/cgroup/unified/job/cpu.max", "175000 100000\n");
  assert_true(sd_cgroup_quota(place) == 1.75);
}

static void test_usable(void **state) {
  (void)state;
  sd_processors p = sd_processors_usable();
  assert_in_range(p.threads, 1, p.online);
  assert_true(!p.affinity || p.threads <= p.affinity);
  assert_true(*p.why);
}

static int decided(sd_processors p, int sharers, int here) {
  sd_processors_decide(&p, sharers, here);
  assert_true(*p.why);
  return p.threads;
}

/* Of processes that run together: processors are divided among those that share them, granted time among all, and what
 * a task of Slurm's has is not divided. */
static void test_shares(void **state) {
  (void)state;
  const sd_processors all = {.online = 32, .affinity = 32}, bound = {.online = 32, .affinity = 8};
  assert_int_equal(decided(all, 1, 1), 32);
  assert_int_equal(decided(all, 4, 4), 8);
  assert_int_equal(decided(all, 64, 64), 1);
  assert_int_equal(decided(bound, 1, 4), 8);
  assert_int_equal(decided((sd_processors){.online = 32}, 4, 4), 8); /* where it is not known which it may run on */
  assert_int_equal(decided((sd_processors){.online = 32, .affinity = 32, .per_task = 8}, 4, 4), 8);
  assert_int_equal(decided((sd_processors){.online = 32, .affinity = 32, .per_task = 4}, 4, 4), 4);
  assert_int_equal(decided((sd_processors){.online = 32, .affinity = 8, .per_task = 16}, 1, 4), 8);
  assert_int_equal(decided((sd_processors){.online = 32, .affinity = 8, .quota = 16}, 1, 4), 4);
  assert_int_equal(decided((sd_processors){.online = 32, .affinity = 32, .quota = 5.5}, 4, 4), 1);
  assert_int_equal(decided((sd_processors){.online = 32, .affinity = 32, .quota = 5.5}, 1, 1), 6);
  assert_int_equal(decided((sd_processors){.online = 32, .affinity = 32, .quota = 0.5}, 4, 4), 1);
  assert_int_equal(decided((sd_processors){.online = 4096, .affinity = 4096}, 0, 0), SD_THREADS_MAX);
}

static int remove_root(void **state) {
  char command[64];
  (void)state;
  snprintf(command, sizeof command, "rm -rf %s", root);
  return system(command);
}

int main(void) {
  if (!mkdtemp(root)) return 1;
  const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_no_groups, new_place),
                                     cmocka_unit_test_setup(test_version_2, new_place),
                                     cmocka_unit_test_setup(test_namespace, new_place),
                                     cmocka_unit_test_setup(test_version_1, new_place),
                                     cmocka_unit_test_setup(test_both, new_place),
                                     cmocka_unit_test(test_usable),
                                     cmocka_unit_test(test_shares)};
  return cmocka_run_group_tests(tests, NULL, remove_root);
}
