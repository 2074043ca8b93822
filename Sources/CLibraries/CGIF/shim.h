#ifndef PANDA_CGIF_SHIM_H
#define PANDA_CGIF_SHIM_H

#include <gif_lib.h>

// Swift infers a macro's type from its text: each gets the type of its use.

/// The result of a successful call.
static const int panda_gif_ok = GIF_OK;

/// The extension block that names the transparent color, and its index for "none".
static const int panda_gif_graphics_control = GRAPHICS_EXT_FUNC_CODE;
static const int panda_gif_no_transparent_color = NO_TRANSPARENT_COLOR;

/// The extension block in which programs store how often an animation plays.
static const int panda_gif_application = APPLICATION_EXT_FUNC_CODE;

#endif
