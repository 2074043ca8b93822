#ifndef PANDA_CCURL_SHIM_H
#define PANDA_CCURL_SHIM_H

#include <curl/curl.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/socket.h>

#include "../CLoadedLibrary/note.h"

/// The functions of libcurl that Panda calls, without `curl_`. A macro, since the list is used
/// twice.
#define PANDA_CURL_FUNCTIONS(F) \
  F(global_init) F(version_info) F(free) \
  F(easy_init) F(easy_cleanup) F(easy_setopt) F(easy_getinfo) F(easy_strerror) \
  F(multi_init) F(multi_cleanup) F(multi_setopt) F(multi_add_handle) F(multi_remove_handle) \
  F(multi_perform) F(multi_info_read) F(multi_poll) F(multi_wakeup) F(multi_strerror) \
  F(slist_append) F(slist_free_all) \
  F(url) F(url_cleanup) F(url_set) F(url_get) F(url_strerror)

/// Pointers to these functions, with the types that curl's header declares.
struct panda_curl {
#define PANDA_CURL_MEMBER(name) __typeof__(curl_##name) *name;
  PANDA_CURL_FUNCTIONS(PANDA_CURL_MEMBER)
#undef PANDA_CURL_MEMBER
};

/// The file name, which the dynamic loader looks up in its usual directories.
#define PANDA_CURL_LIBRARY "libcurl.so.4"
/// Debian's name for the same library with GnuTLS.
#define PANDA_CURL_GNUTLS_LIBRARY "libcurl-gnutls.so.4"

/// The names of these functions, for LoadedLibrary. The program does not link libcurl: that would
/// load 27 more libraries at each launch. It is never unloaded: its exit handlers must stay valid.
static inline const char *const *panda_curl_symbols(void) {
  PANTRY_DLOPEN_NOTE(PANDA_CURL_LIBRARY "\",\"" PANDA_CURL_GNUTLS_LIBRARY, "required", "network", "fetches pictures")
#define PANDA_CURL_SYMBOL(name) "curl_" #name,
  static const char *const symbols[] = {PANDA_CURL_FUNCTIONS(PANDA_CURL_SYMBOL) NULL};
#undef PANDA_CURL_SYMBOL
  return symbols;
}

/// curl_easy_setopt is variadic: Swift cannot call it. Options that take a `long`.
static inline CURLcode panda_curl_set_long(const struct panda_curl *curl, CURL *easy,
                                           CURLoption option, long value) {
  return curl->easy_setopt(easy, option, value);
}

/// curl_easy_setopt is variadic: Swift cannot call it. Options that copy a C string.
static inline CURLcode panda_curl_set_string(const struct panda_curl *curl, CURL *easy,
                                             CURLoption option, const char *value) {
  return curl->easy_setopt(easy, option, value);
}

/// curl_easy_setopt is variadic: Swift cannot call it. Options that keep a pointer.
static inline CURLcode panda_curl_set_pointer(const struct panda_curl *curl, CURL *easy,
                                              CURLoption option, void *value) {
  return curl->easy_setopt(easy, option, value);
}

/// curl_easy_setopt is variadic: Swift cannot call it. The write and the header callback.
static inline CURLcode panda_curl_set_receiver(const struct panda_curl *curl, CURL *easy,
                                               CURLoption option, curl_write_callback value) {
  return curl->easy_setopt(easy, option, value);
}

/// curl_easy_setopt is variadic: Swift cannot call it. The callback that creates the socket.
static inline CURLcode panda_curl_set_opensocket(const struct panda_curl *curl, CURL *easy,
                                                 curl_opensocket_callback value) {
  return curl->easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

/// curl_easy_setopt is variadic: Swift cannot call it. The callback before a request is sent.
static inline CURLcode panda_curl_set_prereq(const struct panda_curl *curl, CURL *easy,
                                             curl_prereq_callback value) {
  return curl->easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

/// curl_easy_getinfo is variadic: Swift cannot call it. Facts that are a `long`.
static inline CURLcode panda_curl_get_long(const struct panda_curl *curl, CURL *easy, CURLINFO info,
                                           long *value) {
  return curl->easy_getinfo(easy, info, value);
}

/// curl_easy_getinfo is variadic: Swift cannot call it. Facts that are a `curl_off_t`.
static inline CURLcode panda_curl_get_offset(const struct panda_curl *curl, CURL *easy,
                                             CURLINFO info, curl_off_t *value) {
  return curl->easy_getinfo(easy, info, value);
}

/// curl_multi_setopt is variadic: Swift cannot call it. Options that take a `long`.
static inline CURLMcode panda_curl_multi_set_long(const struct panda_curl *curl, CURLM *multi,
                                                  CURLMoption option, long value) {
  return curl->multi_setopt(multi, option, value);
}

/// CURLMsg keeps its result in an anonymous union, which Swift could only access by a mangled name.
static inline CURLcode panda_curl_message_result(const CURLMsg *message) {
  return message->data.result;
}

/// The address is longer than its declared type `struct sockaddr`, so reading the imported field
/// would copy 16 bytes of a 28-byte IPv6 address: return a pointer to it instead.
static inline const struct sockaddr *panda_curl_address(const struct curl_sockaddr *address) {
  return &address->addr;
}

/// prctl is variadic: Swift cannot call it. Names the calling thread for `top -H` and debuggers.
static inline int panda_curl_name_thread(const char *name) {
  return prctl(PR_SET_NAME, name);
}

// Some constants of libcurl are macros in one release and enumerators in another, so their types in
// Swift differ (CURL_NETRC_IGNORED until 8.13 and since): each gets the type of its parameter.

/// For curl_global_init.
static const long panda_curl_global_default = CURL_GLOBAL_DEFAULT;

/// For the callback that creates the socket.
static const curl_socket_t panda_curl_socket_bad = CURL_SOCKET_BAD;

/// For CURLOPT_NETRC.
static const long panda_curl_netrc_ignored = CURL_NETRC_IGNORED;

/// For CURLOPT_SSLVERSION.
static const long panda_curl_tls_1_2 = CURL_SSLVERSION_TLSv1_2;

/// For CURLOPT_ERRORBUFFER: the size of the buffer.
static const size_t panda_curl_error_size = CURL_ERROR_SIZE;

/// Return values of the callback before a request is sent.
static const int panda_curl_prereq_ok = CURL_PREREQFUNC_OK;
static const int panda_curl_prereq_abort = CURL_PREREQFUNC_ABORT;

/// Flags of curl_url_set and curl_url_get.
static const unsigned int panda_curl_url_default_port = CURLU_DEFAULT_PORT;
static const unsigned int panda_curl_url_disallow_user = CURLU_DISALLOW_USER;
static const unsigned int panda_curl_url_encode = CURLU_URLENCODE;
static const unsigned int panda_curl_url_allow_space = CURLU_ALLOW_SPACE;
static const unsigned int panda_curl_url_any_scheme = CURLU_NON_SUPPORT_SCHEME;

/// CURLU_PUNYCODE came with 7.88. Before that, names are left unchanged, and HTTPAddress refuses
/// those that are not ASCII.
#if LIBCURL_VERSION_NUM >= 0x075800
static const unsigned int panda_curl_url_punycode = CURLU_PUNYCODE;
#else
static const unsigned int panda_curl_url_punycode = 0;
#endif

/// Allows http and https only. CURLOPT_PROTOCOLS_STR came with 7.85; before that it was a bit mask.
static inline CURLcode panda_curl_allow_http(const struct panda_curl *curl, CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl->easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl->easy_setopt(easy, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

/// Lets a handle be removed without waiting for its name lookup. CURLOPT_QUICK_EXIT came with 7.87;
/// before that, removal waits until getaddrinfo gives up.
static inline CURLcode panda_curl_abandon_lookups(const struct panda_curl *curl, CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
  return curl->easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
  (void)curl, (void)easy;
  return CURLE_OK;
#endif
}

#endif
