#ifndef PANDA_CDESCRIPTORS_SHIM_H
#define PANDA_CDESCRIPTORS_SHIM_H

#include <fcntl.h>
#include <sys/socket.h>

// accept4(2) and pipe2(2) are GNU extensions, which Swift's import of the C library lacks. The tests
// need them: a descriptor that is marked only later is inherited by a program that another test
// starts in between, and a connection that such a program holds never closes.

extern int accept4(int, struct sockaddr *, socklen_t *, int);
extern int pipe2(int[2], int);

/// Accepts a connection that started programs do not inherit.
static inline int panda_accept(int listener) {
  return accept4(listener, (struct sockaddr *)0, (socklen_t *)0, SOCK_CLOEXEC);
}

/// Makes a pipe that started programs do not inherit.
static inline int panda_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

#endif
