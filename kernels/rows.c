/* rows.c - the rows of every method for one variant, compiled once per variant with -DSD_VARIANT=name. */
#include "job.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define ROW_(method, variant) sd_row_##method##_##variant
#define ROW(method, variant) ROW_(method, variant)

#define ORBIT_METHOD METHOD
#define METHOD(name, id, order, traits, title, doi) extern const sd_row ROW(name, SD_VARIANT);
#include "all_methods.def"
#undef METHOD

extern const sd_row *const JOIN(sd_rows_, SD_VARIANT)[];
#define METHOD(name, id, order, traits, title, doi) &ROW(name, SD_VARIANT),
const sd_row *const JOIN(sd_rows_, SD_VARIANT)[] = {
#include "all_methods.def"
};
