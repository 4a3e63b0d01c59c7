/* fuzz_main.h - for builds without libFuzzer (-DSD_FUZZ_MAIN): a main that runs every file of the directories given. */
#ifndef SD_FUZZ_MAIN_H
#define SD_FUZZ_MAIN_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#ifdef SD_FUZZ_MAIN
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* 0: there is no such file */
static int run_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  size_t room = 1 << 22, size = 0;
  uint8_t *data = malloc(room);
  if (data) size = fread(data, 1, room, file);
  fclose(file);
  if (data) LLVMFuzzerTestOneInput(data, size);
  free(data);
  return 1;
}

int main(int count, char **directories) {
  int files = 0;
  for (int i = 1; i < count; i++) {
    DIR *listing = opendir(directories[i]);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
      char path[4096];
      snprintf(path, sizeof path, "%s/%s", directories[i], entry->d_name);
      if (entry->d_name[0] != '.') files += run_file(path);
    }
    if (listing) closedir(listing);
  }
  printf("%d files, and nothing broke\n", files);
  return !files;
}
#endif
#endif
