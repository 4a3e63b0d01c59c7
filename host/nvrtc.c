#define _GNU_SOURCE /* for dladdr */
#include "nvrtc.h"

#include "safe_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- the library ---- */

typedef struct program program;

/* As <nvrtc.h> declares them, which need not be there; 0 is success. */
static struct {
  int (*version)(int *major, int *minor);
  int (*arch_count)(int *count);
  int (*archs)(int *list);
  int (*create)(program **made, const char *text, const char *name, int headers, const char *const *header,
                const char *const *header_name);
  int (*compile)(program *p, int count, const char *const *options);
  int (*log_size)(program *p, size_t *size);
  int (*log)(program *p, char *text);
  int (*ptx_size)(program *p, size_t *size);
  int (*ptx)(program *p, char *text);
  int (*destroy)(program **p);
} nvrtc;

static const char *const names[] = {"nvrtcVersion",       "nvrtcGetNumSupportedArchs", "nvrtcGetSupportedArchs",
                                    "nvrtcCreateProgram", "nvrtcCompileProgram",       "nvrtcGetProgramLogSize",
                                    "nvrtcGetProgramLog", "nvrtcGetPTXSize",           "nvrtcGetPTX",
                                    "nvrtcDestroyProgram"};

/* All of its functions, or none; it stays open. */
static int take_functions(void *library) {
  enum { COUNT = sizeof names / sizeof *names };
  void *found[COUNT];
  _Static_assert(sizeof found == sizeof nvrtc, "a name for each function");
  for (int i = 0; i < COUNT; i++)
    if (!(found[i] = dlsym(library, names[i]))) return 0;
  memcpy(&nvrtc, found, sizeof nvrtc);
  return 1;
}

static int open_library(const char *path) {
  void *library = *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  return library && take_functions(library);
}

static sd_status find_library(sd_error *error) {
  static const char *const known[] = {SPINDRIFT_NVRTC_NAME, SPINDRIFT_NVRTC_BUILT,
                                      ("/usr/local/cuda/lib64/" SPINDRIFT_NVRTC_NAME), "libnvrtc.so"};
  const char *asked = getenv("SPINDRIFT_NVRTC");
  if (asked && *asked) {
    if (open_library(asked)) return SD_OK;
    return sd_fail(error, SD_FAILED, "SPINDRIFT_NVRTC: '%.200s' is no NVRTC library that can be loaded", asked);
  }
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (open_library(known[i])) return SD_OK;
  return sd_fail(error, SD_FAILED,
                 "for a device a file of one's own is compiled by NVRTC, and there is no " SPINDRIFT_NVRTC_NAME
                 ": install it from the CUDA toolkit, name it in SPINDRIFT_NVRTC, or use --backend cpu");
}

/* The newest that both know; what is older than all that NVRTC knows will be told by the device. */
static int target_for(int capability) {
  int count = 0, best = 0, *list = nvrtc.arch_count(&count) ? NULL : calloc((size_t)count + 1, sizeof *list);
  if (list && nvrtc.archs(list)) count = 0;
  for (int i = 0; list && i < count; i++)
    if (!best || (list[i] <= capability ? list[i] > best || best > capability : list[i] < best)) best = list[i];
  free(list);
  return best ? best : capability;
}

sd_status sd_nvrtc_find(sd_compiler *c, int capability, sd_error *error) {
  Dl_info where;
  void *function;
  int major = 0, minor = 0;
  if (!nvrtc.version) SD_TRY(find_library(error));
  memcpy(&function, &nvrtc.version, sizeof function); /* C has no cast for it */
  if (nvrtc.version(&major, &minor) || !dladdr(function, &where) || !sd_compiler_identify(c, where.dli_fname))
    return sd_fail(error, SD_FAILED, "NVRTC: it cannot be asked what it is");
  size_t used = strlen(c->identity);
  snprintf(c->identity + used, sizeof c->identity - used, ", NVRTC %d.%d", major, minor);
  snprintf(c->target, sizeof c->target, "--gpu-architecture=compute_%d", target_for(capability));
  return SD_OK;
}

/* ---- running it ---- */

/* What it has no headers for, as far as the kernels want it: types are those of 64-bit Linux, functions its own. */
static const char *const header_names[] = {"stddef.h", "stdint.h", "string.h"};
static const char *const headers[] = {"",
                                      "#pragma once\n"
                                      "typedef signed char int8_t;\n"
                                      "typedef short int16_t;\n"
                                      "typedef int int32_t;\n"
                                      "typedef long int64_t;\n"
                                      "typedef unsigned char uint8_t;\n"
                                      "typedef unsigned short uint16_t;\n"
                                      "typedef unsigned uint32_t;\n"
                                      "typedef unsigned long uint64_t;\n"
                                      "#define INT64_C(x) x##L\n"
                                      "#define UINT64_C(x) x##UL\n"
                                      "#define INT64_MAX 0x7fffffffffffffffL\n"
                                      "#define INT64_MIN (-INT64_MAX - 1)\n"
                                      "#define UINT32_MAX 0xffffffffU\n"
                                      "#define UINT64_MAX 0xffffffffffffffffUL\n",
                                      ""};

static int write_text(const char *path, const char *text, size_t size) {
  FILE *file = fopen(path, "we");
  int failed = !file || fwrite(text, 1, size, file) != size;
  if (file) failed |= fclose(file) != 0;
  return failed ? -1 : 0;
}

/* One of the texts that a program has, to a file; its last character is a zero. */
static int save(program *p, int (*size_of)(program *, size_t *), int (*get)(program *, char *), const char *path) {
  size_t size = 0;
  char *text = size_of(p, &size) || !size ? NULL : malloc(size);
  int failed = !text || get(p, text) || write_text(path, text, size - 1);
  free(text);
  return failed ? -1 : 0;
}

long sd_nvrtc_begin(const sd_compiler *c, const char *const *arguments, const char *log) {
  program *p;
  char text[1200];
  int count = 0, size = (int)(sizeof headers / sizeof *headers);
  (void)c;
  while (arguments[count]) count++;
  const char *source = arguments[count - 1], *made = arguments[count - 2] + strlen("-o");
  if (snprintf(text, sizeof text, "#include \"%s\"\n", source) >= (int)sizeof text) return errno = ENAMETOOLONG, -1;
  if (nvrtc.create(&p, text, "unit.cu", size, headers, header_names)) return errno = ENOMEM, -1;
  int failed = nvrtc.compile(p, count - 3, arguments + 1) != 0;
  errno = 0;
  int lost = save(p, nvrtc.log_size, nvrtc.log, log) || (!failed && save(p, nvrtc.ptx_size, nvrtc.ptx, made));
  nvrtc.destroy(&p);
  return lost ? -1 : failed;
}

int sd_nvrtc_end(long process) {
  return (int)process;
}
