/* control.c - what is asked of a run from outside its threads: one word each, read and written atomically. */
#include "control.h"

_Static_assert(__GCC_ATOMIC_INT_LOCK_FREE == 2, "a signal handler must not wait for a lock");

void sd_control_stop(sd_control *control) {
  __atomic_store_n(&control->stop, 1, __ATOMIC_RELAXED);
}

void sd_control_save(sd_control *control) {
  __atomic_store_n(&control->save, 1, __ATOMIC_RELAXED);
}

int sd_control_stopped(const sd_control *control) {
  return control && __atomic_load_n(&control->stop, __ATOMIC_RELAXED);
}

int sd_control_take_save(sd_control *control) {
  return control && __atomic_exchange_n(&control->save, 0, __ATOMIC_RELAXED);
}
