/* nearest.h - which of several names a wrong one was meant to be. */
#ifndef SD_NEAREST_H
#define SD_NEAREST_H

enum { SD_NEAREST_MOST = 3, SD_NEAREST_ROOM = 160 };

/* The nearest so far, of those that were considered, and others that are as near; all zeros before the first. */
typedef struct {
  const char *name[SD_NEAREST_MOST];
  int count;
  int distance; /* letters to be changed; less than none where it is the beginning of the name, or a part of it */
} sd_nearest;
void sd_nearest_consider(sd_nearest *nearest, const char *wrong, const char *candidate);

/* did you mean 'a'?  did you mean 'a' or 'b'?  With `dashes` before each name, as "--". */
const char *sd_nearest_question(const sd_nearest *nearest, const char *dashes, char text[SD_NEAREST_ROOM]);

#endif
