#include "seal.h"

#include "safe_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>

enum { PIECE = 1 << 20 };

typedef struct {
  char byte[SD_SEAL_SIZE];
} seal;

static sd_status unreadable(sd_error *error, const char *path) {
  return sd_fail(error, SD_IO, "%s: cannot be read: %s", sd_path_shown(path),
                 errno ? strerror(errno) : "it became shorter meanwhile");
}

/* The checksum of a line is the last thing in it. */
static void append_line_sum(char *line, size_t room) {
  size_t length = strlen(line);
  snprintf(line + length, room - length, " line %016" PRIx64 "\n", XXH3_64bits(line, length));
}

static seal make_seal(uint64_t size, uint64_t record, XXH128_hash_t hash) {
  seal s = {{0}};
  snprintf(s.byte, sizeof s.byte,
           SD_SEAL_MAGIC "%d length %" PRIu64 " record %" PRIu64 " xxh3-128 %016" PRIx64 "%016" PRIx64,
           SD_RESULT_FORMAT, size, record, (uint64_t)hash.high64, (uint64_t)hash.low64);
  append_line_sum(s.byte, sizeof s.byte);
  return s;
}

static sd_status hash_pieces(int fd, uint64_t size, const char *path, XXH3_state_t *state, void *piece,
                             sd_error *error) {
  XXH3_128bits_reset(state);
  for (uint64_t at = SD_SEAL_SIZE; at < size;) {
    size_t length = size - at < PIECE ? (size_t)(size - at) : PIECE;
    if (sd_read_all(fd, piece, length, at)) return unreadable(error, path);
    XXH3_128bits_update(state, piece, length);
    at += length;
  }
  return SD_OK;
}

static sd_status hash_body(int fd, uint64_t size, const char *path, XXH128_hash_t *hash, sd_error *error) {
  XXH3_state_t *state = XXH3_createState();
  void *piece = malloc(size < PIECE ? (size_t)size + 1 : PIECE);
  sd_status status = state && piece ? hash_pieces(fd, size, path, state, piece, error)
                                    : sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(path));
  if (!status) *hash = XXH3_128bits_digest(state);
  free(piece);
  XXH3_freeState(state);
  return status;
}

sd_status sd_seal_write(int fd, uint64_t record, const char *path, sd_error *error) {
  struct stat about;
  XXH128_hash_t hash;
  if (fstat(fd, &about)) return unreadable(error, path);
  SD_TRY(hash_body(fd, (uint64_t)about.st_size, path, &hash, error));
  seal s = make_seal((uint64_t)about.st_size, record, hash);
  if (!sd_write_all(fd, s.byte, sizeof s.byte, 0)) return SD_OK;
  return sd_fail(error, SD_IO, "%s: cannot be written: write: %s", sd_path_shown(path), strerror(errno));
}

/* ---- checking ---- */

static sd_status damaged(sd_error *error, const char *path, const char *what) {
  return sd_fail(error, SD_BAD_INPUT, "%s: damaged: %s", sd_path_shown(path), what);
}

/* The line by itself.  A version is believed only then. */
static sd_status check_line(const seal *s, const char *path, sd_error *error) {
  char line[SD_SEAL_SIZE + 64] = "";
  const char *mark = NULL, *end = memchr(s->byte, '\n', sizeof s->byte);
  for (const char *at = s->byte; end && at + 6 < end; at++)
    if (!memcmp(at, " line ", 6)) mark = at;
  if (!mark) return damaged(error, path, "its first line is not whole");
  memcpy(line, s->byte, (size_t)(mark - s->byte));
  append_line_sum(line, sizeof line);
  size_t length = (size_t)(end + 1 - s->byte);
  if (strlen(line) != length || memcmp(line, s->byte, length))
    return damaged(error, path, "the checksum of its first line does not fit");
  long version = strtol(s->byte + strlen(SD_SEAL_MAGIC), NULL, 10);
  if (version < SD_RESULT_FORMAT)
    return sd_fail(error, SD_FAILED,
                   "%s: format %ld, of an older spindrift: it was written %s; its numbers can be read by HDF5 tools, "
                   "rerun cannot compare",
                   sd_path_shown(path), version,
                   version < 3   ? "by spindrift 0.1.0 with another digest"
                   : version < 4 ? "while 0.2.0 was made"
                                 : "by spindrift 0.2.0 with another verdict and digest");
  if (version > SD_RESULT_FORMAT)
    return sd_fail(error, SD_FAILED,
                   "%s: format %ld, of a newer spindrift; this one (%s) reads format %d, h5py reads both",
                   sd_path_shown(path), version, SPINDRIFT_VERSION, SD_RESULT_FORMAT);
  return SD_OK;
}

/* The number after this word, or 0; check_line has seen the end of the text. */
static uint64_t number_after(const seal *s, const char *word) {
  const char *at = strstr(s->byte, word);
  return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

static sd_status check_lengths(const seal *s, uint64_t size, const char *path, uint64_t *record, sd_error *error) {
  uint64_t wanted = number_after(s, " length ");
  *record = number_after(s, " record ");
  if (wanted != size)
    return sd_fail(error, SD_BAD_INPUT, "%s: damaged: it has %" PRIu64 " bytes and should have %" PRIu64,
                   sd_path_shown(path), size, wanted);
  return *record <= size - SD_SEAL_SIZE ? SD_OK : damaged(error, path, "its record is longer than the file");
}

sd_status sd_seal_check(int fd, uint64_t size, const char *path, uint64_t *record, sd_error *error) {
  static const char magic[] = SD_SEAL_MAGIC;
  seal s = {{0}};
  size_t begin = size < sizeof s.byte ? (size_t)size : sizeof s.byte;
  if (sd_read_all(fd, s.byte, begin, 0)) return unreadable(error, path);
  size_t compared = begin < sizeof magic - 1 ? begin : sizeof magic - 1;
  if (!begin || memcmp(s.byte, magic, compared))
    return sd_fail(error, SD_BAD_INPUT, "%s: not a result file of spindrift", sd_path_shown(path));
  if (begin < sizeof s.byte) return damaged(error, path, "it is cut off");
  SD_TRY(check_line(&s, path, error));
  SD_TRY(check_lengths(&s, size, path, record, error));
  XXH128_hash_t hash;
  SD_TRY(hash_body(fd, size, path, &hash, error));
  seal wanted = make_seal(size, *record, hash);
  return memcmp(&wanted, &s, sizeof s) ? damaged(error, path, "its checksum does not fit") : SD_OK;
}
