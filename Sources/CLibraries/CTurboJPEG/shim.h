#ifndef PANDA_CTURBOJPEG_SHIM_H
#define PANDA_CTURBOJPEG_SHIM_H

#include <turbojpeg.h>

// TurboJPEG takes its enumerators and flags as `int`: each gets the type of its parameter.

/// Pixel formats.
static const int panda_tj_pixels_rgba = TJPF_RGBA;
static const int panda_tj_pixels_rgbx = TJPF_RGBX;
static const int panda_tj_pixels_cmyk = TJPF_CMYK;

/// Color spaces that tjDecompressHeader3 reports.
static const int panda_tj_colors_cmyk = TJCS_CMYK;
static const int panda_tj_colors_ycck = TJCS_YCCK;

/// Chroma subsampling; all but 4:4:4 and 4:2:0 are for the tests.
static const int panda_tj_sampling_444 = TJSAMP_444;
static const int panda_tj_sampling_440 = TJSAMP_440;
static const int panda_tj_sampling_422 = TJSAMP_422;
static const int panda_tj_sampling_420 = TJSAMP_420;
static const int panda_tj_sampling_411 = TJSAMP_411;
static const int panda_tj_sampling_gray = TJSAMP_GRAY;

/// Flags; TJFLAG_PROGRESSIVE is for the tests.
static const int panda_tj_limit_scans = TJFLAG_LIMITSCANS;
static const int panda_tj_progressive = TJFLAG_PROGRESSIVE;

/// The result of tjGetErrorCode for damage that did not prevent decoding.
static const int panda_tj_warning = TJERR_WARNING;

#endif
