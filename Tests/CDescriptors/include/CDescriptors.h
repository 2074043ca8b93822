#ifndef PANDA_CDESCRIPTORS_H
#define PANDA_CDESCRIPTORS_H

#include <spawn.h>

// accept4(2), pipe2(2) and posix_spawn_file_actions_addclosefrom_np(3) are GNU extensions, which
// Swift's import of the C library lacks. The tests need them: a descriptor that is marked later is
// inherited by a program that another test starts in between, and a connection that such a
// program holds never closes.

/// Accepts a connection that started programs do not inherit; -1 with errno as accept(2).
int panda_accept(int listener);

/// Makes a pipe that started programs do not inherit; -1 with errno as pipe(2).
int panda_pipe(int ends[2]);

/// Closes all descriptors from 3 on in the program that is started; an errno if memory runs out.
///
/// Other libraries do not mark theirs, such as Foundation its pipes: a program that another test
/// started would keep them open.
int panda_close_rest(posix_spawn_file_actions_t *actions);

#endif
