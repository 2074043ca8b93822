#include <lcms2.h>

#include "../../../../Sources/CLibraries/CLCMS/shim.h"
#include "same.hpp"

SAME_MEMBER(panda_cms_xyY, x, cmsCIExyY, x)
SAME_MEMBER(panda_cms_xyY, y, cmsCIExyY, y)
SAME_MEMBER(panda_cms_xyY, luminance, cmsCIExyY, Y)
static_assert(sizeof(panda_cms_xyY) == sizeof(cmsCIExyY));
static_assert(offsetof(panda_cms_primaries, red) == offsetof(cmsCIExyYTRIPLE, Red));
static_assert(offsetof(panda_cms_primaries, green) == offsetof(cmsCIExyYTRIPLE, Green));
static_assert(offsetof(panda_cms_primaries, blue) == offsetof(cmsCIExyYTRIPLE, Blue));
static_assert(sizeof(panda_cms_primaries) == sizeof(cmsCIExyYTRIPLE));

static_assert(panda_cms_rgba == TYPE_RGBA_8);
static_assert(
    panda_cms_gray == (COLORSPACE_SH(PT_GRAY) | EXTRA_SH(3) | CHANNELS_SH(1) | BYTES_SH(1)));
static_assert(panda_cms_cmyk == TYPE_CMYK_8);
static_assert(panda_cms_cmyk_inverted == TYPE_CMYK_8_REV);
static_assert(panda_cms_perceptual == INTENT_PERCEPTUAL);
static_assert(panda_cms_no_cache == cmsFLAGS_NOCACHE);

#define panda_cms_curve cmsToneCurve
#define panda_cms_xyY cmsCIExyY
#define panda_cms_primaries cmsCIExyYTRIPLE
#define SAME_CMS_FUNCTION(result, name, parameters) SAME_FUNCTION(result, cms##name, parameters)
PANDA_CMS_FUNCTIONS(SAME_CMS_FUNCTION)
