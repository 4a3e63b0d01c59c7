/* hdf5_input.c - reads what a user gives in an HDF5 file, in a process of its own: input.h says why. */
#include "hdf5_file.h"
#include "input.h"
#include "safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is handed over: one of these in front of every array's numbers, and one at the end. */
typedef struct {
  enum { ARRAY, REFUSED, END } kind;
  int rank;
  uint64_t size[SD_INPUT_RANK];
  char text[256]; /* the name, or what is wrong */
} head;
_Static_assert(sizeof(head) % sizeof(double) == 0, "numbers stand behind it");

#define TEXT(x) #x
#define VERSION(major, minor, release) TEXT(major) "." TEXT(minor) "." TEXT(release)
#define CANNOT "HDF5 " VERSION(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE) " cannot read it: damaged, or newer"

enum { NUMBERS_MOST = 1 << 28, SECONDS_MOST = 60 };

/* Nothing is packed by deflate to less than a thousandth, and every chunk has its place in an index: so a file says how
 * much may be in it, whatever it claims. */
static uint64_t most_of(uint64_t file_size) {
  uint64_t bytes = (1 << 20) + 1100 * (file_size < (1ULL << 40) ? file_size : 1ULL << 40);
  return bytes < NUMBERS_MOST ? bytes : NUMBERS_MOST;
}
static uint64_t chunks_of(uint64_t file_size) {
  return 16 + file_size / 8;
}

/* ---- the process that reads ---- */

typedef struct {
  int to;
  const char *path;
  uint64_t size; /* of the file */
  uint64_t left; /* numbers that there may yet be */
  hid_t here;    /* how links are followed: to no other file */
} giver;

static void give(const giver *g, const void *bytes, size_t size) {
  for (const char *at = bytes; size;) {
    ssize_t some = write(g->to, at, size);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) _exit(1);
    at += some;
    size -= (size_t)some;
  }
}

/* What is wrong is the last that is said. */
__attribute__((format(printf, 2, 3), noreturn)) static void refuse(const giver *g, const char *format, ...) {
  head h = {.kind = REFUSED};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(h.text, sizeof h.text, format, arguments);
  va_end(arguments);
  give(g, &h, sizeof h);
  _exit(0);
}

static void take_shape(giver *g, const char *name, hid_t space, head *h) {
  hsize_t size[SD_INPUT_RANK];
  uint64_t numbers = 1;
  int rank = H5Sget_simple_extent_ndims(space);
  if (rank < 0 || H5Sget_simple_extent_type(space) == H5S_NULL) refuse(g, "%s: it is empty", name);
  if (rank > SD_INPUT_RANK) refuse(g, "%s: it has %d axes; expected %d at most", name, rank, SD_INPUT_RANK);
  if (H5Sget_simple_extent_dims(space, size, NULL) != rank) refuse(g, "%s: it is damaged", name);
  for (int i = 0; i < rank; i++) {
    if (numbers && size[i] > g->left / numbers)
      refuse(g, "%s: more numbers than there can be in a file of %llu bytes", name, (unsigned long long)g->size);
    numbers *= h->size[i] = size[i];
  }
  g->left -= numbers;
  h->rank = rank;
}

/* In no other file, of which a file may say anything; and in no more chunks than there can be. */
static void check_storage(const giver *g, const char *name, hid_t dataset, const head *h) {
  hsize_t chunk[SD_INPUT_RANK];
  uint64_t chunks = 1, numbers = 1;
  hid_t storage = H5Dget_create_plist(dataset);
  if (H5Pget_external_count(storage) || H5Pget_layout(storage) == H5D_VIRTUAL)
    refuse(g, "%s: its numbers are in other files, or elsewhere in this one", name);
  int is_chunked = H5Pget_layout(storage) == H5D_CHUNKED;
  if (is_chunked && H5Pget_chunk(storage, SD_INPUT_RANK, chunk) != h->rank) refuse(g, "%s: " CANNOT, name);
  for (int i = 0; i < h->rank && is_chunked; i++) {
    if (!chunk[i] || chunk[i] > NUMBERS_MOST / numbers) refuse(g, "%s: " CANNOT, name);
    numbers *= chunk[i];
    chunks *= (h->size[i] + chunk[i] - 1) / chunk[i];
  }
  if (chunks > chunks_of(g->size)) refuse(g, "%s: more chunks than there can be in such a file", name);
  H5Pclose(storage);
}

static int is_number(hid_t type) {
  return H5Tget_class(type) == H5T_INTEGER || H5Tget_class(type) == H5T_FLOAT;
}

static void give_array(giver *g, const char *name, const char *shown, hid_t object, int is_attribute) {
  head h = {.kind = ARRAY};
  hid_t type = is_attribute ? H5Aget_type(object) : H5Dget_type(object),
        space = is_attribute ? H5Aget_space(object) : H5Dget_space(object);
  if (!is_number(type)) refuse(g, "%s: it has no plain numbers", shown);
  take_shape(g, shown, space, &h);
  if (!is_attribute) check_storage(g, shown, object, &h);
  size_t count = (size_t)H5Sget_simple_extent_npoints(space);
  double *number = malloc((count + 1) * sizeof *number);
  if (!number) refuse(g, "%s: no memory for it", shown);
  herr_t done = is_attribute ? H5Aread(object, H5T_NATIVE_DOUBLE, number)
                             : H5Dread(object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, number);
  if (done < 0) refuse(g, "%s: " CANNOT ", or packed in a way that it does not know", shown);
  snprintf(h.text, sizeof h.text, "%s", name);
  give(g, &h, sizeof h);
  give(g, number, count * sizeof *number);
  free(number);
  H5Sclose(space);
  H5Tclose(type);
}

/* The links of a group, by name; those of other files are none. */
static size_t count_links(const giver *g, hid_t group, const char *called) {
  H5G_info_t about;
  if (group < 0 || H5Gget_info(group, &about) < 0) refuse(g, "%s: " CANNOT, called);
  return (size_t)about.nlinks;
}

static hid_t open_link(const giver *g, hid_t group, size_t index, char name[SD_INPUT_NAME]) {
  H5L_info_t about;
  ssize_t length = H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, index, name, SD_INPUT_NAME, H5P_DEFAULT);
  if (length < 0) refuse(g, "its names: " CANNOT);
  if (length >= SD_INPUT_NAME) refuse(g, "'%.60s...': the name is too long", name);
  if (H5Lget_info(group, name, &about, H5P_DEFAULT) < 0 || about.type > H5L_TYPE_SOFT)
    refuse(g, "%s: it is in another file", name);
  hid_t object = H5Oopen(group, name, g->here);
  if (object < 0) refuse(g, "%s: " CANNOT ", or a link to nothing", name);
  return object;
}

/* Every object of the group is a dataset of numbers; `prefix` stands before their names. */
static void give_group(giver *g, hid_t group, const char *prefix) {
  char name[SD_INPUT_NAME], whole[2 * SD_INPUT_NAME], shown[2 * SD_INPUT_NAME + 16];
  size_t count = count_links(g, group, *prefix ? prefix : "/");
  for (size_t i = 0; i < count; i++) {
    hid_t object = open_link(g, group, i, name);
    snprintf(whole, sizeof whole, "%s%s", prefix, name);
    snprintf(shown, sizeof shown, "dataset %s", whole);
    if (H5Iget_type(object) != H5I_DATASET) refuse(g, "%s: it is no dataset", whole);
    give_array(g, whole, shown, object, 0);
    H5Oclose(object);
  }
}

static void give_starts(giver *g, hid_t root) {
  H5L_info_t about;
  int apart = H5Lexists(root, "starts", H5P_DEFAULT) > 0;
  if (apart && (H5Lget_info(root, "starts", &about, H5P_DEFAULT) < 0 || about.type > H5L_TYPE_SOFT))
    refuse(g, "starts: it is in another file");
  give_group(g, apart ? H5Oopen(root, "starts", g->here) : root, "");
}

/* Text is a remark. */
static herr_t give_attribute(hid_t root, const char *name, const H5A_info_t *about, void *data) {
  giver *g = data;
  char whole[SD_INPUT_NAME], shown[SD_INPUT_NAME + 16];
  (void)about;
  hid_t attribute = H5Aopen(root, name, H5P_DEFAULT), type = H5Aget_type(attribute);
  snprintf(shown, sizeof shown, "attribute %.100s", name);
  if (type < 0) refuse(g, "%s: " CANNOT, shown);
  if (strlen(name) > 100) refuse(g, "%s...: the name is too long", shown);
  snprintf(whole, sizeof whole, "@%s", name);
  if (H5Tget_class(type) != H5T_STRING) give_array(g, whole, shown, attribute, 1);
  H5Tclose(type);
  H5Aclose(attribute);
  return 0;
}

static void give_system(giver *g, hid_t root) {
  char name[SD_INPUT_NAME], prefix[SD_INPUT_NAME + 1];
  size_t count = count_links(g, root, "/");
  for (size_t i = 0; i < count; i++) {
    hid_t object = open_link(g, root, i, name);
    if ((strcmp(name, "bodies") && strcmp(name, "bonds")) || H5Iget_type(object) != H5I_GROUP)
      refuse(g, "'%.60s' is unknown; expected the groups bodies and bonds", name);
    snprintf(prefix, sizeof prefix, "%s/", name);
    give_group(g, object, prefix);
    H5Oclose(object);
  }
  if (H5Aiterate2(root, H5_INDEX_NAME, H5_ITER_INC, NULL, give_attribute, g) < 0) refuse(g, "its attributes: " CANNOT);
}

/* So much more than there is already, which is shared with the process that asks. */
static void limit_memory(uint64_t more) {
  unsigned long pages = 0;
  FILE *about = fopen("/proc/self/statm", "r");
  if (!about || fscanf(about, "%*u %*u %*u %*u %*u %lu", &pages) != 1) return;
  fclose(about);
  rlim_t most = pages * (rlim_t)sysconf(_SC_PAGESIZE) + more;
  setrlimit(RLIMIT_DATA, &(struct rlimit){most, most});
}

/* Whatever happens here, nobody else is to hear of it. */
static void become_quiet(void) {
  static const int loud[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM, SIGHUP, SIGXCPU, SIGPIPE};
  const struct rlimit no_core = {0, 0}, time = {SECONDS_MOST, SECONDS_MOST};
  int nowhere = open("/dev/null", O_RDWR);
  for (size_t i = 0; i < sizeof loud / sizeof *loud; i++) signal(loud[i], SIG_DFL);
  setrlimit(RLIMIT_CORE, &no_core);
  setrlimit(RLIMIT_CPU, &time);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  setenv("HDF5_USE_FILE_LOCKING", "FALSE", 1); /* some file systems have no locks */
}

static herr_t follow_none(const char *file, const char *group, const char *other, const char *object, unsigned *flags,
                          hid_t access, void *data) {
  (void)file, (void)group, (void)other, (void)object, (void)flags, (void)access, (void)data;
  return -1;
}

__attribute__((noreturn)) static void read_all(giver *g, sd_input_kind kind) {
  const head end = {.kind = END};
  become_quiet();
  limit_memory((1 << 28) + 3 * sizeof(double) * g->left);
  g->here = H5Pcreate(H5P_LINK_ACCESS);
  if (H5Pset_elink_cb(g->here, follow_none, NULL) < 0) refuse(g, CANNOT);
  hid_t file = H5Fopen(g->path, H5F_ACC_RDONLY, H5P_DEFAULT), root = file < 0 ? -1 : H5Gopen2(file, "/", H5P_DEFAULT);
  if (root < 0) refuse(g, CANNOT ", or cut short");
  if (kind == SD_INPUT_STARTS) give_starts(g, root);
  else give_system(g, root);
  give(g, &end, sizeof end);
  _exit(0);
}

/* ---- the process that asks ---- */

/* All that comes; NULL without memory. */
static char *collect(int from, size_t *size) {
  size_t room = 1 << 16;
  char *bytes = malloc(room);
  for (*size = 0; bytes;) {
    if (*size == room) {
      char *more = realloc(bytes, room *= 2);
      if (!more) return free(bytes), NULL;
      bytes = more;
    }
    ssize_t some = read(from, bytes + *size, room - *size);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) break;
    *size += (size_t)some;
  }
  return bytes;
}

/* A process that HDF5 has brought out of order may write anything: is that an array, of at most so many numbers? */
static int is_sound(const head *h, size_t most) {
  size_t numbers = 1;
  if (h->kind != ARRAY || h->rank < 0 || h->rank > SD_INPUT_RANK || !memchr(h->text, 0, sizeof h->text)) return 0;
  for (int i = 0; i < h->rank; i++) {
    if (h->size[i] && numbers > most / h->size[i]) return 0;
    numbers *= h->size[i];
  }
  return numbers <= most;
}

/* What the bytes say: arrays up to the end, or what is wrong.  Bytes that end elsewhere are a process that crashed. */
static sd_status take_apart(sd_input *input, size_t size, const char *path, int how, sd_error *error) {
  char *at = input->bytes, *end = at + size;
  size_t room = 0;
  while ((size_t)(end - at) >= sizeof(head)) {
    head *h = (head *)(void *)at;
    at += sizeof *h;
    if (h->kind == END) return SD_OK;
    if (h->kind == REFUSED) return sd_fail(error, SD_BAD_INPUT, "%s: %s", sd_path_shown(path), h->text);
    if (!is_sound(h, (size_t)(end - at) / sizeof(double))) break;
    sd_input_array a = {.name = h->text, .rank = h->rank, .number = (const double *)(void *)at};
    for (int i = 0; i < a.rank; i++) a.size[i] = (size_t)h->size[i];
    at += sd_input_numbers(&a) * sizeof(double);
    if (input->count == room) {
      sd_input_array *more = realloc(input->array, (room = 2 * room + 16) * sizeof *more);
      if (!more) return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
      input->array = more;
    }
    input->array[input->count++] = a;
  }
  return sd_fail(error, SD_BAD_INPUT, "%s: HDF5 fails on it (%s %d): damaged, or cut short", sd_path_shown(path),
                 WIFSIGNALED(how) ? "signal" : "exit status", WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
}

static sd_status out_of_memory(const char *path, sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
}

/* No other thread of ours is in HDF5 as the process divides. */
static pid_t divide(int ends[2], const char *path, uint64_t size, sd_input_kind kind) {
  sd_hdf5_voice voice = sd_hdf5_enter();
  pid_t child = fork();
  if (!child) read_all(&(giver){ends[1], path, size, most_of(size), H5P_DEFAULT}, kind);
  sd_hdf5_leave(voice);
  return child;
}

sd_status sd_input_read(const char *path, sd_input_kind kind, sd_input *input, sd_error *error) {
  int ends[2], how = 0, file;
  size_t size = 0;
  uint64_t file_size;
  *input = (sd_input){0};
  if ((file = sd_open_regular(path, &file_size)) < 0)
    return sd_fail(error, SD_BAD_INPUT, "%s: cannot be read: %s", sd_path_shown(path), strerror(errno));
  close(file);
  if (pipe(ends)) return sd_fail(error, SD_IO, "%s: cannot be read: pipe: %s", sd_path_shown(path), strerror(errno));
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  pid_t child = divide(ends, path, file_size, kind);
  int why = errno;
  close(ends[1]);
  input->bytes = child > 0 ? collect(ends[0], &size) : NULL;
  close(ends[0]);
  while (child > 0 && waitpid(child, &how, 0) < 0 && errno == EINTR) {
  }
  if (child < 0) return sd_fail(error, SD_IO, "%s: cannot be read: fork: %s", sd_path_shown(path), strerror(why));
  sd_status status = input->bytes ? take_apart(input, size, path, how, error) : out_of_memory(path, error);
  if (status) sd_input_destroy(input);
  return status;
}
