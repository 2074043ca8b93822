#ifndef PANDA_CCRYPTO_SHIM_H
#define PANDA_CCRYPTO_SHIM_H

#include <openssl/evp.h>

/// SHA-256, to be kept: since OpenSSL 3, each use of EVP_sha256() looks it up anew, which takes
/// longer than hashing a short text.
static inline const EVP_MD *pantry_sha256(void) {
#if OPENSSL_VERSION_NUMBER >= 0x30000000L
  const EVP_MD *fetched = EVP_MD_fetch(NULL, "SHA256", NULL);
  if (fetched != NULL) return fetched;
#endif
  return EVP_sha256();
}

#endif
