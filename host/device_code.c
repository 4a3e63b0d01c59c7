/* device_code.c - units for devices: NVRTC makes PTX of them, which the CUDA runtime loads onto any device. */
#include "cuda_calls.h"
#include "nvrtc.h"
#include "safe_file.h"
#include "toolchain.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- who compiles ---- */

/* The least of all devices: what is compiled for it runs on the others, too. */
static sd_status find_compiler(sd_compiler *c, sd_error *error) {
  int count = 0, least = 0, device = 0;
  if (CUDART_VERSION < 12080) /* which cannot load code */
    return sd_fail(error, SD_FAILED,
                   "files of one's own run on devices where spindrift is built with CUDA 12.8 or later; "
                   "use --backend cpu");
  CUDA(device, cudaGetDeviceCount(&count));
  for (; device < count; device++) {
    int major, minor;
    CUDA(device, cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    CUDA(device, cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device));
    if (!least || 10 * major + minor < least) least = 10 * major + minor;
  }
  return sd_nvrtc_find(c, least, error);
}

/* ---- loading ---- */

/* PTX as text, to be freed. */
static char *read_code(const char *path) {
  uint64_t size;
  int fd = sd_open_regular(path, &size);
  char *text = fd >= 0 && size < SIZE_MAX ? malloc((size_t)size + 1) : NULL;
  if (text) text[size] = 0;
  if (text && sd_read_all(fd, text, (size_t)size, 0)) free(text), text = NULL;
  if (fd >= 0) close(fd);
  return text;
}

/* What the host must know of the kernels stands in the PTX as variables that nobody reads: no device is asked for it.
 */
static const char exports[] = "extern \"C\" {\n"
                              "__device__ int sd_own_job_bytes = (int)sizeof(sd_job);\n"
                              "__device__ int sd_own_accounts = SD_ACCOUNT_SLOTS;\n"
                              "__device__ int sd_own_state_slots = STATE_NUMBERS + KEPT_NUMBERS;\n"
                              "__device__ int sd_own_shown = SHOWN_NUMBERS;\n"
                              "}\n";

/* None of them is 0, which stands for one that is missing. */
static int number_of(const char *text, const char *name) {
  char head[64];
  snprintf(head, sizeof head, ".u32 sd_own_%s = ", name);
  const char *at = strstr(text, head);
  return at ? (int)strtol(at + strlen(head), NULL, 10) : 0;
}

#if CUDART_VERSION >= 12080
static cudaError_t load_library(cudaLibrary_t *library, const char *code) {
  return cudaLibraryLoadData(library, code, NULL, NULL, 0, NULL, NULL, 0);
}
static cudaError_t find_kernel(cudaLibrary_t library, const char *name, sd_kernel *kernel) {
  cudaKernel_t found;
  cudaError_t code = cudaLibraryGetKernel(&found, library, name);
  if (!code) memcpy(kernel, &found, sizeof *kernel); /* a handle, which cudaLaunchKernel takes as it is */
  return code;
}
#else
typedef int cudaLibrary_t;
static cudaError_t load_library(cudaLibrary_t *library, const char *code) {
  (void)library, (void)code;
  return cudaErrorNotSupported;
}
static cudaError_t find_kernel(cudaLibrary_t library, const char *name, sd_kernel *kernel) {
  (void)library, (void)name, (void)kernel;
  return cudaErrorNotSupported;
}
#endif

/* Not every family has events, and something to watch for them with. */
static cudaError_t find_kernels(cudaLibrary_t library, const char *text, const sd_unit *u, const sd_unit_names *names,
                                sd_kernels *to) {
  const struct {
    const char *name;
    sd_kernel *kernel;
    int optional;
  } wanted[] = {{"begin", &to->begin, 0},
                {"advance", &to->advance, 0},
                {"advance_any", &to->advance_any, 0},
                {"advance_watched", &to->advance_watched, 1},
                {"export", &to->export_state, 0}};
  cudaError_t code = cudaSuccess;
  for (size_t i = 0; !code && i < sizeof wanted / sizeof *wanted; i++) {
    char name[160];
    snprintf(name, sizeof name, "sd_%s_%s_%s_%s", u->family, names->method, names->problem, wanted[i].name);
    if (!wanted[i].optional || strstr(text, name)) code = find_kernel(library, name, wanted[i].kernel);
  }
  return code;
}

/* A table as instance.c makes it for processors; the texts are the unit's, which last. */
static const sd_kernels *make_table(const char *text, const sd_unit *u, const sd_unit_names *names, char *why) {
  cudaLibrary_t library;
  if (number_of(text, "job_bytes") != (int)sizeof(sd_job) || number_of(text, "accounts") != SD_ACCOUNT_SLOTS)
    return snprintf(why, SD_LOAD_WHY, "the kernels are of another version than the program"), NULL;
  sd_kernels *table = calloc(2, sizeof *table);
  if (!table) return snprintf(why, SD_LOAD_WHY, "out of memory"), NULL;
  *table = (sd_kernels){.family = u->family,
                        .method = u->method_id,
                        .problem = u->problem_id,
                        .variant = u->variant,
                        .lanes = 1,
                        .state_slots = number_of(text, "state_slots"),
                        .shown = number_of(text, "shown")};
  cudaError_t code = load_library(&library, text);
  if (!code) code = find_kernels(library, text, u, names, table);
  if (!code) return table;
  cudaGetLastError();
  snprintf(why, SD_LOAD_WHY, "%s", cudaGetErrorString(code));
  return free(table), NULL;
}

static const void *load(const char *path, const sd_unit *u, const sd_unit_names *names, char why[SD_LOAD_WHY]) {
  char *text = read_code(path);
  snprintf(why, SD_LOAD_WHY, "its PTX cannot be read");
  const sd_kernels *table = text ? make_table(text, u, names, why) : NULL;
  free(text);
  return table;
}

const sd_toolchain sd_device_toolchain = {.instance = "instance.cu",
                                          .exports = exports,
                                          .suffix = "ptx",
                                          .find = find_compiler,
                                          .begin = sd_nvrtc_begin,
                                          .end = sd_nvrtc_end,
                                          .load = load};
