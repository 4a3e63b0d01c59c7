/* test_messages - ranks without MPI: processes that are forked here and reach one another by sockets.  The same digests
 * as of one process, for what each rank, and each order, has to do with them; and what is said when one cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "settings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANKS_MOST = 4 };

/* Sockets between rank 0 and each other. */
typedef struct {
  int mine, end[RANKS_MOST][2];
} wires;

static int wire_to(const wires *w, int other) {
  return w->mine ? w->end[w->mine][1] : w->end[other][0];
}

static int send_bytes(void *data, int to, const void *bytes, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t some = write(wire_to(data, to), (const char *)bytes + at, size - at);
    if (some <= 0) return 1;
    at += (size_t)some;
  }
  return 0;
}

static int receive_bytes(void *data, int from, void *bytes, size_t size) {
  for (size_t at = 0; at < size;) {
    ssize_t some = read(wire_to(data, from), (char *)bytes + at, size - at);
    if (some <= 0) return 1;
    at += (size_t)some;
  }
  return 0;
}

typedef struct {
  const char *key, *value;
} setting;

static sd_plan *plan_of(const setting *settings, const char *more, const char *value) {
  sd_plan *plan;
  assert_int_equal(sd_plan_create(&plan), SD_OK);
  for (; settings->key; settings++) set(plan, settings->key, settings->value);
  if (more) set(plan, more, value);
  return plan;
}

/* One rank's life; of rank 0 the status, the digest and the message are the test's. */
static sd_status live(wires *w, int count, const setting *settings, const char *odd, const char *value, char digest[33],
                      char message[512]) {
  sd_ranks ranks = {.size = sizeof ranks,
                    .count = count,
                    .mine = w->mine,
                    .here = 1,
                    .sharers = 1,
                    .send = send_bytes,
                    .receive = receive_bytes,
                    .data = w};
  sd_result *result = NULL;
  sd_plan *plan = plan_of(settings, w->mine == 1 ? odd : NULL, value);
  sd_status status = sd_plan_on_ranks(plan, &ranks);
  if (!status) status = sd_run(plan, &result);
  snprintf(message, 512, "%s", sd_plan_message(plan));
  if (result) memcpy(digest, sd_result_digest(result), 33);
  sd_ranks_leave(&ranks, result || w->mine == 0 ? SD_OK : status, message);
  sd_result_destroy(result);
  sd_plan_destroy(plan);
  return status;
}

static sd_status run_ranks(int count, const setting *settings, const char *odd, const char *value, char digest[33],
                           char message[512]) {
  wires w = {.mine = 0};
  pid_t child[RANKS_MOST] = {0};
  for (int r = 1; r < count; r++) assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, w.end[r]), 0);
  for (int r = 1; r < count; r++) {
    child[r] = fork();
    assert_true(child[r] >= 0);
    if (child[r]) continue;
    w.mine = r;
    for (int i = 1; i < count; i++) close(w.end[i][0]);
    live(&w, count, settings, odd, value, digest, message);
    _exit(0);
  }
  for (int r = 1; r < count; r++) close(w.end[r][1]);
  sd_status status = live(&w, count, settings, odd, value, digest, message);
  for (int r = 1; r < count; r++) {
    int how;
    close(w.end[r][0]);
    assert_int_equal(waitpid(child[r], &how, 0), child[r]);
    assert_true(WIFEXITED(how) && !WEXITSTATUS(how));
  }
  return status;
}

static const setting bodies[] = {{"method", "vlv,sw-e"}, {"members", "300"}, {"steps", "40"}, {"every", "3"},
                                 {"threads", "1"},       {"final", "290"},   {NULL, NULL}};
static const setting swept[] = {
    {"method", "vlv"}, {"sweep", "alpha=0.1:0.4:5"}, {"members", "7"}, {"steps", "30"}, {"threads", "1"}, {NULL, NULL}};
static const setting systems[] = {{"problem", "rod"}, {"method", "vlv"}, {"members", "9"},      {"steps", "6"},
                                  {"param", "n=4"},   {"threads", "1"},  {"trajectories", "5"}, {NULL, NULL}};
static const setting parts[] = {{"method", "vlv"}, {"members", "600"},   {"steps", "20"},
                                {"threads", "1"},  {"mergeable", "yes"}, {NULL, NULL}};

static const setting moments[] = {{"method", "vlv"}, {"members", "700"}, {"steps", "20"},  {"every", "3"},
                                  {"threads", "1"},  {"moments", "yes"}, {"table", "yes"}, {NULL, NULL}};

static void same_digests(void **state) {
  static const setting *const plans[] = {bodies, swept, systems, parts, moments};
  (void)state;
  for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
    char one[33] = "", many[33] = "", message[512];
    assert_int_equal(run_ranks(1, plans[i], NULL, NULL, one, message), SD_OK);
    assert_int_equal(strlen(one), 32);
    for (int count = 2; count <= RANKS_MOST; count++) {
      assert_int_equal(run_ranks(count, plans[i], NULL, NULL, many, message), SD_OK);
      assert_string_equal(one, many);
    }
  }
}

/* A rank that has another plan, or none, is named by the first. */
static void failures(void **state) {
  char digest[33] = "", message[512];
  (void)state;
  assert_int_not_equal(run_ranks(3, bodies, "step", "0.25", digest, message), SD_OK);
  assert_non_null(strstr(message, "rank 1: its plan is another"));
  assert_int_equal(run_ranks(3, bodies, "isa", "scalar", digest, message), SD_OK); /* which is its own affair */
  assert_int_not_equal(run_ranks(3, bodies, "param", "J=1,2,-3", digest, message), SD_OK);
  assert_non_null(strstr(message, "rank 1: "));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(same_digests), cmocka_unit_test(failures)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
