// The table of a program that has libcrypto in it: Scripts/link-flags compiles it for one file.
#include "shim.h"

#define PANTRY_CRYPTO_DECLARATION(result, name, parameters) result name parameters;
PANTRY_CRYPTO_FUNCTIONS(PANTRY_CRYPTO_DECLARATION)

#define PANTRY_CRYPTO_ADDRESS(result, name, parameters) name,
const struct pantry_crypto pantry_linked_crypto = {PANTRY_CRYPTO_FUNCTIONS(PANTRY_CRYPTO_ADDRESS)};
