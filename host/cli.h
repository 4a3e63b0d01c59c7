/* cli.h - the command line.  Returns the exit status: 0 done, 1 failed, 2 bad usage, 3 members failed, 130 interrupted.
 */
#ifndef SD_CLI_H
#define SD_CLI_H

struct sd_ranks;
int sd_cli(int argc, char **argv, struct sd_ranks *ranks); /* ranks: processes that run together, or NULL */

#endif
