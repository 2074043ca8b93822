// Preloaded into the program: makes the signal handler's wait for writes under way, a poll of
// nothing for 2 ms, take 600 ms, so that a frame is drawn meanwhile, on a busy machine too.

#define _GNU_SOURCE
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int poll(struct pollfd *fds, nfds_t n, int timeout) {
  struct timespec time = {timeout / 1000, timeout % 1000 * 1000000L};
  if (!fds && n == 0 && timeout == 2) time.tv_nsec = 600 * 1000000L;
  return (int)syscall(SYS_ppoll, fds, n, timeout < 0 ? NULL : &time, NULL, 0);
}
