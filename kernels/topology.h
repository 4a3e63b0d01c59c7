/* topology.h - what all members of an ensemble of many-body systems share, in plain C: the bodies, what binds them,
 * where they start.  The host allocates it, the family fills it, kernels read it. */
#ifndef SD_TOPOLOGY_H
#define SD_TOPOLOGY_H

#include <stddef.h>
#include <stdint.h>

/* Bodies of one species are alike. */
enum {
  SD_SPECIES_MASS,
  SD_SPECIES_INVERSE, /* of it */
  SD_SPECIES_DIAMETER,
  SD_SPECIES_INERTIA, /* what a method of the single body wants of it, from the three moments on */
  SD_SPECIES_NUMBERS = SD_SPECIES_INERTIA + 12
};

/* Bonds of one kind are alike: the direction from the higher body to the lower at rest, in the frame of either body,
 * and the length between them then; the stiffnesses. */
enum {
  SD_BOND_DIRECTION, /* three */
  SD_BOND_LENGTH = SD_BOND_DIRECTION + 3,
  SD_BOND_INVERSE, /* of it */
  SD_BOND_BENDING,
  SD_BOND_AXIAL,
  SD_BOND_SHEAR,
  SD_BOND_NUMBERS
};

enum { SD_POINT_NUMBERS = 4 }; /* of a point mass fixed in a body: its place there, its mass */

/* Position, velocity, attitude (w, x, y, z), angular velocity in the body frame. */
enum { SD_START_POSITION = 0, SD_START_VELOCITY = 3, SD_START_ATTITUDE = 6, SD_START_RATE = 10, SD_START_NUMBERS = 13 };

typedef struct {
  uint32_t bodies, species, bonds, kinds;
  uint32_t points; /* of the species that has most; those of the others have no mass */
  uint32_t degree; /* bonds of the body that has most */
  uint32_t pitch;  /* bodies, padded to whole lane groups */
} sd_topology_sizes;

typedef struct {
  sd_topology_sizes size;
  uint32_t *species_of; /* [pitch] */
  double *species;      /* [species][SD_SPECIES_NUMBERS] */
  double *points;       /* [species][points][SD_POINT_NUMBERS] */
  double *start;        /* [bodies][SD_START_NUMBERS] */
  /* Bonds in the order of their lower, then of their higher body. */
  uint32_t *low, *high, *kind_of; /* [bonds] */
  double *kind;                   /* [kinds][SD_BOND_NUMBERS] */
  /* The same, body by body: its partners in their order, in a slot each; a slot without one, which may stand between
   * others, has the body itself. */
  uint32_t *partner, *partner_kind; /* [degree][pitch] */
} sd_topology;

/* What acts on the bodies of a member but its bonds: the stiffness of contacts and walls, the strength of dashpots and
 * of the attraction between masses, gravity, and walls, each by its normal and how far it is along that. */
enum { SD_WALLS_MOST = 6 };
typedef struct {
  double contact, dashpot, attraction, gravity[3], wall[SD_WALLS_MOST][4];
  int walls;
} sd_surroundings;

/* Bodies first .. first + count - 1 side by side, the partners of each in its slots: those that are as far from their
 * bodies get the same slot, so that they are loaded together, if there are slots enough for all distances and the order
 * of each body's partners, which is kept, allows it.  The kinds, if there are any, come along; an empty slot gets one
 * of the others'.  Returns the slots in use. */
static inline uint32_t sd_align_partners(uint32_t *partner, uint32_t *kind, size_t pitch, uint32_t slots,
                                         uint32_t first, uint32_t count) {
  enum { MOST = 32, WIDEST = 16 };
  uint32_t found = 0, body[MOST][WIDEST], of_kind[MOST][WIDEST], longest = 0;
  int64_t gap[MOST];
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = longest; k < slots; k++)
      if (partner[k * pitch + i] != first + i) longest = k + 1;
  if (count > WIDEST) return longest;
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0, after = 0; k < longest; k++) { /* after the distance of the partner before */
      int64_t step = (int64_t)partner[k * pitch + i] - (first + i);
      uint32_t at = after, before = 0;
      if (!step) continue;
      while (at < found && gap[at] != step) at++;
      if (at == found) {
        while (before < after && gap[before] != step) before++;
        if (before < after || found == slots || found == MOST) return longest;
        for (at = after; at < found && gap[at] < step;) at++;
        for (uint32_t m = found++; m > at; m--) gap[m] = gap[m - 1];
        gap[at] = step;
      }
      after = at + 1;
    }
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t m = 0, k = 0; m < found; m++) {
      while (k < slots && partner[k * pitch + i] == first + i) k++;
      int has = k < slots && (int64_t)partner[k * pitch + i] - (first + i) == gap[m];
      body[m][i] = has ? partner[k * pitch + i] : first + i;
      of_kind[m][i] = has && kind ? kind[k * pitch + i] : UINT32_MAX;
      k += has;
    }
  for (uint32_t m = 0; m < slots; m++)
    for (uint32_t i = 0, any = 0; i < count; i++) {
      partner[m * pitch + i] = m < found ? body[m][i] : first + i;
      if (!kind || m >= found) continue;
      while (of_kind[m][any] == UINT32_MAX) any++;
      kind[m * pitch + i] = of_kind[m][of_kind[m][i] == UINT32_MAX ? any : i];
    }
  return found;
}

#endif
