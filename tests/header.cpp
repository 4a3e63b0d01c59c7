// The public header in C++: it compiles, and a signal handler's control is a plain object there too.
#include <spindrift.h>

static sd_control control;

void stop_from_a_handler(int);
void stop_from_a_handler(int) {
  sd_control_stop(&control);
}
