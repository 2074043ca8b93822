#ifndef PANDA_CFILESYSTEM_SHIM_H
#define PANDA_CFILESYSTEM_SHIM_H

// statfs, which tells what kind of file system it is.
#include <sys/vfs.h>

/// unistd.h declares syncfs only with _GNU_SOURCE, which Swift's import of it does not define.
extern int syncfs(int descriptor);

#endif
