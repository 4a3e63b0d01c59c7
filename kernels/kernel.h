/* kernel.h - what a kernel is on a processor, its name, and whose kernels a problem has: for instance.c and ends.c. */
#ifndef SD_KERNEL_H
#define SD_KERNEL_H

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

/* The columns first .. first + count - 1 of a job; and a kernel's entry in the table. */
#ifndef KERNEL
#define KERNEL_ARGUMENTS const sd_job *job, size_t first, size_t count
#define KERNEL(name, work)             \
  static void name(KERNEL_ARGUMENTS) { \
    work;                              \
  }
#ifdef __cplusplus
#define DECLARE_KERNEL(name) extern "C" void name(KERNEL_ARGUMENTS);
#else
#define DECLARE_KERNEL(name) extern void name(KERNEL_ARGUMENTS);
#endif
#define SHARED_KERNEL(name, work) \
  DECLARE_KERNEL(name)            \
  void name(KERNEL_ARGUMENTS) {   \
    work;                         \
  }
#define HANDLE(name) name
#define EXPORT
#define APART(kernel) /* one kernel serves them all */
#define SIMPLE 0
#define SIMPLE_KERNEL KERNEL
#define ADVANCE_ANY advance
#define CHARTS(name) &name
#define DECLARE_CHARTS(name) extern const sd_charts name;
#endif

/* On a device a family may have its simple kernels held to so many registers, so that more warps are there. */
#if defined(SIMPLE_REGISTERS) && defined(__maxnreg__) /* from CUDA 12.4 on */
#define HELD __maxnreg__(SIMPLE_REGISTERS)
#else
#define HELD
#endif

#define NAME_(family, method, problem, kernel) sd_##family##_##method##_##problem##_##kernel
#define NAME__(family, method, problem, kernel) NAME_(family, method, problem, kernel)
#define NAME(problem, kernel) NAME__(SD_FAMILY, SD_METHOD, problem, kernel)
#define SHARED_NAME(problem, kernel) NAME__(SD_FAMILY, JOIN(plain_, SD_VARIANT), problem, kernel)
#define WIDE_NAME(problem, kernel) NAME__(SD_FAMILY, JOIN(SD_METHOD, JOIN(_wide_, SD_VARIANT)), problem, kernel)

/* A problem with the functions of another, which only starts elsewhere, says so in its file:
 *
 *   #define top_fast_kernels_of , top_slow
 *
 * It has that one's kernels, and none of its own: OWNER(top_fast) is top_slow, OWNER(top_slow) itself.  Where it is the
 * only problem (SD_ALONE), it has all of them. */
#define SECOND_(a, b, ...) b
#define SECOND(...) SECOND_(__VA_ARGS__, )
#define THIRD_(a, b, c, ...) c
#define THIRD(...) THIRD_(__VA_ARGS__, )
#ifdef SD_ALONE
#define OWNER(name) name
#define SHARED_KERNELS(name) OWN_KERNELS(name)
#else
#define OWNER(name) SECOND(name##_kernels_of, name)
#define SHARED_KERNELS(name)
#endif

/* The problem is a compile-time constant: its functions fold into the step.  A family may have others for jobs that are
 * known to be simple. */
#ifndef PROBLEM_SIMPLE_FUNCTIONS
#define PROBLEM_SIMPLE_FUNCTIONS PROBLEM_FUNCTIONS
#endif
#define FUNCTIONS_OF(name)                                                         \
  FN problem name##_functions(int simple) {                                        \
    problem p = PROBLEM_FUNCTIONS(name), simpler = PROBLEM_SIMPLE_FUNCTIONS(name); \
    return simple ? simpler : p;                                                   \
  }

#endif
