#ifndef TG_INTERNAL_H
#define TG_INTERNAL_H

#include <stddef.h>

// What the files of this module share.

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/// Whether a handler is ending the process.
extern _Atomic int tg_dying;

/// Writes all bytes with a deadline on the time without progress, which only a nonblocking
/// descriptor has; the one write loop of the program. ECANCELED once a handler is ending the
/// process, if `stop_when_dying`.
int tg_write_loop(int fd, const char *bytes, size_t n, int patience_ms, int stop_when_dying);

#endif
