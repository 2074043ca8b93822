#ifndef PANDA_CDESCRIPTORS_H
#define PANDA_CDESCRIPTORS_H

// accept4(2) and pipe2(2) are GNU extensions, which Swift's import of the C library lacks. The
// tests need them: a descriptor that is marked only later is inherited by a program that another
// test starts in between, and a connection that such a program holds never closes.

/// Accepts a connection that started programs do not inherit; -1 with errno as accept(2).
int panda_accept(int listener);

/// Makes a pipe that started programs do not inherit; -1 with errno as pipe(2).
int panda_pipe(int ends[2]);

#endif
