#include "document.h"

#include "digest.h"
#include "rest.h"
#include "safe_file.h"

#include <ctype.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sd_document {
  atomic_int users;
  char *name, *bytes;
  size_t size, room;
  int of_rows;
};

static int ends_with(const char *name, const char *ending) {
  size_t length = strlen(name), end = strlen(ending);
  return length > end && !strcmp(name + length - end, ending);
}

int sd_document_is_text(const char *name) {
  return ends_with(name, ".txt") || ends_with(name, ".bodies");
}

int sd_document_is_path(const char *name) {
  return sd_document_is_text(name) || ends_with(name, ".h5") || ends_with(name, ".hdf5");
}

/* ---- memory ---- */

static sd_status out_of_memory(const char *name, sd_error *error) {
  return sd_fail(error, SD_NO_MEMORY, "%s: out of memory", sd_path_shown(name));
}

/* Empty, with room for so many bytes. */
static sd_status create(const char *name, size_t room, sd_document **made, sd_error *error) {
  sd_document *d = *made = calloc(1, sizeof *d);
  if (!d) return out_of_memory(name, error);
  atomic_init(&d->users, 1);
  d->room = room < SIZE_MAX ? room + 1 : room;
  d->name = strdup(name);
  d->bytes = malloc(d->room);
  if (d->name && d->bytes) return *d->bytes = 0, SD_OK;
  sd_document_let_go(d);
  *made = NULL;
  return out_of_memory(name, error);
}

sd_document *sd_document_keep(sd_document *d) {
  if (d) atomic_fetch_add(&d->users, 1);
  return d;
}

void sd_document_let_go(sd_document *d) {
  if (!d || atomic_fetch_sub(&d->users, 1) > 1) return;
  free(d->name);
  free(d->bytes);
  free(d);
}

static sd_status make_room(sd_document *d, size_t more, sd_error *error) {
  if (more < d->room - d->size) return SD_OK;
  size_t room = 2 * (d->size + more + 1);
  char *bytes = realloc(d->bytes, room);
  if (!bytes) return out_of_memory(d->name, error);
  d->bytes = bytes;
  d->room = room;
  return SD_OK;
}

/* ---- from elsewhere ---- */

sd_status sd_document_of(const char *name, const char *text, sd_document **made, sd_error *error) {
  SD_TRY(create(name, strlen(text), made, error));
  strcpy((*made)->bytes, text);
  (*made)->size = strlen(text);
  return SD_OK;
}

static sd_status read_whole(int fd, const char *path, size_t size, sd_document **made, sd_error *error) {
  SD_TRY(create(path, size, made, error));
  sd_document *d = *made;
  if (!sd_read_all(fd, d->bytes, size, 0)) return d->bytes[d->size = size] = 0, SD_OK;
  const char *why = errno ? strerror(errno) : "it became shorter meanwhile";
  sd_document_let_go(d);
  *made = NULL;
  return sd_fail(error, SD_IO, "%s: cannot be read: %s", sd_path_shown(path), why);
}

sd_status sd_document_read(const char *path, sd_document **made, sd_error *error) {
  uint64_t size;
  *made = NULL;
  int fd = sd_open_regular(path, &size);
  if (fd < 0)
    return sd_fail(error, sd_reason_is_of_the_name(errno) ? SD_BAD_INPUT : SD_IO, "%s: cannot be read: %s",
                   sd_path_shown(path), strerror(errno));
  sd_status status = size < SIZE_MAX / 4 ? read_whole(fd, path, (size_t)size, made, error) : out_of_memory(path, error);
  close(fd);
  return status;
}

/* ---- as plain ASCII ---- */

static sd_status unshare(sd_document **document, size_t more, sd_error *error) {
  sd_document *old = *document, *made;
  if (!old) return create("system", more, document, error);
  if (atomic_load(&old->users) == 1) return make_room(old, more, error);
  SD_TRY(create(old->name, old->size + more, &made, error));
  memcpy(made->bytes, old->bytes, old->size + 1);
  made->size = old->size;
  sd_document_let_go(old);
  *document = made;
  return SD_OK;
}

static int digit(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The byte that the text begins with, which moves on behind it; -1: that is none. */
static int take_byte(const char **text) {
  const char *at = *text;
  if (*at != '\\') return *text = at + 1, (unsigned char)*at;
  *text = at + 2;
  if (at[1] == 'n') return '\n';
  if (at[1] == '\\') return '\\';
  if (at[1] != 'x' || digit(at[2]) < 0 || digit(at[3]) < 0) return -1;
  *text = at + 4;
  return 16 * digit(at[2]) + digit(at[3]);
}

sd_status sd_document_add(sd_document **document, const char *escaped, sd_error *error) {
  for (const char *at = escaped; *at;)
    if (take_byte(&at) < 0)
      return sd_fail(error, SD_BAD_INPUT,
                     "system: '%.60s': a backslash is followed by n, a backslash, or x and two digits", escaped);
  SD_TRY(unshare(document, strlen(escaped), error));
  sd_document *d = *document;
  while (*escaped) d->bytes[d->size++] = (char)take_byte(&escaped);
  d->bytes[d->size] = 0;
  return SD_OK;
}

static int is_plain(char c) {
  return sd_is_printable(c) && c != '\n' && c != '\\';
}

void sd_document_print(sd_text *to, const char *key, const sd_document *d) {
  const char *at = d->bytes, *end = at + d->size;
  for (int in_line = 0; at < end;) {
    size_t plain = 0;
    if (!in_line) sd_text_add(to, "%s", key);
    while (at + plain < end && plain < 4096 && is_plain(at[plain])) plain++;
    sd_text_add(to, "%.*s", (int)plain, at);
    at += plain;
    in_line = at < end && *at != '\n';
    if (at < end && !is_plain(*at)) {
      if (*at == '\n' || *at == '\\') sd_text_add(to, *at == '\n' ? "\\n" : "\\\\");
      else sd_text_add(to, "\\x%02x", (unsigned char)*at);
      at++;
    }
    if (!in_line || at == end) sd_text_add(to, "\n");
  }
}

/* ---- what it is ---- */

const char *sd_document_name(const sd_document *d) {
  return d->name;
}
void sd_document_set_rows(sd_document *d) {
  d->of_rows = 1;
}
int sd_document_is_of_rows(const sd_document *d) {
  return d->of_rows;
}
const char *sd_document_bytes(const sd_document *d) {
  return d->bytes;
}
size_t sd_document_size(const sd_document *d) {
  return d->size;
}
void sd_document_digest(const sd_document *d, char digest[33]) {
  sd_digest_bytes(d->bytes, d->size, digest);
}
