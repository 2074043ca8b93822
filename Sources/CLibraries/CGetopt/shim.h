#ifndef PANDA_CGETOPT_SHIM_H
#define PANDA_CGETOPT_SHIM_H

#include <getopt.h>

// Swift 6 rejects getopt's C globals as not concurrency-safe: one accessor for each.

/// optarg: the argument of the option just read.
static inline const char *panda_optarg(void) { return optarg; }

/// optind: the index of the next element of argv.
static inline int panda_optind(void) { return optind; }

/// optopt: the option that was not understood.
static inline int panda_optopt(void) { return optopt; }

/// Starts a new scan (optind 0 resets glibc's state; man 3 getopt) and keeps getopt from printing
/// messages (opterr).
static inline void panda_getopt_begin(void) {
  optind = 0;
  opterr = 0;
}

#endif
