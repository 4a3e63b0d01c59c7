/* duration.h - lengths of wall-clock time, as people write them: 90s, 47h30m, 1.5d. */
#ifndef SD_DURATION_H
#define SD_DURATION_H

/* Numbers with units d, h, m, s, each at most once and the largest first; 0 if it is none, or not positive. */
int sd_seconds_from(const char *text, double *seconds);

/* In two units at most: 42s, 12m30s, 47h30m, 12d4h. */
const char *sd_duration_text(double seconds, char text[32]);

#endif
