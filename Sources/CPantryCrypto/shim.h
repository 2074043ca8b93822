#ifndef PANDA_CCRYPTO_SHIM_H
#define PANDA_CCRYPTO_SHIM_H

#include <openssl/evp.h>

#endif
