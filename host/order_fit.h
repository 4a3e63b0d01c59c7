/* order_fit.h - the order with which errors fall, and over which steps they do. */
#ifndef SD_ORDER_FIT_H
#define SD_ORDER_FIT_H

typedef struct {
  double order;    /* NaN: there is none to be seen */
  int first, last; /* the steps that it is fitted to, by their places in the list */
  int agreed;      /* successive orders there agree; otherwise there are but two steps, and nothing to agree with */
} sd_order_fit;

/* From one step of a list, which falls, to the next; NaN for the first, and where an error is rounding or none. */
double sd_order_between(const double *step, const double *error, int at, double rounding);

/* By least squares over the longest range of steps in which successive orders agree within a tenth; of two that are as
 * long, that of the smaller steps.  Errors that are too large to follow a power of the step, those at or below
 * `rounding`, and NaN are left out in this way. */
sd_order_fit sd_fit_order(const double *step, const double *error, int count, double rounding);

#endif
