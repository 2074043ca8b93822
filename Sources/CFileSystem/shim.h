#ifndef PANDA_CFILESYSTEM_SHIM_H
#define PANDA_CFILESYSTEM_SHIM_H

/// unistd.h declares syncfs only with _GNU_SOURCE, which Swift's import of it does not define.
extern int syncfs(int descriptor);

#endif
