#ifndef PANDA_CARCHIVE_SHIM_H
#define PANDA_CARCHIVE_SHIM_H

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>
#include <stddef.h>

#include "../CLoadedLibrary/note.h"

/// The functions of libarchive that Panda calls, without `archive_`. A macro, since the list is
/// used twice.
#define PANDA_ARCHIVE_FUNCTIONS(F) \
  F(version_string) F(errno) F(error_string) F(filter_bytes) \
  F(entry_new) F(entry_clear) F(entry_free) F(entry_pathname) F(entry_filetype) F(entry_size) \
  F(entry_hardlink) F(entry_set_pathname) F(entry_set_filetype) F(entry_set_perm) \
  F(entry_set_size) F(entry_set_mtime) \
  F(read_new) F(read_free) F(read_support_format_tar) F(read_support_filter_gzip) \
  F(read_support_filter_zstd) F(read_open_fd) F(read_next_header2) F(read_data) \
  F(write_new) F(write_free) F(write_set_format_pax_restricted) F(write_open_fd) F(write_header) \
  F(write_data) F(write_close)

/// Pointers to these functions, with the types that libarchive's headers declare.
struct panda_archive {
#define PANDA_ARCHIVE_MEMBER(name) __typeof__(archive_##name) *name;
  PANDA_ARCHIVE_FUNCTIONS(PANDA_ARCHIVE_MEMBER)
#undef PANDA_ARCHIVE_MEMBER
};

/// The file name, which the dynamic loader looks up in its usual directories.
#define PANDA_ARCHIVE_LIBRARY "libarchive.so.13"

/// The names of these functions, for LoadedLibrary. The program does not link libarchive: that
/// would load 10 more libraries at each launch, ICU among them.
static inline const char *const *panda_archive_symbols(void) {
  PANTRY_DLOPEN_NOTE(PANDA_ARCHIVE_LIBRARY, "recommended", "archives", "exports and imports tar files")
#define PANDA_ARCHIVE_SYMBOL(name) "archive_" #name,
  static const char *const symbols[] = {PANDA_ARCHIVE_FUNCTIONS(PANDA_ARCHIVE_SYMBOL) NULL};
#undef PANDA_ARCHIVE_SYMBOL
  return symbols;
}

/// A locale for libarchive, which converts names from and to that of the thread: always UTF-8, so
/// that an archive does not depend on the user's language. NULL if the system has none.
///
/// LC_CTYPE_MASK is an expression, which Swift does not import.
static inline locale_t panda_archive_new_locale(void) {
  return newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
}

/// What libarchive's functions return.
static const int panda_archive_ok = ARCHIVE_OK;
static const int panda_archive_end = ARCHIVE_EOF;
static const int panda_archive_warning = ARCHIVE_WARN;

/// The types of entries.
static const unsigned int panda_archive_file = AE_IFREG;
static const unsigned int panda_archive_directory = AE_IFDIR;
static const unsigned int panda_archive_symbolic_link = AE_IFLNK;

#endif
