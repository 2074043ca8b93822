#ifndef PANDA_CTURBOJPEG_SHIM_H
#define PANDA_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

#endif
