#ifndef PANTRY_LOADED_LIBRARY_NOTE_H
#define PANTRY_LOADED_LIBRARY_NOTE_H

#include <stdint.h>

/// Tells packagers, in the section .note.dlopen of the program, what is loaded by dlopen.
///
/// It stands in the function that names a library's symbols: a program that cannot call this has no
/// note. `sonames` are file names, `","` between them, the first the usual one; `priority` is
/// "required", "recommended" or "suggested". The format is that of the UAPI group
/// (https://uapi-group.org/specifications/specs/elf_dlopen_metadata).
#define PANTRY_DLOPEN_NOTE(sonames, priority, feature, description) \
  static const struct { \
    uint32_t owner_size, size, type; \
    char owner[4]; \
    _Alignas(4) char text[sizeof PANTRY_DLOPEN_JSON(sonames, priority, feature, description)]; \
  } note __attribute__((used, aligned(4), section(".note.dlopen"))) = { \
      sizeof "FDO", sizeof PANTRY_DLOPEN_JSON(sonames, priority, feature, description), \
      0x407c0c0a, "FDO", PANTRY_DLOPEN_JSON(sonames, priority, feature, description)};

#define PANTRY_DLOPEN_JSON(sonames, priority, feature, description) \
  "[{\"soname\":[\"" sonames "\"],\"priority\":\"" priority "\",\"feature\":\"" feature \
  "\",\"description\":\"" description "\"}]"

#endif
