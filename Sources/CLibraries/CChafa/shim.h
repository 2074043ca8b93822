#ifndef PANDA_CCHAFA_SHIM_H
#define PANDA_CCHAFA_SHIM_H

#include <stddef.h>
#include <stdint.h>

#include "../CLoadedLibrary/note.h"

// What Panda calls of libchafa (https://hpjansson.org/chafa/ref), declared as its manual does:
// pkg-config's flags for its header would link it. All of it has been in its stable interface since
// 1.8, and so have the values of its enumerations.

typedef struct panda_chafa_config panda_chafa_config;
typedef struct panda_chafa_canvas panda_chafa_canvas;
typedef struct panda_chafa_map panda_chafa_map;
typedef struct panda_chafa_database panda_chafa_database;
typedef struct panda_chafa_terminal panda_chafa_terminal;

/// A text of GLib (GString).
typedef struct {
  char *bytes;
  size_t count;
  size_t capacity;
} panda_chafa_text;

/// The functions, without `chafa_`; the list is used twice, so it is a macro.
#define PANDA_CHAFA_FUNCTIONS(F) \
  F(panda_chafa_config *, canvas_config_new, (void)) \
  F(void, canvas_config_unref, (panda_chafa_config *config)) \
  F(void, canvas_config_set_geometry, (panda_chafa_config *config, int columns, int rows)) \
  F(void, canvas_config_set_cell_geometry, (panda_chafa_config *config, int width, int height)) \
  F(void, canvas_config_set_canvas_mode, (panda_chafa_config *config, int mode)) \
  F(void, canvas_config_set_pixel_mode, (panda_chafa_config *config, int mode)) \
  F(void, canvas_config_set_symbol_map, (panda_chafa_config *config, const panda_chafa_map *map)) \
  F(void, canvas_config_set_work_factor, (panda_chafa_config *config, float factor)) \
  F(void, canvas_config_set_dither_mode, (panda_chafa_config *config, int mode)) \
  F(void, canvas_config_set_bg_color, (panda_chafa_config *config, uint32_t color)) \
  F(void, canvas_config_set_transparency_threshold, (panda_chafa_config *config, float threshold)) \
  F(panda_chafa_canvas *, canvas_new, (const panda_chafa_config *config)) \
  F(void, canvas_unref, (panda_chafa_canvas *canvas)) \
  F(void, canvas_draw_all_pixels, \
    (panda_chafa_canvas *canvas, int type, const uint8_t *pixels, int width, int height, \
     int stride)) \
  F(uint32_t, canvas_get_char_at, (panda_chafa_canvas *canvas, int column, int row)) \
  F(void, canvas_get_raw_colors_at, \
    (panda_chafa_canvas *canvas, int column, int row, int *foreground, \
     int *background)) \
  F(panda_chafa_text *, canvas_print, \
    (panda_chafa_canvas *canvas, panda_chafa_terminal *terminal)) \
  F(panda_chafa_map *, symbol_map_new, (void)) \
  F(void, symbol_map_unref, (panda_chafa_map *map)) \
  F(void, symbol_map_add_by_tags, (panda_chafa_map *map, int tags)) \
  F(panda_chafa_database *, term_db_get_default, (void)) \
  F(panda_chafa_terminal *, term_db_get_fallback_info, (panda_chafa_database *database)) \
  F(void, term_info_unref, (panda_chafa_terminal *terminal))

struct panda_chafa {
#define PANDA_CHAFA_MEMBER(result, name, parameters) result(*name) parameters;
  PANDA_CHAFA_FUNCTIONS(PANDA_CHAFA_MEMBER)
#undef PANDA_CHAFA_MEMBER
  /// GLib's g_string_free.
  char *(*string_free)(panda_chafa_text *text, int free_bytes);
};

/// The file name, which the dynamic loader looks up in its usual directories.
#define PANDA_CHAFA_LIBRARY "libchafa.so.0"

/// The names of these functions, for LoadedLibrary. The program does not link libchafa, which only
/// few colors, ASCII and sixels need: without it and its GLib it starts 0.4 ms sooner, with 0.9 MB
/// less memory. dlsym also finds the functions of the libraries that the named one needs.
static inline const char *const *panda_chafa_symbols(void) {
  PANTRY_DLOPEN_NOTE(PANDA_CHAFA_LIBRARY, "recommended", "symbols", "shows pictures as sixels, in few colors and in ASCII")
#define PANDA_CHAFA_SYMBOL(result, name, parameters) "chafa_" #name,
  static const char *const symbols[] = {
      PANDA_CHAFA_FUNCTIONS(PANDA_CHAFA_SYMBOL) "g_string_free", NULL};
#undef PANDA_CHAFA_SYMBOL
  return symbols;
}

// ChafaSymbolTags
static const int panda_chafa_tag_space = 1 << 0;
static const int panda_chafa_tag_block = 1 << 3;
static const int panda_chafa_tag_horizontal_half = 1 << 8;
static const int panda_chafa_tag_vertical_half = 1 << 9;
static const int panda_chafa_tag_ascii = 1 << 14;
static const int panda_chafa_tag_sextant = 1 << 22;
// ChafaCanvasMode
static const int panda_chafa_mode_truecolor = 0;
static const int panda_chafa_mode_indexed_240 = 2;
static const int panda_chafa_mode_indexed_16 = 3;
static const int panda_chafa_mode_fgbg = 5;
static const int panda_chafa_mode_indexed_8 = 6;
// ChafaPixelMode
static const int panda_chafa_pixels_symbols = 0;
static const int panda_chafa_pixels_sixels = 1;
// ChafaDitherMode
static const int panda_chafa_dither_ordered = 1;
// ChafaPixelType: red, green, blue and alpha of 8 bits, not premultiplied
static const int panda_chafa_rgba8_unassociated = 4;

#endif
