#ifndef PANDA_CNCURSES_SHIM_H
#define PANDA_CNCURSES_SHIM_H

// The wide-character interface: without it cells hold bytes, not characters.
#define NCURSES_WIDECHAR 1
#include <ncurses.h>

#endif
