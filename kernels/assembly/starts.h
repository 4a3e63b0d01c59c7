/* starts.h - where the bodies of a member are at the start. */
#ifndef SD_ASSEMBLY_STARTS_H
#define SD_ASSEMBLY_STARTS_H

#include "../draws.h"
#include "rows.h"

/* A place where members differ: what the slots have is where the problem has the member start. */
enum { AT_DRAWN = SD_START_NUMBERS };

FN vec3 start_vector(row r, mask own, const double *start, int k) {
  return vec3_select(own, row_vector(r, k), vec3_splat(start + k));
}
/* Where the topology has it, or where the slots have a start of their own; every member but number 0 is perturbed. */
FN void draw_body(const sd_job *job, row r, size_t group, uint32_t b) {
  const double *start = job->topology.start + (size_t)b * SD_START_NUMBERS;
  normal_pair n[6];
  for (int k = 0; k < 6; k++) n[k] = drawn_normals(job, group, (uint64_t)b * 6 + (uint64_t)k);
  real other = perturbed(job, group);
  mask drawn = row_get(r, AT_DRAWN) != 0.0;
  vec3 x = vec3_axpy(job->sigma[0] * other, vec3_make(n[0].first, n[0].second, n[1].first),
                     start_vector(r, drawn, start, SD_START_POSITION));
  vec3 v = vec3_axpy(job->sigma[1] * other, vec3_make(n[1].second, n[2].first, n[2].second),
                     start_vector(r, drawn, start, SD_START_VELOCITY));
  quaternion q0 = {real_select(drawn, row_get(r, AT_Q), real_splat(start[SD_START_ATTITUDE])),
                   start_vector(r, drawn, start, SD_START_ATTITUDE + 1)};
  quaternion q = turn_unit(quaternion_normalise(q0),
                           vec3_scale(job->sigma[2] * other, vec3_make(n[3].first, n[3].second, n[4].first)));
  vec3 W = vec3_axpy(job->sigma[3] * other, vec3_make(n[4].second, n[5].first, n[5].second),
                     start_vector(r, drawn, start, SD_START_RATE));
  quaternion own = row_attitude(r);
  mask given = real_less(real_splat(0), quaternion_norm2(own)) & mask_not(drawn);
  own = quaternion_scale(real_rsqrt(real_select(given, quaternion_norm2(own), real_splat(1))), own);
  row_put_vector(r, AT_X, vec3_select(given, row_vector(r, AT_X), x));
  row_put_vector(r, AT_V, vec3_select(given, row_vector(r, AT_V), v));
  row_put_vector(r, AT_W, vec3_select(given, row_vector(r, AT_W), W));
  row_put(r, AT_Q, real_select(given, own.w, q.w));
  row_put_vector(r, AT_Q + 1, vec3_select(given, own.v, q.v));
  for (int k = AT_WORK; k < BODY_NUMBERS; k++) row_put(r, k, real_splat(0));
}

#endif
