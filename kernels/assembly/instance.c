/* instance.c - one method for systems of many bodies and one variant, compiled as ../instance.c is.  What bodies do to
 * one another does not depend on the problem, so that all problems have the same kernels. */
#ifndef SD_NARROW
#define SD_NARROW /* a pair of bodies fills the registers once */
#endif
#include SD_METHOD_HEADER

#include <family.h>

#include "members.h"
#include "passes.h"

#define NAME_(family, method, kernel) sd_##family##_##method##_##kernel
#define NAME__(family, method, kernel) NAME_(family, method, kernel)
#define NAME(kernel) NAME__(SD_FAMILY, SD_METHOD, kernel)
#define TABLE_(family, method, variant) sd_kernels_##family##_##method##_##variant
#define TABLE(family, method, variant) TABLE_(family, method, variant)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

static void NAME(begin)(const sd_job *job, size_t first, size_t count) {
  begin_members(job, first, count);
}
static void NAME(advance)(const sd_job *job, size_t first, size_t count) {
  advance_members(job, first, count);
}
static void NAME(export)(const sd_job *job, size_t first, size_t count) {
  export_members(job, first, count);
}

static void NAME(turn)(const sd_job *job, size_t first, size_t count, int stage) {
  turn_bodies(job, first, count, stage);
}
static void NAME(finish)(const sd_job *job, size_t first, size_t count, int stage) {
  finish_bodies(job, first, count, stage);
}
#ifdef SD_BEGIN
static void NAME(remember)(const sd_job *job, size_t first, size_t count, int stage) {
  (void)stage;
  begin_bodies(job, first, count);
}
#define REMEMBER NAME(remember)
#else
#define REMEMBER NULL
#endif
static const sd_passes NAME(passes) = {
    .begin = REMEMBER, .turn = NAME(turn), .finish = NAME(finish), .passing = PASSING_NUMBERS};

#define COMMON_(variant) sd_assembly_passes_##variant
#define COMMON(variant) COMMON_(variant)
extern const sd_passes COMMON(SD_VARIANT);

extern const sd_kernels TABLE(SD_FAMILY, SD_METHOD, SD_VARIANT)[];
#define PROBLEM(family, name, id, step, time, title, doi)                                 \
  {TEXT(SD_FAMILY), SD_METHOD_ID,        id,           TEXT(SD_VARIANT), SD_LANES,        \
   MEMBER_NUMBERS,  SHOWN_OF_MEMBER,     BODY_NUMBERS, SHOWN_OF_BODY,    SCRATCH_NUMBERS, \
   NAME(begin),     NAME(advance),       NAME(export), NAME(advance),    NULL,            \
   &NAME(passes),   &COMMON(SD_VARIANT), NULL},
const sd_kernels TABLE(SD_FAMILY, SD_METHOD, SD_VARIANT)[] = {
#include <problems.def>
    {NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL}};
