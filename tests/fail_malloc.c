/* fail_malloc.c - to be preloaded (LD_PRELOAD): one allocation of a program fails, or all from one on.
 *
 *   FAIL_WHO    ours: of the program, its libraries for C and C++, and xxhash; theirs: of all other libraries, as HDF5
 *   FAIL_AT     which allocation, from 1 on; none without it
 *   FAIL_ON     set: and all after it
 *   FAIL_COUNT  a file to which the number of allocations is written when the program ends, and who failed */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own, under the names that it keeps for this. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

enum { RANGES_MOST = 256 };
static struct { uintptr_t from, to; } ours[RANGES_MOST];
static int ranges, ready, of_ours, and_on;
static long fail_at;
static atomic_long calls;
static void *failed_for;

static int is_ours(const char *name) {
  static const char *const names[] = {"libc.so",   "libm.so",    "libstdc++", "libgcc",
                                      "libxxhash", "libpthread", "ld-linux"};
  if (!*name) return 1; /* the program */
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strstr(name, names[i])) return 1;
  return 0;
}

static int note_object(struct dl_phdr_info *object, size_t size, void *data) {
  (void)size, (void)data;
  for (int i = 0; i < object->dlpi_phnum && is_ours(object->dlpi_name) && ranges < RANGES_MOST; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD) continue;
    ours[ranges].from = object->dlpi_addr + part->p_vaddr;
    ours[ranges].to = ours[ranges].from + part->p_memsz;
    ranges++;
  }
  return 0;
}

__attribute__((constructor)) static void begin(void) {
  const char *who = getenv("FAIL_WHO"), *at = getenv("FAIL_AT");
  dl_iterate_phdr(note_object, NULL);
  of_ours = !who || !strcmp(who, "ours");
  fail_at = at ? atol(at) : 0;
  and_on = getenv("FAIL_ON") != NULL;
  ready = 1;
}

__attribute__((destructor)) static void end(void) {
  const char *path = getenv("FAIL_COUNT");
  Dl_info about = {0};
  ready = 0;
  int fd = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
  if (fd < 0) return;
  if (failed_for) dladdr(failed_for, &about);
  dprintf(fd, "%ld %s+0x%lx\n", atomic_load(&calls), about.dli_fname ? about.dli_fname : "none",
          (unsigned long)((uintptr_t)failed_for - (uintptr_t)about.dli_fbase));
  close(fd);
}

/* Is it this one's turn to fail? */
static int strikes(void *caller) {
  uintptr_t at = (uintptr_t)caller;
  int mine = 0;
  if (!ready) return 0;
  for (int i = 0; i < ranges && !mine; i++) mine = at >= ours[i].from && at < ours[i].to;
  if (mine != of_ours) return 0;
  long number = atomic_fetch_add(&calls, 1) + 1;
  if (!fail_at || number < fail_at || (number > fail_at && !and_on)) return 0;
  if (!failed_for) failed_for = caller;
  errno = ENOMEM;
  return 1;
}

#define CALLER __builtin_return_address(0)

void *malloc(size_t size) {
  return strikes(CALLER) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  return strikes(CALLER) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  return size && strikes(CALLER) ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || (bytes && strikes(CALLER))) return errno = ENOMEM, NULL;
  return __libc_realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size) {
  return strikes(CALLER) ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return strikes(CALLER) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **made, size_t alignment, size_t size) {
  *made = strikes(CALLER) ? NULL : __libc_memalign(alignment, size);
  return *made ? 0 : ENOMEM;
}

/* As the library's, so that it is not the library that asks for memory but its caller. */
char *strdup(const char *text) {
  size_t size = strlen(text) + 1;
  char *made = strikes(CALLER) ? NULL : __libc_malloc(size);
  return made ? memcpy(made, text, size) : NULL;
}
