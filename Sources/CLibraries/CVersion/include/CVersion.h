#ifndef PANDA_CVERSION_H
#define PANDA_CVERSION_H

/// The version, the date and the commit of the build, with blanks between; empty if not told.
const char *panda_build(void);

/// The licenses of what the program contains, as text; empty if not told.
const char *panda_notices(void);

#endif
