/* team.h - threads that work together step by step: each does its share of a pass, and waits for the others before the
 * next. */
#ifndef SD_TEAM_H
#define SD_TEAM_H

#include <stddef.h>

typedef struct sd_team sd_team;

/* As many as can be had, at least the caller's own; NULL without memory. */
sd_team *sd_team_create(int threads);
void sd_team_destroy(sd_team *team);
int sd_team_size(const sd_team *team);

/* Every member of the team does the work once, as number `worker` of `workers`; the caller is number 0. */
typedef void sd_team_work(sd_team *team, void *data, int worker, int workers);
void sd_team_run(sd_team *team, sd_team_work *work, void *data);
/* Of code that is not ours (guard.h): who crashes ends the work for all, who leave it when they next wait for others.
 * Returns 0, or the signal. */
int sd_team_run_guarded(sd_team *team, sd_team_work *work, void *data);
/* Within the work: nobody goes on before all are here. */
void sd_team_meet(sd_team *team);
/* Until they meet: a piece of the share of worker `whose` that nobody has taken, 0 first; `pieces` if none is left. */
size_t sd_team_take(sd_team *team, int whose, size_t pieces);

#endif
