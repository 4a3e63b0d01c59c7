/* properties.h - what a method keeps, measured: of the free body, of the heavy top, of a body in a generic potential.
 *
 *   order        log2 of the ratio of the errors at T = 5 of two steps, one half of the other, against a reference
 *   symmetric    one step, velocity reversed, one step, velocity reversed: how far from the start that is.  (The
 * problems are reversible and so are the methods' formulas: a step back is a step with the velocity reversed.)
 *   symplectic   the largest entry of D^T w D - w, D the derivative of one step of an asymmetric body, from the left
 *                trivialised, w the canonical two-form; D by differences of fourth order, its error by Richardson
 *   energy       kept to round-off by an ensemble, or what the verdict on its drift says
 *   momentum     the largest change of the conserved momentum map of an ensemble */
#ifndef PAPERS_PROPERTIES_H
#define PAPERS_PROPERTIES_H

#include "lab.h"

typedef enum {
  KEPT,    /* to round-off */
  NEARLY,  /* an energy: its error is bounded */
  LOST,    /* clearly; an energy: it drifts, or the bodies failed */
  UNCLEAR, /* in between, or undecided */
  NOT_MEASURED
} keeping;

typedef struct {
  keeping how;
  double value, error; /* the defect and the error of it; NaN where there is none */
  sd_verdict verdict;  /* of an energy */
} finding;

enum { FREE_BODY, HEAVY_TOP, GENERIC, SETTINGS }; /* in which a body is looked at */
enum { SYMPLECTIC_FORM, ENERGY, MOMENTUM, KINDS };

typedef struct {
  char method[256]; /* or its file */
  int declared_order;
  double order;
  finding symmetric;
  finding spin;    /* of a symmetric top about its own axis */
  finding any_top; /* the vertical momentum of one that is not symmetric */
  finding of[SETTINGS][KINDS];
  double ns; /* per body-step, in the generic potential */
} properties;

/* Below the first a defect is none, above the second it is one. */
typedef struct {
  double kept, lost;
} tolerance;
extern const tolerance symmetry_tolerance, form_tolerance, energy_tolerance, momentum_tolerance;
finding judged(double value, double error, tolerance t);

/* What is run: a problem with one `param`, the step of single steps, step and time of the ensemble. */
typedef struct {
  const char *title, *problem, *param;
  double single, step, time;
} setting_of_body;
extern const setting_of_body settings_of_body[SETTINGS];
extern const char momentum_problem[]; /* where the momentum is looked at in the generic potential, which has none */

/* All that is to be known of a method; `generic` is the potential. */
void measure_properties(lab *l, const char *method, int order, const setting_of_body *generic, properties *p);

/* The trait of the method that a finding is about, or NULL; and whether both say the same. */
typedef struct {
  const char *trait;
  const finding *found;
} declared_trait;
enum { DECLARED = 8, ORBIT_TRAITS = 3 };
void declared_traits(const properties *p, declared_trait traits[DECLARED]);
int as_declared(const char *method, const declared_trait *t);

/* Of a method for point masses; the traits are about what was found. */
void measure_orbit_traits(lab *l, const char *method, int order, finding found[ORBIT_TRAITS],
                          declared_trait traits[ORBIT_TRAITS]);

#endif
