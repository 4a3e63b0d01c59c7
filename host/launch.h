/* launch.h - the processes that the program was started as, by mpirun or srun: launch_mpi.c where it is built with MPI,
 * otherwise launch_alone.c. */
#ifndef SD_LAUNCH_H
#define SD_LAUNCH_H

struct sd_ranks;

/* NULL for a process by itself.  Returns the exit status of one that cannot go on, or 0. */
int sd_launch(struct sd_ranks **ranks);
void sd_land(void);

/* How many processes were started together, by what their launcher says in the environment, and where it says so:
 * OpenMPI's word before PMI's before Slurm's, as they are within one another.  1 for a process by itself. */
int sd_launched(const char **sign);
/* What makes ranks of them where they do not reach one another. */
const char *sd_launch_advice(void);

#endif
