#ifndef PANDA_CMEMORY_SHIM_H
#define PANDA_CMEMORY_SHIM_H

// Swift's Glibc module has no malloc.h, and so no mallopt.
#include <malloc.h>

#endif
