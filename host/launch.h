/* launch.h - the processes that the program was started as, by mpirun or srun: launch_mpi.c where it is built with MPI,
 * otherwise launch_alone.c. */
#ifndef SD_LAUNCH_H
#define SD_LAUNCH_H

/* NULL for a process by itself.  Returns the exit status of one that cannot go on, or 0. */
int sd_launch(struct sd_ranks **ranks);
void sd_land(void);

#endif
