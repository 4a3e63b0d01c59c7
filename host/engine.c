#include "engine.h"

#include <string.h>

enum { DEVICES_MOST = 64 };

int sd_engines(sd_engine engines[SD_ENGINES_MOST], char why[256]) {
  int count = 0;
  sd_device device[DEVICES_MOST];
  device->size = sizeof *device;
  sd_variant_info v = {.size = sizeof v};
  for (size_t i = 0; sd_list_variant(i, &v) && count < SD_ENGINES_MOST - DEVICES_MOST; i++) {
    if (!v.usable) continue;
    sd_engine *e = &engines[count++];
    *e = (sd_engine){.backend = "cpu"};
    snprintf(e->unit, sizeof e->unit, "%s", v.name);
    snprintf(e->text, sizeof e->text, "cpu %s", v.name);
  }
  why[0] = 0;
  size_t devices = sd_devices(device, DEVICES_MOST, why);
  for (size_t i = 0; i < devices && i < DEVICES_MOST; i++) {
    sd_engine *e = &engines[count++];
    *e = (sd_engine){.backend = "cuda", .emulated = !strncmp(device[i].text, "emulated", 8)};
    snprintf(e->unit, sizeof e->unit, "%zu", i);
    snprintf(e->text, sizeof e->text, "cuda %zu: %.150s", i, device[i].text);
  }
  return count;
}

sd_status sd_engine_take(const sd_engine *e, sd_plan *plan) {
  SD_TRY(sd_plan_set(plan, "backend", e->backend));
  return sd_plan_set(plan, strcmp(e->backend, "cuda") ? "isa" : "devices", e->unit);
}
