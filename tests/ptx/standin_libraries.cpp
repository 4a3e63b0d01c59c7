/* The stand-in's libraries: PTX that is loaded at run time is translated and compiled then, as the build does it with
   what nvcc made, and loaded.

   It stays in the folder STANDIN_LIBRARIES, by a hash of its text, or in one of the process's own. */
#include "standin_state.h"

#if CUDART_VERSION >= 12080 // which has them

#include <filesystem>
#include <fstream>

#include <unistd.h>

namespace standin {

using std::filesystem::path;

struct Library {
  std::vector<const Module *> modules;
};

/* Of this process alone, and gone with it; what is loaded from it stays loaded. */
static path own_folder() {
  static struct Folder {
    path at;
    Folder() {
      std::string name = std::filesystem::temp_directory_path() / "standin-XXXXXX";
      if (!mkdtemp(name.data())) abort();
      at = name;
    }
    ~Folder() {
      std::error_code ignored;
      std::filesystem::remove_all(at, ignored);
    }
  } folder;
  return folder.at;
}

static std::string hash_of(const std::string &text) { // FNV-1a
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  char name[20];
  snprintf(name, sizeof name, "%016llx", (unsigned long long)hash);
  return name;
}

static bool run(const std::string &command) {
  if (system(command.c_str()) == 0) return true;
  complain("failed: %s", command.c_str());
  return false;
}

static std::string quoted(const path &file) {
  return " '" + file.string() + "'";
}

/* The compiled translation of a text, empty if there is none. */
static path translated(const std::string &text) {
  const char *given = getenv("STANDIN_LIBRARIES");
  path stem = (given ? path(given) : own_folder()) / hash_of(text), library = stem.string() + ".so";
  if (std::filesystem::exists(library)) return library;
  stem += "-" + std::to_string(getpid()); // others may do the same
  path ptx = stem.string() + ".ptx", source = stem.string() + ".cpp", made = stem.string() + ".made";
  std::ofstream(ptx) << text;
  bool good = run(STANDIN_TRANSLATE " -o" + quoted(source) + quoted(ptx)) &&
              run(STANDIN_COMPILE " -o" + quoted(made) + quoted(source));
  std::error_code ignored;
  if (good) std::filesystem::rename(made, library, ignored);
  std::filesystem::remove(ptx, ignored);
  std::filesystem::remove(source, ignored);
  return good ? library : path();
}

static cudaError_t load(Library &library, const char *code) {
  path file = translated(code);
  if (!file.empty()) library.modules = load_modules(file);
  if (library.modules.empty()) return cudaErrorInvalidPtx;
  for (const Module *module : library.modules)
    if (module->target > state().capability) return cudaErrorNoKernelImageForDevice;
  return cudaSuccess;
}

static cudaError_t get_kernel(const Library &library, const std::string &name, cudaKernel_t &kernel) {
  for (const Module *module : library.modules)
    for (uint32_t i = 0; i < module->kernel_count; i++) {
      const Kernel *k = &module->kernels[i];
      if (name != k->name) continue;
      state().loaded[k] = {module, k};
      kernel = reinterpret_cast<cudaKernel_t>(const_cast<Kernel *>(k));
      return cudaSuccess;
    }
  return cudaErrorSymbolNotFound;
}

} // namespace standin

using namespace standin;

extern "C" cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, cudaJitOption *, void **,
                                           unsigned jit_options, cudaLibraryOption *, void **, unsigned options) {
  return call(__func__, DEVICE, [&] {
    if (jit_options || options) return cudaErrorNotSupported;
    auto made = std::make_unique<Library>(); // as long as the process
    cudaError_t error = load(*made, static_cast<const char *>(code));
    if (!error) *library = reinterpret_cast<cudaLibrary_t>(made.release());
    return error;
  });
}

extern "C" cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
  return call(__func__, DEVICE, [&] { return get_kernel(*reinterpret_cast<Library *>(library), name, *kernel); });
}

#endif
