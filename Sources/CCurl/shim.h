#ifndef PANDA_CCURL_SHIM_H
#define PANDA_CCURL_SHIM_H

#include <curl/curl.h>

#endif
