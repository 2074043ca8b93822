#include "CVersion.h"

// Package.swift defines it from the environment variable PANDA_COMMIT. The macro is used only in
// this file, so that a new commit recompiles one C file and no Swift.
#ifndef PANDA_COMMIT
#define PANDA_COMMIT ""
#endif

const char *panda_commit(void) { return PANDA_COMMIT; }
