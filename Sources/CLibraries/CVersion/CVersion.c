#include "CVersion.h"

// In the object that Scripts/link-flags adds to a release, so that a new commit compiles nothing.
extern const char panda_build_text[] __attribute__((weak));
extern const char panda_notices_text[] __attribute__((weak));

const char *panda_build(void) { return panda_build_text ? panda_build_text : ""; }

const char *panda_notices(void) { return panda_notices_text ? panda_notices_text : ""; }
