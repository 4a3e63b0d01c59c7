/* philox.h - random numbers as a function of (seed, member, draw): Philox4x32-10 and our own map to normals.
 *
 * The bits are those of Random123 and of cuRAND's CURAND_RNG_PSEUDO_PHILOX4_32_10: key = seed, counter = (draw,
 * member), which is cuRAND's (offset / 4, subsequence).  So member i is the same member whatever the lane, thread,
 * batch or machine.
 *
 * J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011), doi:10.1145/2063384.2063405. */
#ifndef SD_PHILOX_H
#define SD_PHILOX_H

#if defined(__CUDACC_RTC__) /* it has no headers but ours */
#define OWN_ROUNDS
#elif defined(__CUDACC__)
#include <curand_philox4x32_x.h> /* curand_kernel.h would bring tables of other generators along, 215 kB a kernel's file */
#elif defined(__cplusplus)       /* where Random123 brings iostream along */
#define OWN_ROUNDS
#else
#include <Random123/philox.h>
#endif

#include "elementary.h"

typedef struct {
  uint32_t word[4];
} random_block;

#if defined(OWN_ROUNDS)
/* Ten rounds: two products of 64 bits, whose halves change places and take up what is left of the counter. */
FN random_block philox_block(uint64_t seed, uint64_t member, uint64_t draw) {
  random_block block = {{(uint32_t)draw, (uint32_t)(draw >> 32), (uint32_t)member, (uint32_t)(member >> 32)}};
  uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  for (int round = 0; round < 10; round++) {
    const uint32_t *was = block.word;
    uint64_t first = (uint64_t)0xD2511F53u * was[0], second = (uint64_t)0xCD9E8D57u * was[2];
    random_block next = {{(uint32_t)(second >> 32) ^ was[1] ^ key[0], (uint32_t)second,
                          (uint32_t)(first >> 32) ^ was[3] ^ key[1], (uint32_t)first}};
    block = next;
    key[0] += 0x9E3779B9u; /* the golden ratio, */
    key[1] += 0xBB67AE85u; /* and sqrt(3) - 1 */
  }
  return block;
}
#elif defined(__CUDACC__)
FN random_block philox_block(uint64_t seed, uint64_t member, uint64_t draw) {
  uint4 counter = {(uint32_t)draw, (uint32_t)(draw >> 32), (uint32_t)member, (uint32_t)(member >> 32)};
  uint2 key = {(uint32_t)seed, (uint32_t)(seed >> 32)};
  uint4 bits = curand_Philox4x32_10(counter, key);
  random_block block = {{bits.x, bits.y, bits.z, bits.w}};
  return block;
}
#else
FN random_block philox_block(uint64_t seed, uint64_t member, uint64_t draw) {
  philox4x32_ctr_t counter = {{(uint32_t)draw, (uint32_t)(draw >> 32), (uint32_t)member, (uint32_t)(member >> 32)}};
  philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
  philox4x32_ctr_t bits = philox4x32(counter, key);
  random_block block = {{bits.v[0], bits.v[1], bits.v[2], bits.v[3]}};
  return block;
}
#endif

/* The middle of one of 2^52 equal parts of (0, 1), exactly: never 0, never 1. */
FN double uniform_of(uint32_t high, uint32_t low) {
  uint64_t part = (((uint64_t)high << 32) | low) >> 12;
  return ((double)part + 0.5) * 0x1p-52;
}

typedef struct {
  real first, second;
} normal_pair;

/* Box-Muller: sqrt(-2 log u) (cos, sin)(2 pi v). */
FN normal_pair normals_of(real u, real v) {
  real radius = real_sqrt(-2.0 * real_log(u)), sine, cosine;
  real_sincos(6.283185307179586 * v, &sine, &cosine);
  normal_pair pair = {radius * cosine, radius * sine};
  return pair;
}

/* The numbers of the lanes' members in their ensembles. */
typedef struct {
  uint64_t lane[SD_LANES];
} member_numbers;

FN member_numbers members_from(uint64_t first) {
  member_numbers m;
  for (int i = 0; i < SD_LANES; i++) m.lane[i] = first + (uint64_t)i;
  return m;
}

/* Two independent standard normals from one block per lane. */
FN_APART normal_pair philox_normals_of(uint64_t seed, member_numbers member, uint64_t draw) {
  double u[SD_LANES], v[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) {
    random_block block = philox_block(seed, member.lane[i], draw);
    u[i] = uniform_of(block.word[0], block.word[1]);
    v[i] = uniform_of(block.word[2], block.word[3]);
  }
  return normals_of(real_load(u), real_load(v));
}

/* The first of these for each lane, whatever members and draws they have. */
FN void philox_normal_of_each(uint64_t seed, const uint64_t *member, const uint64_t *draw, double *normal) {
  double u[SD_LANES], v[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) {
    random_block block = philox_block(seed, member[i], draw[i]);
    u[i] = uniform_of(block.word[0], block.word[1]);
    v[i] = uniform_of(block.word[2], block.word[3]);
  }
  real_store(normal, normals_of(real_load(u), real_load(v)).first);
}

/* The first lane is member `member`, the next ones follow. */
FN normal_pair philox_normals(uint64_t seed, uint64_t member, uint64_t draw) {
  return philox_normals_of(seed, members_from(member), draw);
}

/* 1 for every member but number 0, which is nobody's perturbation. */
FN real all_but_first(member_numbers member) {
  double other[SD_LANES];
  for (int i = 0; i < SD_LANES; i++) other[i] = member.lane[i] != 0;
  return real_load(other);
}

#endif
