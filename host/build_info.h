/* build_info.h - what built this program, as result files say it; CMake tells the two files that do. */
#ifndef SD_BUILD_INFO_H
#define SD_BUILD_INFO_H

#ifndef SPINDRIFT_COMPILER
#define SPINDRIFT_COMPILER __VERSION__
#endif
#ifndef SPINDRIFT_FLAGS
#define SPINDRIFT_FLAGS "unknown"
#endif

#endif
