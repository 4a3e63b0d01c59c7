#include "input.h"

#include "safe_file.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* HDF5 begins at the start of a file, or at a power of two behind something else. */
int sd_is_hdf5(const char *path) {
  static const char signature[8] = "\x89HDF\r\n\x1a\n";
  char found[sizeof signature];
  uint64_t size;
  int fd = sd_open_regular(path, &size), is = 0;
  if (fd < 0) return 0;
  for (uint64_t at = 0; !is && size >= sizeof found && at <= size - sizeof found; at = at ? 2 * at : 512)
    is = !sd_read_all(fd, found, sizeof found, at) && !memcmp(found, signature, sizeof found);
  close(fd);
  return is;
}

const sd_input_array *sd_input_find(const sd_input *input, const char *name) {
  for (size_t i = 0; i < input->count; i++)
    if (!strcmp(input->array[i].name, name)) return &input->array[i];
  return NULL;
}

size_t sd_input_numbers(const sd_input_array *a) {
  size_t numbers = 1;
  for (int i = 0; i < a->rank; i++) numbers *= a->size[i];
  return numbers;
}

size_t sd_input_width(const sd_input_array *a) {
  size_t width = 1;
  for (int i = 1; i < a->rank; i++) width *= a->size[i];
  return width;
}

const char *sd_input_shape(const sd_input_array *a, char text[72]) {
  size_t length = 0;
  strcpy(text, "one number");
  for (int i = 0; i < a->rank; i++)
    length += (size_t)snprintf(text + length, 72 - length, "%s%zu", i ? " x " : "", a->size[i]);
  return text;
}

const char *sd_input_called(const sd_input_array *a, char text[SD_INPUT_NAME + 16]) {
  int is_attribute = *a->name == '@';
  snprintf(text, SD_INPUT_NAME + 16, "%s %s", is_attribute ? "attribute" : "dataset", a->name + is_attribute);
  return text;
}

void sd_input_destroy(sd_input *input) {
  free(input->array);
  free(input->bytes);
  *input = (sd_input){0};
}
