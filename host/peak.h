/* peak.h - what the processor's arithmetic units can do, measured. */
#ifndef SD_PEAK_H
#define SD_PEAK_H

/* fma per second of a variant's lanes on so many threads at once; NaN where it is not known.  It takes a few hundredths
 * of a second, and the most of several tries is nearest to what the units can do. */
double sd_peak(const char *variant, int threads);

#endif
