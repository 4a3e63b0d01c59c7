#include "statistics_list.h"

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

sd_column sd_column_of(const sd_family *family, int index) {
  static const sd_column columns[SD_COLUMNS] = {
#define COLUMN(name, units, description, reduction) {#name, units, description},
#include "spindrift_statistics.def"
  };
  if (*columns[index].units) return columns[index];
  return (sd_column){family->defect, family->defect_units, family->defect_text};
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
