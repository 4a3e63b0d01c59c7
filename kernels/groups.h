/* groups.h - the registers that a lane group fills, for what is compiled outside of the build, which chooses likewise:
 * clang splits a vector of two registers' width and gains two chains in flight; gcc would keep it in memory. */
#ifndef SD_GROUPS
#if defined(__clang__)
#define SD_GROUPS 2
#else
#define SD_GROUPS 1
#endif
#endif
