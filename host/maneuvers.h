/* maneuvers.h - what a navigator says, from text: impulses, burns, elements, a covariance. */
#ifndef SD_MANEUVERS_H
#define SD_MANEUVERS_H

#include "status.h"

#include "../kernels/job.h"

/* Units to choose from, once more without the mass's, which is the same in all; and what a length over a time squared
 * in km and s is in them; 1 au = 149597870.7 km. */
#define SD_UNITS "km,s,kg|m,s,kg|au,day,kg|km,s|m,s|au,day"
enum { SD_UNITS_COUNT = 3 };
#define SD_ACCELERATIONS 1, 1000, 86400.0 * 86400.0 / 149597870.7
const char *sd_units_names(int units);

enum { SD_ELEMENTS = 6, SD_COVARIANCE_NUMBERS = SD_START_NUMBERS_MAX * SD_START_NUMBERS_MAX };

/* The same once more every so often, so many times in all. */
typedef struct {
  int times;
  double every;
} sd_repetition;

/* Times of a run, in any order. */
enum { SD_TIMES_MAX = 32 };
typedef struct {
  int count;
  double time[SD_TIMES_MAX];
} sd_asked_times;

/* Of a start, by rows. */
typedef struct {
  int given, frame;
  double number[SD_COVARIANCE_NUMBERS];
} sd_covariance;

/* t=T,dv=X,Y,Z or rtn=R,T,N[,size=S][,angle=A][,times=N,every=P]; without its step */
sd_status sd_impulse_read(const char *text, sd_impulse *impulse, sd_repetition *again, sd_error *error);
/* Where a specific impulse is given, the flow is for km and s, and negative.
 * from=T,for=S,thrust=F[,along=R,T,N|tangential][,toward=X,Y,Z][,exhaust=V|,isp=I][,size=S][,angle=A][,times=N,every=P]
 */
sd_status sd_burn_read(const char *text, sd_burn *burn, sd_repetition *again, sd_error *error);
/* WHEN[:WHAT][,times=N][,after=T]; WHEN: periapsis, apoapsis, node, descending, height=H, nearest=X,Y,Z, nearest=BODY;
 * WHAT: mark, end, dv=X,Y,Z, rtn=R,T,N[,size=S][,angle=A] */
sd_status sd_event_read(const char *text, sd_event *event, sd_error *error);
/* Its WHEN. */
enum { SD_CONDITION_ROOM = 128 };
const char *sd_condition_text(const sd_event *event, char text[SD_CONDITION_ROOM]);
/* a=A,e=E,i=I,node=N,peri=P,M=M, in this order, angles in degrees; those that are not given are 0, but a */
sd_status sd_times_read(const char *text, sd_asked_times *times, sd_error *error);
sd_status sd_velocity_read(const char *text, double velocity[3], sd_error *error);
sd_status sd_elements_read(const char *text, double elements[SD_ELEMENTS], sd_error *error);
/* [inertial|rtn], then 36 numbers, with commas, spaces or ends of lines in between */
sd_status sd_covariance_parse(const char *name, const char *text, sd_covariance *covariance, sd_error *error);
sd_status sd_covariance_read(const char *path, sd_covariance *covariance, sd_error *error);

/* The number of the step, of length h, that begins before a time and ends with it or after. */
int64_t sd_step_with(double time, double h);
/* All times that a step must end at, in their order: impulses, and the ends of burns. */
int sd_cuts_of(const sd_impulse *impulse, int impulses, const sd_burn *burn, int burns, double h,
               sd_impulse cut[SD_CUTS_MAX]);

#endif
