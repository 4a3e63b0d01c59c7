/* event_log.h - what happened to members on their way, as their logs have it: kept, and shown. */
#ifndef SD_EVENT_LOG_H
#define SD_EVENT_LOG_H

#include "ensemble.h"
#include "json.h"
#include "run.h"

/* Whether some event ends members. */
int sd_log_ends(const sd_specification *spec);

/* The logs of an ensemble to rows from `first` on, NaN for what has not happened: how often each event has, whether it
 * cannot any more; times, distances and states of the entries. */
void sd_log_fill(const sd_ensemble *ensemble, const sd_specification *spec, const sd_states *to, size_t first);

/* Of every event, how many members it came to, and the distribution of time and distance, for each time it happened. */
void sd_write_log(sd_json *json, const sd_result *result, size_t method);
/* Of one member, what happened when. */
void sd_write_member_log(sd_json *json, const sd_result *result, size_t method, size_t member);
/* For people, in a line; "" where there are no events. */
void sd_log_text(const sd_result *result, size_t method, char *text, size_t size);

#endif
