#ifndef PANDA_CPNG_SHIM_H
#define PANDA_CPNG_SHIM_H

#include <png.h>
#include <zlib.h>

// ---- panda_png_read: reading a PNG from memory, row by row -------------------------------------
//
// libpng reports an error by longjmp, and Swift can neither call setjmp nor be jumped over: each
// function below that calls libpng sets its own jump target and returns a result instead. The state
// is on the heap, so a jump cannot leave a stale register value.

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  PANDA_PNG_READ_OK = 0,
  PANDA_PNG_READ_DAMAGED = 1,    // libpng refused; the message says why
  PANDA_PNG_READ_TRUNCATED = 2,  // libpng asked for more bytes than there are
};

enum { PANDA_PNG_IDAT = 0x49444154 };  // "IDAT" as png_get_io_chunk_type says it

typedef struct panda_png_read_state {
  png_structp png;
  png_infop info;
  const uint8_t *bytes;  // borrowed: must outlive the state
  size_t count;
  size_t position;
  int truncated;
  uint64_t rows_left;  // calls of panda_png_read_row, in all passes
  size_t surplus;      // bytes of image data that may be read from the last row on
  uint32_t width;
  uint32_t height;
  int passes;    // 1, or 7 for Adam7
  int is_opaque;
  jmp_buf landing;
  char message[128];
} panda_png_read_state;

// Without our callbacks libpng would print to stderr, in the middle of the screen.
static inline void panda_png_read_error(png_structp png, png_const_charp message) {
  panda_png_read_state *state = (panda_png_read_state *)png_get_error_ptr(png);
  strncpy(state->message, message, sizeof state->message - 1);
  longjmp(state->landing, 1);
}

static inline void panda_png_read_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static inline void panda_png_read_bytes(png_structp png, png_bytep into, size_t count) {
  panda_png_read_state *state = (panda_png_read_state *)png_get_io_ptr(png);
  // With the last row libpng inflates all remaining image data and discards it: 5 MB can be 5 GB,
  // which takes 11 seconds. Only the row and the end of the stream belong there.
  if (state->rows_left == 0 && png_get_io_chunk_type(png) == PANDA_PNG_IDAT) {
    if (count > state->surplus) png_error(png, "image data follow the last row");
    state->surplus -= count;
  }
  if (count > state->count - state->position) {
    state->truncated = 1;
    png_error(png, "the bytes end early");
  }
  memcpy(into, state->bytes + state->position, count);
  state->position += count;
}

static inline int panda_png_read_failure(const panda_png_read_state *state) {
  return state->truncated ? PANDA_PNG_READ_TRUNCATED : PANDA_PNG_READ_DAMAGED;
}

static inline void panda_png_read_close(panda_png_read_state *state) {
  if (!state) return;
  if (state->png) png_destroy_read_struct(&state->png, &state->info, NULL);
  free(state);
}

// Creates a reader over borrowed bytes; NULL only if memory runs out.
static inline panda_png_read_state *panda_png_read_open(
    const uint8_t *bytes, size_t count, uint32_t side_limit) {
  panda_png_read_state *state = (panda_png_read_state *)calloc(1, sizeof *state);
  if (!state) return NULL;
  state->rows_left = UINT64_MAX;  // until the header is read
  state->bytes = bytes;
  state->count = count;
  if (setjmp(state->landing)) {
    panda_png_read_close(state);
    return NULL;
  }
  state->png = png_create_read_struct(
      PNG_LIBPNG_VER_STRING, state, panda_png_read_error, panda_png_read_warning);
  if (state->png) state->info = png_create_info_struct(state->png);
  if (!state->info) {
    panda_png_read_close(state);
    return NULL;
  }
  png_set_read_fn(state->png, state, panda_png_read_bytes);
  png_set_user_limits(state->png, side_limit, side_limit);
  // Text, profiles and times are skipped without inflating them (-1: every ancillary chunk that
  // libpng knows, except tRNS): a 50 KB zTXt can hold 50 MB. The two limits are a second safeguard.
  png_set_keep_unknown_chunks(state->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
  png_set_chunk_cache_max(state->png, 16);
  png_set_chunk_malloc_max(state->png, 1 << 20);
  // A short read is lost entirely: with the usual 8 KB a truncated small picture would not show a
  // single row.
  png_set_compression_buffer_size(state->png, 1024);
  return state;
}

// Reads up to the first pixel and requests 8-bit RGBA rows, regardless of the file's format.
static inline int panda_png_read_header(panda_png_read_state *state) {
  if (setjmp(state->landing)) return panda_png_read_failure(state);
  png_structp png = state->png;
  png_read_info(png, state->info);
  int color = png_get_color_type(png, state->info);
  state->width = png_get_image_width(png, state->info);
  state->height = png_get_image_height(png, state->info);
  state->is_opaque = !(color & PNG_COLOR_MASK_ALPHA)
      && !png_get_valid(png, state->info, PNG_INFO_tRNS);
  png_set_expand(png);  // palette to RGB, small grays to 8 bits, tRNS to alpha
  png_set_scale_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  state->passes = png_set_interlace_handling(png);
  state->rows_left = (uint64_t)state->passes * state->height;
  // A row of up to 8 bytes per pixel that deflate could only store, plus 16 KB for careless
  // programs.
  state->surplus = (size_t)state->width * 8 + state->width / 8 + (1 << 14);
  png_read_update_info(png, state->info);
  if (png_get_rowbytes(png, state->info) != (size_t)state->width * 4) {
    png_error(png, "the rows are not RGBA");
  }
  return PANDA_PNG_READ_OK;
}

// Reads the next row, width * 4 bytes. In an interlaced picture `row` must hold the result of the
// earlier passes; each pass fills in its own blocks (png_read_row's display_row).
static inline int panda_png_read_row(panda_png_read_state *state, uint8_t *row) {
  if (state->rows_left > 0) state->rows_left -= 1;
  if (setjmp(state->landing)) return panda_png_read_failure(state);
  if (state->passes > 1) {
    png_read_row(state->png, NULL, row);
  } else {
    png_read_row(state->png, row, NULL);
  }
  return PANDA_PNG_READ_OK;
}

// Reads the data after the last row, up to IEND, which includes the last checksums.
static inline int panda_png_read_end(panda_png_read_state *state) {
  if (setjmp(state->landing)) return panda_png_read_failure(state);
  png_read_end(state->png, NULL);
  return PANDA_PNG_READ_OK;
}

// The message is a C array, which Swift would import as a tuple of 128 elements.
static inline const char *panda_png_read_message(const panda_png_read_state *state) {
  return state->message;
}

// ---- panda_png_read ends -----------------------------------------------------------------------

// ---- panda_png_encode: writing a PNG to memory --------------------------------------------------

/// The growing buffer that a picture is encoded into. The caller frees `bytes` with free().
typedef struct {
  uint8_t *bytes;
  size_t count;
  size_t capacity;
} panda_png_buffer;

/// libpng reports an error by a callback that must not return; it must not jump over Swift frames.
static inline void panda_png_on_error(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}

/// Without this libpng would print warnings to stderr, which is the user's screen.
static inline void panda_png_on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

/// Appends libpng's output: a callback in C, because it exits by longjmp if memory runs out.
static inline void panda_png_on_write(png_structp png, png_bytep data, png_size_t length) {
  panda_png_buffer *buffer = (panda_png_buffer *)png_get_io_ptr(png);
  if (length > SIZE_MAX / 2 - buffer->count) png_error(png, "too large");
  if (buffer->count + length > buffer->capacity) {
    size_t capacity = (buffer->count + length) * 2;
    uint8_t *bytes = (uint8_t *)realloc(buffer->bytes, capacity);
    if (bytes == NULL) png_error(png, "out of memory");
    buffer->bytes = bytes;
    buffer->capacity = capacity;
  }
  memcpy(buffer->bytes + buffer->count, data, length);
  buffer->count += length;
}

/// libpng wants a flush callback; memory has nothing to flush.
static inline void panda_png_on_flush(png_structp png) { (void)png; }

/// Encodes a whole picture: one call in C, because setjmp cannot be called from Swift.
///
/// `pixels` holds rows of 4 bytes (RGBA) from top to bottom; with `opaque` the alpha bytes are
/// omitted. Returns 0 on success; otherwise nothing needs to be freed.
static inline int panda_png_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int opaque, panda_png_buffer *buffer) {
  memset(buffer, 0, sizeof *buffer);
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, panda_png_on_error, panda_png_on_warning);
  if (png == NULL) return 1;
  png_infop info = png_create_info_struct(png);
  if (info == NULL) {
    png_destroy_write_struct(&png, NULL);
    return 1;
  }
  if (setjmp(png_jmpbuf(png))) {
    png_destroy_write_struct(&png, &info);
    free(buffer->bytes);
    memset(buffer, 0, sizeof *buffer);
    return 1;
  }
  png_set_write_fn(png, buffer, panda_png_on_write, panda_png_on_flush);
  png_set_IHDR(
      png, info, width, height, 8, opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGBA,
      PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  // Measured on 960 x 720 drawings of the grove: Paeth alone with runs alone (Z_RLE) takes 36 ms
  // for 740 KB; with a search for repetitions, at level 2, it takes 44 ms for 809 KB. A photo of
  // 1000 x 404 takes 22 and 41 ms. libpng's default, all filters at level 6, takes several times
  // as long.
  png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_PAETH);
  png_set_compression_level(png, 2);
  png_set_compression_strategy(png, Z_RLE);
  png_write_info(png, info);
  if (opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);
  for (uint32_t y = 0; y < height; y += 1) {
    png_write_row(png, (png_const_bytep)pixels + (size_t)y * width * 4);
  }
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return 0;
}

// ---- panda_zlib_inflate: what chunks have packed ------------------------------------------------

/// Inflates a stream of zlib into new memory, which the caller frees. Returns 0; otherwise the
/// stream is damaged, or larger than the limit, and there is nothing to free.
static inline int panda_zlib_inflate(
    const void *packed, size_t packed_count, size_t limit, uint8_t **bytes, size_t *count) {
  z_stream stream;
  memset(&stream, 0, sizeof stream);
  stream.next_in = (Bytef *)packed;
  stream.avail_in = (uInt)packed_count;
  if (packed_count > UINT32_MAX || inflateInit(&stream) != Z_OK) return 1;
  uint8_t *content = NULL;
  size_t capacity = 0;
  int status = Z_OK;
  while (status == Z_OK && stream.total_out <= limit) {
    if (stream.total_out == capacity) {
      capacity = capacity == 0 ? 1 << 14 : capacity * 2;
      uint8_t *larger = (uint8_t *)realloc(content, capacity);
      if (larger == NULL) break;
      content = larger;
    }
    stream.next_out = content + stream.total_out;
    stream.avail_out = (uInt)(capacity - stream.total_out);
    status = inflate(&stream, Z_NO_FLUSH);
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END || stream.total_out > limit) {
    free(content);
    return 1;
  }
  *bytes = content;
  *count = stream.total_out;
  return 0;
}

#endif
