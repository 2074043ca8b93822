#ifndef PANDA_CGIF_SHIM_H
#define PANDA_CGIF_SHIM_H

#include <gif_lib.h>

#endif
