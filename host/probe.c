#include "own.h"
