#ifndef PANDA_CCURL_SHIM_H
#define PANDA_CCURL_SHIM_H

#include <curl/curl.h>
#include <sys/prctl.h>
#include <sys/socket.h>

/// curl_easy_setopt is variadic: Swift cannot call it. Options that take a `long`.
static inline CURLcode panda_curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

/// curl_easy_setopt is variadic: Swift cannot call it. Options that copy a C string.
static inline CURLcode panda_curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

/// curl_easy_setopt is variadic: Swift cannot call it. Options that keep a pointer.
static inline CURLcode panda_curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

/// curl_easy_setopt is variadic: Swift cannot call it. The write and the header callback.
static inline CURLcode panda_curl_set_receiver(CURL *easy, CURLoption option,
                                               curl_write_callback value) {
  return curl_easy_setopt(easy, option, value);
}

/// curl_easy_setopt is variadic: Swift cannot call it. The callback that makes the socket.
static inline CURLcode panda_curl_set_opensocket(CURL *easy, curl_opensocket_callback value) {
  return curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, value);
}

/// curl_easy_setopt is variadic: Swift cannot call it. The callback before a request is sent.
static inline CURLcode panda_curl_set_prereq(CURL *easy, curl_prereq_callback value) {
  return curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, value);
}

/// curl_easy_getinfo is variadic: Swift cannot call it. Facts that are a `long`.
static inline CURLcode panda_curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

/// curl_easy_getinfo is variadic: Swift cannot call it. Facts that are a `curl_off_t`.
static inline CURLcode panda_curl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

/// curl_multi_setopt is variadic: Swift cannot call it. Options that take a `long`.
static inline CURLMcode panda_curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/// CURLMsg keeps its result in an anonymous union: Swift would have to name it by its mangling.
static inline CURLcode panda_curl_message_result(const CURLMsg *message) {
  return message->data.result;
}

/// The address is longer than the `struct sockaddr` it is declared as, so that reading the
/// imported field would copy 16 bytes of a 28 byte IPv6 address: hand out where it lies instead.
static inline const struct sockaddr *panda_curl_address(const struct curl_sockaddr *address) {
  return &address->addr;
}

/// prctl is variadic: Swift cannot call it. Names the calling thread for `top -H` and debuggers.
static inline int panda_curl_name_thread(const char *name) {
  return prctl(PR_SET_NAME, name);
}

/// CURL_GLOBAL_DEFAULT is a macro made of macros: Swift does not import it.
static const long panda_curl_global_default = CURL_GLOBAL_DEFAULT;

/// CURL_SOCKET_BAD is a macro with a sign: Swift does not import it.
static const curl_socket_t panda_curl_socket_bad = CURL_SOCKET_BAD;


#endif
