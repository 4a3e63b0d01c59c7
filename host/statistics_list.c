#include "statistics_list.h"

#include "registry.h"

#include <string.h>

const sd_statistic sd_statistics[SD_STATISTICS] = {
#define STATISTIC(member, place, units, description, reduction) \
  {#member, place, offsetof(sd_summary, member), units, description},
#include "spindrift_statistics.def"
};

sd_statistic sd_statistic_of(const sd_family *family, int index) {
  sd_statistic s = sd_statistics[index];
  if (*s.units) return s;
  s.name = family->defect;
  s.units = family->defect_units;
  s.description = family->defect_text;
  return s;
}

const sd_sample_quantity sd_sample_quantities[SD_SAMPLE_QUANTITIES] = {
#define SAMPLE_WHOLE(member, name, units, description) \
  {#member, #member, name, offsetof(sd_sample, member), 1, 1, units, description},
#define SAMPLE_REAL(member, name, units, description) \
  {#member, #member, name, offsetof(sd_sample, member), 1, 0, units, description},
#define SAMPLE_QUANTILES(member, name, units, description) \
  {#member, NULL, name, offsetof(sd_sample, member), SD_QUANTILES, 0, units, description},
#include "spindrift_statistics.def"
};

const double sd_quantile_levels[SD_QUANTILES] = {
#define QUANTILE(level, name) level,
#include "spindrift_statistics.def"
};

const char *const sd_quantile_keys[SD_QUANTILES] = {
#define QUANTILE(level, name) name,
#include "spindrift_statistics.def"
};

/* ---- for users ---- */

/* As much as there is room for, but for the size. */
static int show(void *to, const void *from, size_t size) {
  size_t room = *(size_t *)to, own = sizeof room;
  if (room > size) room = size;
  if (room > own) memcpy((char *)to + own, (const char *)from + own, room - own);
  return 1;
}

int sd_list_statistic(const char *family, size_t index, sd_statistic_info *info) {
  int f = 0, families = sd_family_count();
  while (f < families && strcmp(sd_family_at(f)->id, family)) f++;
  if (f == families || index >= SD_STATISTICS) return 0;
  sd_statistic s = sd_statistic_of(sd_family_at(f), (int)index);
  sd_statistic_info all = {.name = s.name, .units = s.units, .text = s.description};
  snprintf(all.place, sizeof all.place, "%s%s", s.place, *sd_statistics[index].units ? "" : s.name);
  return show(info, &all, sizeof all);
}

int sd_list_quantity(size_t index, sd_quantity_info *info) {
  if (index >= SD_SAMPLE_QUANTITIES) return 0;
  const sd_sample_quantity *q = &sd_sample_quantities[index];
  sd_quantity_info all = {.name = q->id,
                          .dataset = q->name,
                          .units = q->units,
                          .text = q->description,
                          .whole = q->whole,
                          .count = (size_t)q->count,
                          .level = q->count > 1 ? sd_quantile_levels : NULL};
  return show(info, &all, sizeof all);
}
