#include "hdf5_file.h"

#include "safe_file.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

/* A file as HDF5's drivers see it: a range of addresses. */
typedef struct {
  H5FD_t base; /* HDF5's own part, and first */
  sd_hdf5_channel *channel;
  haddr_t allocated, end; /* addresses given out; bytes there are */
} address_space;

static void keep_failure(sd_hdf5_channel *channel) {
  if (!channel->failure) channel->failure = errno ? errno : -1;
}

static H5FD_t *open_space(const char *name, unsigned flags, hid_t access, haddr_t most) {
  (void)name, (void)flags, (void)most;
  sd_hdf5_channel *const *channel = H5Pget_driver_info(access);
  address_space *space = calloc(1, sizeof *space);
  if (!channel || !space) {
    free(space);
    return NULL;
  }
  space->channel = *channel;
  return &space->base;
}

static herr_t close_space(H5FD_t *file) {
  free(file);
  return 0;
}

static herr_t query_space(const H5FD_t *file, unsigned long *flags) {
  (void)file;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

static haddr_t allocated_space(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const address_space *)file)->allocated;
}

static herr_t allocate_space(H5FD_t *file, H5FD_mem_t type, haddr_t end) {
  (void)type;
  ((address_space *)file)->allocated = end;
  return 0;
}

static haddr_t end_of_space(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const address_space *)file)->end;
}

/* Bytes that are allocated and were never written read as zeros. */
static herr_t read_space(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, void *bytes) {
  (void)type, (void)transfer;
  address_space *space = (address_space *)file;
  size_t there = at >= space->end ? 0 : size < space->end - at ? size : (size_t)(space->end - at);
  memset((char *)bytes + there, 0, size - there);
  if (!sd_read_all(space->channel->fd, bytes, there, at)) return 0;
  keep_failure(space->channel);
  return -1;
}

static herr_t write_space(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size, const void *bytes) {
  (void)type, (void)transfer;
  address_space *space = (address_space *)file;
  if (!space->channel->failure && sd_write_all(space->channel->fd, bytes, size, at)) keep_failure(space->channel);
  if (at + size > space->end) space->end = at + size;
  return 0;
}

/* The file ends where its addresses do; HDF5 takes a shorter one for damaged. */
static herr_t truncate_space(H5FD_t *file, hid_t transfer, hbool_t closing) {
  (void)transfer, (void)closing;
  address_space *space = (address_space *)file;
  if (space->end == space->allocated) return 0;
  if (!space->channel->failure && ftruncate(space->channel->fd, (off_t)space->allocated)) keep_failure(space->channel);
  space->end = space->allocated;
  return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)400, /* from 256 on they are free for private use */
#endif
    .name = "spindrift",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG, /* objects that a failure left open are closed with the file */
    .fapl_size = sizeof(sd_hdf5_channel *),
    .open = open_space,
    .close = close_space,
    .query = query_space,
    .get_eoa = allocated_space,
    .set_eoa = allocate_space,
    .get_eof = end_of_space,
    .read = read_space,
    .write = write_space,
    .truncate = truncate_space,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* Most datasets have one chunk, and by default room for 64 in the tree that finds them. */
enum { CHUNK_TREE = 4 };

static hid_t create_with(hid_t access, hsize_t user_block) {
  hid_t layout = H5Pcreate(H5P_FILE_CREATE), file = -1;
  if (layout < 0) return -1;
  if (H5Pset_userblock(layout, user_block) >= 0 && H5Pset_istore_k(layout, CHUNK_TREE) >= 0)
    file = H5Fcreate("spindrift", H5F_ACC_TRUNC, layout, access);
  H5Pclose(layout);
  return file;
}

/* HDF5 keeps what it knows of the file, by default up to 32 MiB of it as it is on the disk, some 25 times that in
 * memory. */
static herr_t limit_cache(hid_t access) {
  enum { CACHE = 1 << 19 };
  H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  if (H5Pget_mdc_config(access, &cache) < 0) return -1;
  cache.initial_size = cache.max_size = CACHE;
  cache.min_size = CACHE / 2;
  cache.set_initial_size = 1;
  return H5Pset_mdc_config(access, &cache);
}

hid_t sd_hdf5_create(sd_hdf5_channel *channel, hsize_t user_block) {
  /* of the formats that every reader knows the second oldest: it takes less space */
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
  channel->driver = H5FDregister(&driver);
  if (channel->driver >= 0 && access >= 0 && H5Pset_driver(access, channel->driver, &channel) >= 0 &&
      H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST) >= 0 && limit_cache(access) >= 0)
    file = create_with(access, user_block);
  if (access >= 0) H5Pclose(access);
  if (file < 0) sd_hdf5_close(channel, file);
  return file;
}

/* HDF5 lets go of the driver, and only then calls it to close the file: it must be ours as well until that is over. */
herr_t sd_hdf5_close(sd_hdf5_channel *channel, hid_t file) {
  herr_t closed = file >= 0 ? H5Fclose(file) : -1;
  if (channel->driver >= 0) H5FDunregister(channel->driver);
  channel->driver = -1;
  return closed;
}

static pthread_mutex_t hdf5 = PTHREAD_MUTEX_INITIALIZER;

sd_hdf5_voice sd_hdf5_enter(void) {
  sd_hdf5_voice voice = {NULL, NULL};
  pthread_mutex_lock(&hdf5);
  H5Eget_auto2(H5E_DEFAULT, &voice.print, &voice.data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return voice;
}

void sd_hdf5_leave(sd_hdf5_voice voice) {
  H5Eset_auto2(H5E_DEFAULT, voice.print, voice.data);
  pthread_mutex_unlock(&hdf5);
}
