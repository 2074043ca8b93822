#ifndef PANDA_CHEIF_SHIM_H
#define PANDA_CHEIF_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "../CLoadedLibrary/note.h"

// What Panda calls of libheif (https://github.com/strukturag/libheif), declared as its header does:
// nobody needs that to build Panda. All of it has been in its stable interface since 1.12.

typedef struct panda_heif_context panda_heif_context;
typedef struct panda_heif_handle panda_heif_handle;
typedef struct panda_heif_image panda_heif_image;

/// The result of a call (heif_error); the message belongs to the library.
typedef struct {
  int code;
  int subcode;
  const char *message;
} panda_heif_error;

/// The beginning of heif_decoding_options, as of its second version.
typedef struct {
  uint8_t version;
  uint8_t ignores_transformations;
  void (*begins)(int step, int most, void *data);
  void (*goes_on)(int step, int progress, void *data);
  void (*ends)(int step, void *data);
  void *data;
  uint8_t converts_to_8_bits;
} panda_heif_options;

/// The beginning of heif_color_profile_nclx.
typedef struct {
  uint8_t version;
  int primaries;
  int transfer;
} panda_heif_colors;

/// The functions, without `heif_`; the list is used twice, so it is a macro.
#define PANDA_HEIF_FUNCTIONS(F) \
  F(const char *, get_version, (void)) \
  F(panda_heif_context *, context_alloc, (void)) \
  F(void, context_free, (panda_heif_context *context)) \
  F(void, context_set_maximum_image_size_limit, (panda_heif_context *context, int side)) \
  F(panda_heif_error, context_read_from_memory_without_copy, \
    (panda_heif_context *context, const void *bytes, size_t count, const void *options)) \
  F(panda_heif_error, context_get_primary_image_handle, \
    (panda_heif_context *context, panda_heif_handle **handle)) \
  F(panda_heif_error, image_handle_get_thumbnail, \
    (const panda_heif_handle *handle, uint32_t thumbnail, panda_heif_handle **result)) \
  F(void, image_handle_release, (const panda_heif_handle *handle)) \
  F(int, image_handle_has_alpha_channel, (const panda_heif_handle *handle)) \
  F(int, image_handle_is_premultiplied_alpha, (const panda_heif_handle *handle)) \
  F(size_t, image_handle_get_raw_color_profile_size, (const panda_heif_handle *handle)) \
  F(panda_heif_error, image_handle_get_raw_color_profile, \
    (const panda_heif_handle *handle, void *bytes)) \
  F(panda_heif_error, image_handle_get_nclx_color_profile, \
    (const panda_heif_handle *handle, panda_heif_colors **colors)) \
  F(void, nclx_color_profile_free, (panda_heif_colors *colors)) \
  F(panda_heif_options *, decoding_options_alloc, (void)) \
  F(void, decoding_options_free, (panda_heif_options *options)) \
  F(panda_heif_error, decode_image, \
    (const panda_heif_handle *handle, panda_heif_image **image, int colorspace, int chroma, \
     const panda_heif_options *options)) \
  F(const uint8_t *, image_get_plane_readonly, \
    (const panda_heif_image *image, int channel, int *stride)) \
  F(int, image_get_width, (const panda_heif_image *image, int channel)) \
  F(int, image_get_height, (const panda_heif_image *image, int channel)) \
  F(int, image_get_decoding_warnings, \
    (panda_heif_image *image, int first, panda_heif_error *warnings, int most)) \
  F(void, image_release, (const panda_heif_image *image))

struct panda_heif {
#define PANDA_HEIF_MEMBER(result, name, parameters) result(*name) parameters;
  PANDA_HEIF_FUNCTIONS(PANDA_HEIF_MEMBER)
#undef PANDA_HEIF_MEMBER
};

/// The file name, which the dynamic loader looks up in its usual directories.
#define PANDA_HEIF_LIBRARY "libheif.so.1"

/// The names of these functions, for LoadedLibrary. The program does not link libheif: that would
/// load the decoders of two video formats at each launch.
static inline const char *const *panda_heif_symbols(void) {
  PANTRY_DLOPEN_NOTE(PANDA_HEIF_LIBRARY, "recommended", "heif", "reads HEIC and AVIF")
#define PANDA_HEIF_SYMBOL(result, name, parameters) "heif_" #name,
  static const char *const symbols[] = {PANDA_HEIF_FUNCTIONS(PANDA_HEIF_SYMBOL) NULL};
#undef PANDA_HEIF_SYMBOL
  return symbols;
}

/// heif_colorspace_RGB, heif_chroma_interleaved_RGBA and heif_channel_interleaved.
static const int panda_heif_rgb = 1;
static const int panda_heif_rgba = 11;
static const int panda_heif_interleaved = 10;

// heif_error_code and heif_suberror_code.
static const int panda_heif_unsupported_filetype = 3;
static const int panda_heif_unsupported_feature = 4;
static const int panda_heif_end_of_data = 100;
static const int panda_heif_no_codec = 3000;

#endif
