#include <chafa.h>

#include "../../../../Sources/CLibraries/CChafa/shim.h"
#include "same.hpp"

SAME_MEMBER(panda_chafa_text, bytes, GString, str)
SAME_MEMBER(panda_chafa_text, count, GString, len)
SAME_MEMBER(panda_chafa_text, capacity, GString, allocated_len)
static_assert(sizeof(panda_chafa_text) == sizeof(GString));

static_assert(panda_chafa_tag_space == CHAFA_SYMBOL_TAG_SPACE);
static_assert(panda_chafa_tag_block == CHAFA_SYMBOL_TAG_BLOCK);
static_assert(panda_chafa_tag_horizontal_half == CHAFA_SYMBOL_TAG_HHALF);
static_assert(panda_chafa_tag_vertical_half == CHAFA_SYMBOL_TAG_VHALF);
static_assert(panda_chafa_tag_ascii == CHAFA_SYMBOL_TAG_ASCII);
static_assert(panda_chafa_tag_sextant == CHAFA_SYMBOL_TAG_SEXTANT);
static_assert(panda_chafa_mode_truecolor == CHAFA_CANVAS_MODE_TRUECOLOR);
static_assert(panda_chafa_mode_indexed_240 == CHAFA_CANVAS_MODE_INDEXED_240);
static_assert(panda_chafa_mode_indexed_16 == CHAFA_CANVAS_MODE_INDEXED_16);
static_assert(panda_chafa_mode_fgbg == CHAFA_CANVAS_MODE_FGBG);
static_assert(panda_chafa_mode_indexed_8 == CHAFA_CANVAS_MODE_INDEXED_8);
static_assert(panda_chafa_pixels_symbols == CHAFA_PIXEL_MODE_SYMBOLS);
static_assert(panda_chafa_pixels_sixels == CHAFA_PIXEL_MODE_SIXELS);
static_assert(panda_chafa_dither_ordered == CHAFA_DITHER_MODE_ORDERED);
static_assert(panda_chafa_rgba8_unassociated == CHAFA_PIXEL_RGBA8_UNASSOCIATED);

#define panda_chafa_config ChafaCanvasConfig
#define panda_chafa_canvas ChafaCanvas
#define panda_chafa_map ChafaSymbolMap
#define panda_chafa_database ChafaTermDb
#define panda_chafa_terminal ChafaTermInfo
#define SAME_CHAFA_FUNCTION(result, name, parameters) \
  SAME_FUNCTION(result, chafa_##name, parameters)
static_assert(same<decltype(panda_chafa::string_free), char *(*)(panda_chafa_text *, int)>);
#define panda_chafa_text GString
SAME_FUNCTION(char *, g_string_free, (panda_chafa_text *, int))
PANDA_CHAFA_FUNCTIONS(SAME_CHAFA_FUNCTION)
