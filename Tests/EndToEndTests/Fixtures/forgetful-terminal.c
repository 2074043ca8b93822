// Preloaded into a program: the first ten long writes to standard output wait until a signal
// interrupts them, as with a kernel that forgets to wake a writer once a pseudo-terminal has room.

#define _GNU_SOURCE
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t write(int fd, const void *bytes, size_t count) {
  static atomic_int writes = 0;
  if (fd == STDOUT_FILENO && count > 256 && atomic_fetch_add(&writes, 1) < 10) pause();
  return syscall(SYS_write, fd, bytes, count);
}
