#ifndef PANTRY_CCRYPTO_SHIM_H
#define PANTRY_CCRYPTO_SHIM_H

#include <stddef.h>

#include "../CLoadedLibrary/note.h"

// What Pantry calls of OpenSSL's libcrypto (https://docs.openssl.org/3.0/man3), declared as its
// manual does: nobody needs its headers to build Pantry. All of it has been in its stable interface
// since 3.0, of which every later 3.x keeps the binary interface.

/// The file name, which the dynamic loader looks up in its usual directories.
#define PANTRY_CRYPTO_LIBRARY "libcrypto.so.3"

typedef struct pantry_crypto_digest pantry_crypto_digest;
typedef struct pantry_crypto_context pantry_crypto_context;

/// The functions by their names; the list is used twice, so it is a macro.
#define PANTRY_CRYPTO_FUNCTIONS(F) \
  F(const char *, OpenSSL_version, (int part)) \
  F(pantry_crypto_digest *, EVP_MD_fetch, \
    (void *library, const char *algorithm, const char *properties)) \
  F(pantry_crypto_context *, EVP_MD_CTX_new, (void)) \
  F(void, EVP_MD_CTX_free, (pantry_crypto_context *context)) \
  F(int, EVP_DigestInit_ex, \
    (pantry_crypto_context *context, const pantry_crypto_digest *digest, void *engine)) \
  F(int, EVP_DigestUpdate, (pantry_crypto_context *context, const void *bytes, size_t count)) \
  F(int, EVP_DigestFinal_ex, \
    (pantry_crypto_context *context, unsigned char *digest, unsigned int *count))

struct pantry_crypto {
#define PANTRY_CRYPTO_MEMBER(result, name, parameters) result(*name) parameters;
  PANTRY_CRYPTO_FUNCTIONS(PANTRY_CRYPTO_MEMBER)
#undef PANTRY_CRYPTO_MEMBER
};

// Linked.c defines it, for a program that libcrypto is linked with.
extern const struct pantry_crypto pantry_linked_crypto __attribute__((weak));

/// The functions of the libcrypto that the program is linked with; NULL if it loads it.
static inline const struct pantry_crypto *pantry_crypto_if_linked(void) {
  return &pantry_linked_crypto;
}

/// The names of these functions, for LoadedLibrary. The program does not link libcrypto, unless it
/// is to be one file: what computes no digest starts 0.7 ms sooner, with 1.4 MB less memory.
static inline const char *const *pantry_crypto_symbols(void) {
  PANTRY_DLOPEN_NOTE(PANTRY_CRYPTO_LIBRARY, "required", "digests", "computes SHA-256")
#define PANTRY_CRYPTO_SYMBOL(result, name, parameters) #name,
  static const char *const symbols[] = {PANTRY_CRYPTO_FUNCTIONS(PANTRY_CRYPTO_SYMBOL) NULL};
#undef PANTRY_CRYPTO_SYMBOL
  return symbols;
}

/// OPENSSL_VERSION: the name and the version, such as "OpenSSL 3.0.17 1 Jul 2025".
static const int pantry_crypto_version = 0;

#endif
