#ifndef PANDA_CWEBP_SHIM_H
#define PANDA_CWEBP_SHIM_H

#include <webp/decode.h>
// Only the tests encode.
#include <webp/encode.h>

#endif
