#ifndef PANDA_CLCMS_SHIM_H
#define PANDA_CLCMS_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "../CLoadedLibrary/note.h"

// What Panda calls of Little CMS 2 (https://www.littlecms.com), declared as its manual does: nobody
// needs its header to build Panda. All of it has been in its stable interface since 2.0.

typedef void *panda_cms_profile;
typedef void *panda_cms_transform;
typedef struct panda_cms_curve panda_cms_curve;

/// A color by its chromaticity and luminance (cmsCIExyY).
typedef struct {
  double x, y, luminance;
} panda_cms_xyY;

/// The primaries of a space (cmsCIExyYTRIPLE).
typedef struct {
  panda_cms_xyY red, green, blue;
} panda_cms_primaries;

/// The functions, without `cms`; the list is used twice, so it is a macro.
#define PANDA_CMS_FUNCTIONS(F) \
  F(int, GetEncodedCMMversion, (void)) \
  F(panda_cms_profile, OpenProfileFromMem, (const void *bytes, uint32_t count)) \
  F(panda_cms_profile, Create_sRGBProfile, (void)) \
  F(panda_cms_profile, CreateRGBProfile, \
    (const panda_cms_xyY *white, const panda_cms_primaries *primaries, \
     panda_cms_curve *const curves[3])) \
  F(int, CloseProfile, (panda_cms_profile profile)) \
  F(panda_cms_curve *, BuildParametricToneCurve, \
    (void *context, int32_t type, const double parameters[])) \
  F(panda_cms_curve *, BuildTabulatedToneCurve16, \
    (void *context, uint32_t count, const uint16_t values[])) \
  F(void, FreeToneCurve, (panda_cms_curve *curve)) \
  F(panda_cms_transform, CreateTransform, \
    (panda_cms_profile input, uint32_t input_format, panda_cms_profile output, \
     uint32_t output_format, uint32_t intent, uint32_t flags)) \
  F(void, DoTransform, \
    (panda_cms_transform transform, const void *input, void *output, uint32_t pixels)) \
  F(void, DeleteTransform, (panda_cms_transform transform))

struct panda_cms {
#define PANDA_CMS_MEMBER(result, name, parameters) result(*name) parameters;
  PANDA_CMS_FUNCTIONS(PANDA_CMS_MEMBER)
#undef PANDA_CMS_MEMBER
};

/// The file name, which the dynamic loader looks up in its usual directories.
#define PANDA_CMS_LIBRARY "liblcms2.so.2"

/// The names of these functions, for LoadedLibrary. The program does not link Little CMS: few
/// pictures have another profile than that of sRGB.
static inline const char *const *panda_cms_symbols(void) {
  PANTRY_DLOPEN_NOTE(PANDA_CMS_LIBRARY, "recommended", "color", "converts color profiles to sRGB")
#define PANDA_CMS_SYMBOL(result, name, parameters) "cms" #name,
  static const char *const symbols[] = {PANDA_CMS_FUNCTIONS(PANDA_CMS_SYMBOL) NULL};
#undef PANDA_CMS_SYMBOL
  return symbols;
}

// The layouts of a pixel of four bytes (lcms2.h: color space << 16 | inverted << 13 | other bytes
// << 7 | channels << 3 | bytes of a channel).
/// Red, green, blue, and a byte that is left as it is (TYPE_RGBA_8).
static const uint32_t panda_cms_rgba = 4 << 16 | 1 << 7 | 3 << 3 | 1;
/// Gray, and three bytes that are left as they are.
static const uint32_t panda_cms_gray = 3 << 16 | 3 << 7 | 1 << 3 | 1;
/// Cyan, magenta, yellow, black: 255 is all of the ink (TYPE_CMYK_8), or none of it
/// (TYPE_CMYK_8_REV).
static const uint32_t panda_cms_cmyk = 6 << 16 | 4 << 3 | 1;
static const uint32_t panda_cms_cmyk_inverted = 6 << 16 | 1 << 13 | 4 << 3 | 1;

/// INTENT_PERCEPTUAL, which browsers use for pictures.
static const uint32_t panda_cms_perceptual = 0;
/// cmsFLAGS_NOCACHE: several threads may use the transform at the same time.
static const uint32_t panda_cms_no_cache = 0x0040;

#endif
