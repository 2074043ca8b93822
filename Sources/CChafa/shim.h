#ifndef PANDA_CCHAFA_SHIM_H
#define PANDA_CCHAFA_SHIM_H

#include <chafa.h>

#endif
