#ifndef PANDA_CPNG_SHIM_H
#define PANDA_CPNG_SHIM_H

#include <png.h>

#endif
