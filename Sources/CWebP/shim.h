#ifndef PANDA_CWEBP_SHIM_H
#define PANDA_CWEBP_SHIM_H

#include <webp/decode.h>

#endif
