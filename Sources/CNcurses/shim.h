#ifndef PANDA_CNCURSES_SHIM_H
#define PANDA_CNCURSES_SHIM_H

// The wide-character interface: without it cells hold bytes, not characters.
#define NCURSES_WIDECHAR 1
#include <limits.h>
#include <locale.h>
#include <ncurses.h>
#include <linux/memfd.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <term.h>
#include <unistd.h>

/// Opens a file in memory; NULL if that fails. memfd_create needs a feature macro, which a module
/// cannot define.
static inline FILE *panda_memory_file(void) {
  int descriptor = (int)syscall(SYS_memfd_create, "panda-screen", MFD_CLOEXEC);
  return descriptor < 0 ? NULL : fdopen(descriptor, "w+");
}

/// Starts ncurses on standard input, drawing into a file: Swift rejects the global `stdin`. A NULL
/// name means the terminal named by TERM. Returns NULL if the terminal is unknown; initscr() would
/// end the program instead.
static inline SCREEN *panda_newterm(const char *name, FILE *output) {
  return newterm(name, output, stdin);
}

/// Returns whether the terminal can move its cursor: `tigetstr` returns (char *)-1 for "no string".
static inline int panda_can_move_cursor(void) {
  char *capability = tigetstr("cup");
  return capability != NULL && capability != (char *)-1;
}

/// A string capability of the terminal; NULL if it has none. ncurses owns the string.
static inline const char *panda_string_capability(const char *name) {
  char *capability = tigetstr((char *)name);
  return capability == (char *)-1 ? NULL : capability;
}

/// The `setaf` or `setab` sequence for a color; NULL if the terminal has none. Valid until the next
/// call. `tparm` is variadic: Swift cannot call it.
static inline const char *panda_color_sequence(const char *name, int color) {
  const char *capability = panda_string_capability(name);
  return capability == NULL ? NULL : tparm((char *)capability, color);
}

/// `stdscr` is a global, which Swift rejects as shared mutable state.
static inline WINDOW *panda_stdscr(void) { return stdscr; }

/// `curscr` is a global: the screen's contents as ncurses knows them.
static inline WINDOW *panda_curscr(void) { return curscr; }

/// `COLORS` is a global.
static inline int panda_colors(void) { return COLORS; }

/// Attributes are macros with a cast, which Swift does not import.
static inline attr_t panda_attribute_bold(void) { return A_BOLD; }
static inline attr_t panda_attribute_dim(void) { return A_DIM; }
static inline attr_t panda_attribute_reverse(void) { return A_REVERSE; }

/// `wattr_set` is a macro in some configurations.
static inline int panda_set_attributes(WINDOW *window, attr_t attributes, short pair) {
  return wattr_set(window, attributes, pair, NULL);
}

/// Takes the locale from the environment: LC_ALL is a macro.
static inline int panda_use_locale(void) { return setlocale(LC_ALL, "") != NULL; }

/// The number of colors of a terminal, INT_MIN if it is unknown. `cur_term` is a global, and
/// setupterm without its last parameter would end the program.
static inline int panda_terminfo_colors(const char *name, int descriptor) {
  TERMINAL *before = cur_term;
  int error = 0;
  if (setupterm(name, descriptor, &error) != OK) return INT_MIN;
  int count = tigetflag("RGB") > 0 ? 1 << 24 : tigetnum("colors");
  TERMINAL *used = set_curterm(before);
  del_curterm(used);
  return count;
}

#endif
