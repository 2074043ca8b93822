#ifndef PANDA_CPANGO_SHIM_H
#define PANDA_CPANGO_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "../CLoadedLibrary/note.h"

// What Panda calls of Pango (https://docs.gtk.org/Pango) and Cairo (https://cairographics.org),
// declared as their manuals do: nobody needs their headers to build Panda. All of it has been in
// their stable interface since Pango 1.44 and Cairo 1.10.

typedef struct panda_cairo_surface panda_cairo_surface;
typedef struct panda_cairo panda_cairo;
typedef struct panda_cairo_pattern panda_cairo_pattern;
typedef struct panda_cairo_font_options panda_cairo_font_options;
typedef struct panda_pango_font_map panda_pango_font_map;
typedef struct panda_pango_context panda_pango_context;
typedef struct panda_pango_font panda_pango_font;
typedef struct panda_pango_layout panda_pango_layout;
typedef struct panda_pango_font_description panda_pango_font_description;

/// Pointers to the functions, by their names; the list is used twice, so it is a macro.
#define PANDA_PANGO_FUNCTIONS(F) \
  F(const char *, cairo_version_string, (void)) \
  F(panda_cairo_surface *, cairo_image_surface_create_for_data, \
    (unsigned char *data, int format, int width, int height, int stride)) \
  F(int, cairo_surface_status, (panda_cairo_surface *surface)) \
  F(void, cairo_surface_flush, (panda_cairo_surface *surface)) \
  F(void, cairo_surface_destroy, (panda_cairo_surface *surface)) \
  F(panda_cairo *, cairo_create, (panda_cairo_surface *surface)) \
  F(int, cairo_status, (panda_cairo *cairo)) \
  F(const char *, cairo_status_to_string, (int status)) \
  F(void, cairo_destroy, (panda_cairo *cairo)) \
  F(void, cairo_save, (panda_cairo *cairo)) \
  F(void, cairo_restore, (panda_cairo *cairo)) \
  F(void, cairo_scale, (panda_cairo *cairo, double x, double y)) \
  F(void, cairo_set_source_rgba, \
    (panda_cairo *cairo, double red, double green, double blue, double alpha)) \
  F(void, cairo_set_source_surface, \
    (panda_cairo *cairo, panda_cairo_surface *surface, double x, double y)) \
  F(panda_cairo_pattern *, cairo_get_source, (panda_cairo *cairo)) \
  F(void, cairo_pattern_set_extend, (panda_cairo_pattern *pattern, int extend)) \
  F(void, cairo_new_path, (panda_cairo *cairo)) \
  F(void, cairo_arc, \
    (panda_cairo *cairo, double x, double y, double radius, double from, double to)) \
  F(void, cairo_close_path, (panda_cairo *cairo)) \
  F(void, cairo_fill, (panda_cairo *cairo)) \
  F(void, cairo_stroke, (panda_cairo *cairo)) \
  F(void, cairo_set_line_width, (panda_cairo *cairo, double width)) \
  F(void, cairo_paint, (panda_cairo *cairo)) \
  F(void, cairo_move_to, (panda_cairo *cairo, double x, double y)) \
  F(panda_cairo_font_options *, cairo_font_options_create, (void)) \
  F(void, cairo_font_options_set_antialias, (panda_cairo_font_options *options, int antialias)) \
  F(void, cairo_font_options_set_hint_style, (panda_cairo_font_options *options, int style)) \
  F(void, cairo_font_options_set_hint_metrics, (panda_cairo_font_options *options, int metrics)) \
  F(void, cairo_font_options_destroy, (panda_cairo_font_options *options)) \
  F(const char *, pango_version_string, (void)) \
  F(panda_pango_font_map *, pango_cairo_font_map_new, (void)) \
  F(panda_pango_context *, pango_font_map_create_context, (panda_pango_font_map *map)) \
  F(panda_pango_font *, pango_font_map_load_font, \
    (panda_pango_font_map *map, panda_pango_context *context, \
     const panda_pango_font_description *description)) \
  F(void, pango_cairo_context_set_font_options, \
    (panda_pango_context *context, const panda_cairo_font_options *options)) \
  F(panda_pango_layout *, pango_layout_new, (panda_pango_context *context)) \
  F(void, pango_layout_set_text, (panda_pango_layout *layout, const char *text, int length)) \
  F(void, pango_layout_set_width, (panda_pango_layout *layout, int width)) \
  F(void, pango_layout_set_wrap, (panda_pango_layout *layout, int wrap)) \
  F(void, pango_layout_set_alignment, (panda_pango_layout *layout, int alignment)) \
  F(void, pango_layout_set_line_spacing, (panda_pango_layout *layout, float factor)) \
  F(void, pango_layout_set_font_description, \
    (panda_pango_layout *layout, const panda_pango_font_description *description)) \
  F(void, pango_layout_get_pixel_size, (panda_pango_layout *layout, int *width, int *height)) \
  F(int, pango_layout_get_unknown_glyphs_count, (panda_pango_layout *layout)) \
  F(void, pango_cairo_show_layout, (panda_cairo *cairo, panda_pango_layout *layout)) \
  F(panda_pango_font_description *, pango_font_description_new, (void)) \
  F(void, pango_font_description_set_family, \
    (panda_pango_font_description *description, const char *family)) \
  F(void, pango_font_description_set_weight, \
    (panda_pango_font_description *description, int weight)) \
  F(void, pango_font_description_set_absolute_size, \
    (panda_pango_font_description *description, double size)) \
  F(void, pango_font_description_free, (panda_pango_font_description *description)) \
  F(void, g_object_unref, (void *object))

struct panda_pango {
#define PANDA_PANGO_MEMBER(result, name, parameters) result(*name) parameters;
  PANDA_PANGO_FUNCTIONS(PANDA_PANGO_MEMBER)
#undef PANDA_PANGO_MEMBER
};

/// The file name, which the dynamic loader looks up in its usual directories.
#define PANDA_PANGO_LIBRARY "libpangocairo-1.0.so.0"

/// The names of these functions, for LoadedLibrary. The program does not link Pango: that would
/// load 25 more libraries at each launch. dlsym also finds the functions of the libraries that the
/// named one needs: Pango, Cairo and GObject.
static inline const char *const *panda_pango_symbols(void) {
  PANTRY_DLOPEN_NOTE(PANDA_PANGO_LIBRARY, "recommended", "cards", "draws the text of share cards")
#define PANDA_PANGO_SYMBOL(result, name, parameters) #name,
  static const char *const symbols[] = {PANDA_PANGO_FUNCTIONS(PANDA_PANGO_SYMBOL) NULL};
#undef PANDA_PANGO_SYMBOL
  return symbols;
}

/// Cairo's format of 32 bits a pixel: alpha, red, green, blue, premultiplied.
static const int panda_cairo_format_argb32 = 0;
/// What a pattern shows outside: its own edge, so that an enlarged picture does not fade there.
static const int panda_cairo_extend_pad = 3;
/// Smooths glyphs in shades of gray: subpixel colors would suit only some screens.
static const int panda_cairo_antialias_gray = 2;
static const int panda_cairo_hint_style_none = 1;
static const int panda_cairo_hint_metrics_off = 1;
/// Pango's units per pixel.
static const int panda_pango_scale = 1024;
/// Wraps between words, or between words and, where one is too long, between its characters.
static const int panda_pango_wrap_word = 0;
static const int panda_pango_wrap_word_char = 2;
/// Lines begin at the left, or at the right where the text does; or they are centered.
static const int panda_pango_align_left = 0;
static const int panda_pango_align_center = 1;
static const int panda_pango_weight_normal = 400;

#endif
