#ifndef PANDA_CTERMINALGUARD_H
#define PANDA_CTERMINALGUARD_H

// Restores the terminal however the program ends.
//
// This is the only code of the program that runs inside a signal handler, so everything a handler
// touches is async-signal-safe (signal-safety(7)): atomics, open, write, close, clock_gettime,
// poll, fcntl, dup2, getpid, getpgrp, tcgetpgrp, tcsetattr, sigaction, sigprocmask, sigabbrev_np,
// raise, _exit; getsid is a bare system call in glibc.
//
// Every function except tg_write_all and tg_prepare_thread is called from one thread at a time (the
// main actor). Functions that can fail return 0 or an errno value.

#include <stddef.h>
#include <termios.h>

/// The maximum number of restore bytes.
#define TG_RESTORE_MAX 16384

/// Guards the terminal: from now on a fatal signal restores it and then ends the process with that
/// same signal.
///
/// - tty_fd: the terminal that the program draws on. The guard keeps a duplicate.
/// - original: the modes to restore.
/// - restore_bytes, n: the bytes that restore the screen; copied, at most TG_RESTORE_MAX.
///
/// Fatal are TERM HUP INT QUIT USR1 USR2 ALRM VTALRM PROF XCPU XFSZ IO PWR STKFLT and ABRT SEGV BUS
/// ILL FPE TRAP SYS. A signal that was ignored when the program started stays ignored (nohup). No
/// earlier handler is called: the only possible one is the Swift runtime's backtrace printer, which
/// is off on Linux unless SWIFT_BACKTRACE enables it, and which would draw over the screen before
/// it is restored.
///
/// SIGPIPE is unaffected: the program ignores it and sees EPIPE.
int tg_install(int tty_fd, const struct termios *original, const char *restore_bytes, size_t n);

/// Replaces the restore bytes atomically: a signal sees either the old or the new ones. EMSGSIZE if
/// there are too many; ECANCELED if a signal is already ending the process.
int tg_set_restore(const char *restore_bytes, size_t n);

/// Restores the terminal on a normal exit. Only the first call after an install or a rearm
/// restores.
///
/// Never returns after a fatal signal: its handler ends the process with that signal.
void tg_restore_now(void);

/// Restores the screen if it is guarded, and asks the terminal a question behind it; the modes stay
/// until tg_restore_now, so that what the terminal sends meanwhile can be read without an echo.
///
/// ECANCELED if there is nothing to restore; write(2)'s error or ETIMEDOUT if not all was written.
int tg_restore_screen(const char *question, size_t n);

/// Restores the terminal if it is guarded, and ends the process with this status, without running
/// exit handlers. After a fatal signal, the process ends with that signal instead. The leader of a
/// session on a terminal ends some milliseconds later: a reader would miss the last bytes.
_Noreturn void tg_exit(int status);

/// Guards the terminal again after tg_restore_now, with the same modes and bytes.
void tg_rearm(void);

/// Restores the signals' earlier dispositions and closes the guard's descriptors. The terminal is
/// left unchanged: call tg_restore_now first.
void tg_uninstall(void);

/// The read end of a nonblocking pipe that receives one byte, the signal's number, for each
/// SIGWINCH, SIGTSTP and SIGCONT; -1 before tg_install. Owned by the guard.
int tg_pipe(void);

/// Stops the process group as Ctrl-Z would in a cooked terminal, and returns once it is continued
/// in the foreground. Call tg_restore_now before and tg_rearm after.
///
/// ENOTSUP if the program was started with SIGTSTP ignored (no job control). In an orphaned process
/// group the kernel discards the stop and this returns 0 immediately.
int tg_suspend(void);

/// Returns once the program is in the foreground: in the background it stops the process group
/// (SIGTTOU) until it is continued there.
///
/// This needs an explicit call, because Dispatch's threads block SIGTTOU and SIGTTIN: on them the
/// kernel lets a background program set the terminal's modes, and read fails with EIO.
void tg_await_foreground(void);

/// Gives the calling thread a signal stack, without which a stack overflow could not be handled.
/// Signal stacks belong to threads and the main queue may change threads, so this is called at the
/// start of each turn; after a thread's first call it costs a thread-local read.
void tg_prepare_thread(void);

/// Writes all bytes to fd: continues after EINTR and partial writes. A blocking
/// descriptor waits as long as its terminal takes nothing, as after Ctrl-S; on a nonblocking one
/// ETIMEDOUT after five seconds without progress. ECANCELED once a signal handler has restored the
/// terminal.
int tg_write_all(int fd, const void *bytes, size_t n);

#endif
