/* kernel.cuh - what a kernel is for CUDA: one thread per body.
 *
 * The kernels' handles stand in the same table as a processor's functions; only cudaLaunchKernel may use them. */
#define SD_LANES 1
#define SD_VARIANT cuda

/* The job is a kernel parameter in constant memory; a thread's column is its index in the grid. */
#define KERNEL(name, work) DEFINE_KERNEL(name, , work)
#define SIMPLE_KERNEL(name, work) DEFINE_KERNEL(name, HELD, work) /* kernel.h */
#define DEFINE_KERNEL(name, held, work)                                                                     \
  extern "C" __global__ void held name(const __grid_constant__ sd_job whole, size_t from, size_t columns) { \
    const size_t thread = (size_t)blockIdx.x * blockDim.x + threadIdx.x, first = from + thread, count = 1;  \
    const sd_job *job = &whole;                                                                             \
    if (thread < columns) {                                                                                 \
      work;                                                                                                 \
    }                                                                                                       \
  }
#define SHARED_KERNEL KERNEL
#define DECLARE_KERNEL(name) \
  extern "C" __global__ void name(const __grid_constant__ sd_job whole, size_t from, size_t columns);
#define HANDLE(name) reinterpret_cast<sd_kernel>(name)
#define EXPORT extern "C"
/* What is the same for all members is best left in constant memory; what differs, and what could act but does not,
 * takes registers from all the rest. */
#define APART(kernel) kernel
#define SIMPLE 1
#define ADVANCE_ANY advance_any
#define CHARTS(name) NULL /* series.cu has them */
#define DECLARE_CHARTS(name)
