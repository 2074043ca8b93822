#ifndef PANDA_CWIDECHARACTERS_SHIM_H
#define PANDA_CWIDECHARACTERS_SHIM_H

#include <stddef.h>

/// wchar.h declares wcwidth only with _XOPEN_SOURCE, which Swift's import of it does not define.
extern int wcwidth(wchar_t character);

#endif
