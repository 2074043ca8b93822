#include <pango/pangocairo.h>

#include "../../../../Sources/CLibraries/CPango/shim.h"
#include "same.hpp"

static_assert(panda_cairo_format_argb32 == CAIRO_FORMAT_ARGB32);
static_assert(panda_cairo_extend_pad == CAIRO_EXTEND_PAD);
static_assert(panda_cairo_antialias_gray == CAIRO_ANTIALIAS_GRAY);
static_assert(panda_cairo_hint_style_none == CAIRO_HINT_STYLE_NONE);
static_assert(panda_cairo_hint_metrics_off == CAIRO_HINT_METRICS_OFF);
static_assert(panda_pango_scale == PANGO_SCALE);
static_assert(panda_pango_wrap_word == PANGO_WRAP_WORD);
static_assert(panda_pango_wrap_word_char == PANGO_WRAP_WORD_CHAR);
static_assert(panda_pango_align_left == PANGO_ALIGN_LEFT);
static_assert(panda_pango_align_center == PANGO_ALIGN_CENTER);
static_assert(panda_pango_weight_normal == PANGO_WEIGHT_NORMAL);

#define panda_cairo_surface cairo_surface_t
#define panda_cairo cairo_t
#define panda_cairo_pattern cairo_pattern_t
#define panda_cairo_font_options cairo_font_options_t
#define panda_pango_font_map PangoFontMap
#define panda_pango_context PangoContext
#define panda_pango_font PangoFont
#define panda_pango_layout PangoLayout
#define panda_pango_font_description PangoFontDescription
PANDA_PANGO_FUNCTIONS(SAME_FUNCTION)
