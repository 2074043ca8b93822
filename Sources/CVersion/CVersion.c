#include "CVersion.h"

// Package.swift defines it from the environment variable PANDA_COMMIT: a macro of this file alone,
// so that another commit compiles one file of C and no Swift.
#ifndef PANDA_COMMIT
#define PANDA_COMMIT ""
#endif

const char *panda_commit(void) { return PANDA_COMMIT; }
