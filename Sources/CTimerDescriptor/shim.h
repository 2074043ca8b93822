#ifndef PANDA_CTIMERDESCRIPTOR_SHIM_H
#define PANDA_CTIMERDESCRIPTOR_SHIM_H

/* timerfd_create(2) and its like, which Swift's Glibc does not import. */
#include <sys/timerfd.h>

#endif
