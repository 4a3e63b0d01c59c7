/* hdf5_file.h - HDF5 writing to a file that we have opened, through safe_file.h; what users give is read elsewhere
 * (input.h).
 *
 * The first failure of the system is kept and nothing is written after it, but HDF5 is told that all went well, for it
 * does not close a file cleanly that it could not flush.  The caller looks at `failure` in the end.  As HDF5 itself,
 * not to be used by two threads at once. */
#ifndef SD_HDF5_FILE_H
#define SD_HDF5_FILE_H

#include <hdf5.h>

typedef struct {
  int fd;
  int failure;  /* errno of the first read or write that failed; -1: the file ended early */
  hid_t driver; /* ours, as HDF5 knows it while the file is open */
} sd_hdf5_channel;

/* A new file in the empty file of the channel, after a user block; < 0 after a failure. */
hid_t sd_hdf5_create(sd_hdf5_channel *channel, hsize_t user_block);
/* Every file that was created is closed with this, not with H5Fclose alone. */
herr_t sd_hdf5_close(sd_hdf5_channel *channel, hid_t file);

/* HDF5 is entered by one thread at a time.  It prints its errors unless it is told not to; a program around us may want
 * it to. */
typedef struct {
  H5E_auto2_t print;
  void *data;
} sd_hdf5_voice;

sd_hdf5_voice sd_hdf5_enter(void);
void sd_hdf5_leave(sd_hdf5_voice voice);

#endif
