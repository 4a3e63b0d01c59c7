/* problems.h - every problem's file, for instance.c and the catalogue. */
#ifndef SD_PROBLEMS_H
#define SD_PROBLEMS_H

#include "problems/stress.h"
#include "problems/free.h"
#include "problems/top-slow.h"
#include "problems/top-fast.h"
#include "problems/pendulum.h"
#include "problems/coulomb-wall.h"

#endif
