#ifndef PANDA_CVERSION_H
#define PANDA_CVERSION_H

/// The commit that the program was built from; empty if the build did not tell.
const char *panda_commit(void);

#endif
