#include <openssl/crypto.h>
#include <openssl/evp.h>

#include "../../../../Sources/CLibraries/CPantryCrypto/shim.h"
#include "same.hpp"

static_assert(OPENSSL_VERSION_MAJOR == 3);
static_assert(pantry_crypto_version == OPENSSL_VERSION);

#define pantry_crypto_digest EVP_MD
#define pantry_crypto_context EVP_MD_CTX
PANTRY_CRYPTO_FUNCTIONS(SAME_FUNCTION)
