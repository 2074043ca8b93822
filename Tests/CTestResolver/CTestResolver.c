// Stands before the C library's getaddrinfo in the test program, so that tests have names that
// never resolve and names that resolve to a private address. In C, since only the linker can do
// it: a symbol of the program comes before one of a shared library.

#define _GNU_SOURCE
#include "CTestResolver.h"

#include <dlfcn.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting = 0;
static int released = 0;
static int failing = 0;

typedef int lookup(const char *, const char *, const struct addrinfo *, struct addrinfo **);

static int is_below(const char *name, const char *domain) {
  size_t length = name ? strlen(name) : 0, end = strlen(domain);
  return length > end && strcmp(name + length - end, domain) == 0;
}

int getaddrinfo(const char *restrict name, const char *restrict service,
                const struct addrinfo *restrict hints, struct addrinfo **restrict result) {
  if (is_below(name, ".blocked.test")) {
    pthread_mutex_lock(&lock);
    waiting += 1;
    while (!released) pthread_cond_wait(&changed, &lock);
    waiting -= 1;
    pthread_mutex_unlock(&lock);
    return EAI_AGAIN;
  }
  if (is_below(name, ".unknown.test")) return EAI_NONAME;
  if (is_below(name, ".failing.test")) {
    pthread_mutex_lock(&lock);
    int fails = failing > 0;
    failing -= fails;
    pthread_mutex_unlock(&lock);
    if (fails) return EAI_AGAIN;
    name = "a.private.test";
  }
  lookup *real = (lookup *)dlsym(RTLD_NEXT, "getaddrinfo");
  return real(is_below(name, ".private.test") ? "127.0.0.1" : name, service, hints, result);
}

int panda_test_blocked_lookups(void) {
  pthread_mutex_lock(&lock);
  int count = waiting;
  pthread_mutex_unlock(&lock);
  return count;
}

void panda_test_release_lookups(void) {
  pthread_mutex_lock(&lock);
  released = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

void panda_test_fail_lookups(int count) {
  pthread_mutex_lock(&lock);
  failing = count;
  pthread_mutex_unlock(&lock);
}
