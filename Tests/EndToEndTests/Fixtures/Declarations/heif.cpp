#include <libheif/heif.h>

#include "../../../../Sources/CLibraries/CHEIF/shim.h"
#include "same.hpp"

SAME_MEMBER(panda_heif_error, code, heif_error, code)
SAME_MEMBER(panda_heif_error, subcode, heif_error, subcode)
SAME_MEMBER(panda_heif_error, message, heif_error, message)
static_assert(sizeof(panda_heif_error) == sizeof(heif_error));
SAME_MEMBER(panda_heif_options, version, heif_decoding_options, version)
SAME_MEMBER(
    panda_heif_options, ignores_transformations, heif_decoding_options, ignore_transformations)
SAME_MEMBER(panda_heif_options, begins, heif_decoding_options, start_progress)
SAME_MEMBER(panda_heif_options, goes_on, heif_decoding_options, on_progress)
SAME_MEMBER(panda_heif_options, ends, heif_decoding_options, end_progress)
SAME_MEMBER(panda_heif_options, data, heif_decoding_options, progress_user_data)
SAME_MEMBER(
    panda_heif_options, converts_to_8_bits, heif_decoding_options, convert_hdr_to_8bit)
SAME_MEMBER(panda_heif_colors, version, heif_color_profile_nclx, version)
SAME_MEMBER(panda_heif_colors, primaries, heif_color_profile_nclx, color_primaries)
SAME_MEMBER(panda_heif_colors, transfer, heif_color_profile_nclx, transfer_characteristics)

static_assert(panda_heif_rgb == heif_colorspace_RGB);
static_assert(panda_heif_rgba == heif_chroma_interleaved_RGBA);
static_assert(panda_heif_interleaved == heif_channel_interleaved);
static_assert(panda_heif_unsupported_filetype == heif_error_Unsupported_filetype);
static_assert(panda_heif_unsupported_feature == heif_error_Unsupported_feature);
static_assert(panda_heif_end_of_data == heif_suberror_End_of_data);
static_assert(panda_heif_no_codec == heif_suberror_Unsupported_codec);

#define panda_heif_context heif_context
#define panda_heif_handle heif_image_handle
#define panda_heif_image heif_image
#define panda_heif_error heif_error
#define panda_heif_options heif_decoding_options
#define panda_heif_colors heif_color_profile_nclx
#define SAME_HEIF_FUNCTION(result, name, parameters) SAME_FUNCTION(result, heif_##name, parameters)
PANDA_HEIF_FUNCTIONS(SAME_HEIF_FUNCTION)
