/* Running one launch of a translated kernel: what the stand-in and execute.cpp share. */
#ifndef PTX_EXECUTE_H
#define PTX_EXECUTE_H

#include "device.h"

#include <map>
#include <string>
#include <vector>

namespace ptx {

/* What went wrong in a kernel; thrown by the thread it happened to. */
struct Fault {
  enum Reason { ILLEGAL_ADDRESS, MISALIGNED, FAILURE } reason;
  std::string message;
};

/* The live allocations of one device, by address. */
using Memory = std::map<uint64_t, Span>;

/* The allocation that holds [address, address + bytes), or null. */
const Span *find_span(const Memory &memory, uint64_t address, uint64_t bytes);

struct Launch {
  const Kernel *kernel;
  const Memory *memory;
  const uint64_t *variables;
  uint64_t *count;
  uint32_t grid[3], block[3];
  uint64_t dynamic_shared;
  std::vector<unsigned char> parameters;
  bool reverse; // blocks, and the threads of a block, run backwards
};

void run(Launch &launch); // throws Fault

void fill_poison(unsigned char *at, uint64_t bytes);

/* A kernel that was linked in, and the module it came with: of those of that name, the one with the highest target that
   a device of that capability can run, as a driver chooses. Both null if there is none. */
struct Found {
  const Module *module;
  const Kernel *kernel;
};
Found find_kernel(const std::string &name, uint32_t capability);

/* The modules of a library of translated code, which is loaded now; their kernels are nobody else's to find. None: it
   cannot be loaded, and why has been said. */
std::vector<const Module *> load_modules(const std::string &file);

} // namespace ptx

#endif
