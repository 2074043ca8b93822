#include "CVersion.h"

// In the object that Scripts/link-flags adds to a release, so that a new commit compiles nothing.
extern const char panda_commit_text[] __attribute__((weak));

const char *panda_commit(void) { return panda_commit_text ? panda_commit_text : ""; }
