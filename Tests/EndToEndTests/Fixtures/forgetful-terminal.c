// Preloaded into a program: a kernel that forgets to wake a writer once a pseudo-terminal has room.
//
// The first ten long writes to the terminal are affected. If the program may open the terminal
// anew, they say that there is no room, and nothing tells when there is. Otherwise, with
// FORGETFUL=waiting, they wait until a signal interrupts them.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

static int isWaiting(void) {
  const char *value = getenv("FORGETFUL");
  return value && strcmp(value, "waiting") == 0;
}

static int terminal = -1;

int openat(int folder, const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int mode = va_arg(rest, int);
  va_end(rest);
  int isTerminal = strcmp(path, "/proc/self/fd/1") == 0;
  if (isTerminal && isWaiting()) {
    errno = EACCES;
    return -1;
  }
  int descriptor = (int)syscall(SYS_openat, folder, path, flags, mode);
  if (isTerminal) terminal = descriptor;
  return descriptor;
}

int openat64(int folder, const char *path, int flags, ...) __attribute__((alias("openat")));

ssize_t write(int fd, const void *bytes, size_t count) {
  static atomic_int writes = 0;
  if (count > 256 && fd == (isWaiting() ? STDOUT_FILENO : terminal) &&
      atomic_fetch_add(&writes, 1) < 10) {
    if (!isWaiting()) {
      errno = EAGAIN;
      return -1;
    }
    pause();
  }
  return syscall(SYS_write, fd, bytes, count);
}

int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
  if (terminal >= 0 && event && event->events & EPOLLOUT) return 0;
  return (int)syscall(SYS_epoll_ctl, epoll, operation, fd, event);
}
