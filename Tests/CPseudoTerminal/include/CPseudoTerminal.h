#ifndef PANDA_CPSEUDOTERMINAL_H
#define PANDA_CPSEUDOTERMINAL_H

#include <stddef.h>
#include <sys/types.h>

/// Opens the master of a new pseudo-terminal and stores its slave's path, which has at most
/// `capacity` bytes. Returns the descriptor, or a negative errno value. open is variadic and
/// posix_openpt needs _XOPEN_SOURCE: Swift cannot call them.
int pt_open(char *slave, size_t capacity);

/// Sets the size in cells and pixels (ioctl is variadic). The kernel sends SIGWINCH to the
/// foreground process group. Returns 0 or an errno value.
int pt_resize(int master, int columns, int rows, int pixel_width, int pixel_height);

/// Stops the flow of output, as Ctrl-S does. Returns 0 or an errno value.
int pt_hold(const char *slave);

/// The foreground process group, or a negative errno value.
pid_t pt_foreground(int master);

/// Starts a program in a new session on the slave, below a leader that is a minimal job-control
/// shell.
///
/// The leader matters. When the leader of a session ends, the kernel hangs the terminal up and
/// resets its modes, so that nothing could be learned about the modes the program left; and in a
/// session of its own the program would be in an orphaned process group, which Ctrl-Z cannot stop.
///
/// - control: receives the descriptor of a stream of reports. The leader writes two ints for each:
///   'P' and the program's process id, then 'S' and a wait status (waitpid, WUNTRACED, WCONTINUED)
///   whenever it changes. Written to, one byte: 'F' continues the program in the foreground, 'B'
///   in the background. Closing it ends the program and the leader.
/// - Returns the leader's process id, or a negative errno value.
pid_t pt_spawn(const char *slave, const char *program, char *const argv[], char *const envp[],
               int *control);

/// Has so many children, one after the other, lead a session on a pseudo-terminal, write `count`
/// bytes and call `end`, which writes a "!" last. Returns how many a reader did not get whole that
/// reads up to the first failure, or a negative errno value. For a program with one thread.
int pt_cut_tails(int runs, int count, void (*end)(void));

// The macros of wait(2), which Swift cannot see.
static inline int pt_exited(int status) { return (status & 0x7f) == 0; }
static inline int pt_exit_code(int status) { return (status >> 8) & 0xff; }
static inline int pt_stopped(int status) { return (status & 0xff) == 0x7f; }
static inline int pt_continued(int status) { return status == 0xffff; }
static inline int pt_signal(int status) { return status & 0x7f; }

/// wchar.h declares wcwidth only with _XOPEN_SOURCE.
extern int wcwidth(wchar_t character);

/// string.h declares memmem only with _GNU_SOURCE.
extern void *memmem(const void *place, size_t place_length, const void *text, size_t text_length);

#endif
