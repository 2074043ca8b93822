#define _GNU_SOURCE
#include "CTerminalGuard.h"
#include "Internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

// The phases of the terminal: guarded, being restored by the winner of the exchange, restored.
enum phase { RESTORED, GUARDED, RESTORING };

struct restore {
  size_t count;
  char bytes[TG_RESTORE_MAX];
};

// Every signal that ends a program unless caught (signal(7)), except KILL, which cannot be caught,
// PIPE, which is ignored, and the real-time signals.
static const int fatal[] = {
    SIGTERM, SIGHUP, SIGINT,  SIGQUIT, SIGUSR1,   SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU,
    SIGXFSZ, SIGIO,  SIGPWR,  SIGSTKFLT, SIGABRT, SIGSEGV, SIGBUS,  SIGILL,    SIGFPE,  SIGTRAP,
    SIGSYS,
};
#define OUTSIDE 14  // the first ones come from other processes, the others from faults
static const int reported[] = {SIGWINCH, SIGTSTP, SIGCONT};
// How long the leader of a session waits at its end, below.
#define TAIL_MS 10
// How long a terminal may take nothing before it counts as paused by Ctrl-S: longer than a busy
// machine or a bad connection delays one that is not.
#define RESTORE_PATIENCE_MS 2000

static _Atomic int phase = RESTORED;
_Atomic int tg_dying = 0;

// Two slots and a pointer. A writer fills the slot that is not current, then publishes it. A
// handler sets `tg_dying` before it reads the pointer, and a writer checks it before it touches a
// slot, so a slot is never written while a handler uses it.
static struct restore slots[2];
static struct restore *_Atomic current = &slots[0];
static struct restore nothing;  // current while the screen is restored and the modes are not

static struct termios original_modes;  // written only while RESTORED
static int program_fd = -1;            // the descriptor that the program draws on
static int guard_fd = -1;              // the guard's own duplicate of it
static int null_fd = -1;
static int pipe_read = -1;
static _Atomic int pipe_write = -1;

static struct sigaction previous_fatal[COUNT(fatal)];
static struct sigaction previous_reported[COUNT(reported)];
static int installed = 0;

/// Restores the screen, and asks the terminal a question. Called by the thread that moved the phase
/// from GUARDED to RESTORING, with all signals blocked. Returns 0 or an errno value.
static int restore_screen(const char *question, size_t n) {
  // Nonblocking, so that a terminal paused by Ctrl-S cannot keep the process from ending. The flag
  // belongs to the open file, which the shell shares, so it is reset afterwards.
  int flags = fcntl(guard_fd, F_GETFL);
  if (flags >= 0) fcntl(guard_fd, F_SETFL, flags | O_NONBLOCK);
  struct restore *restore = atomic_load(&current);
  int result = tg_write_loop(guard_fd, restore->bytes, restore->count, RESTORE_PATIENCE_MS, 0);
  if (result == 0) result = tg_write_loop(guard_fd, question, n, RESTORE_PATIENCE_MS, 0);
  if (flags >= 0) fcntl(guard_fd, F_SETFL, flags);
  return result;
}

/// Restores the terminal. Signals are blocked, so that SIGTTOU cannot stop it.
static void restore_terminal(void) {
  restore_screen("", 0);
  // In the background (stopped by kill -STOP, then ended) the shell has already set its own modes.
  pid_t foreground = tcgetpgrp(guard_fd);
  if (foreground < 0 || foreground == getpgrp()) {
    // TCSANOW: the others wait for output to drain, which never happens in a paused terminal.
    while (tcsetattr(guard_fd, TCSANOW, &original_modes) < 0 && errno == EINTR) {
    }
  }
}

/// Lets the reader of a terminal have the last bytes before the last close of it.
///
/// A reader of a pseudo-terminal that finds nothing while the last process closes the other end
/// can be told EIO although bytes have come meanwhile (Linux 6.18: up to 54 of 3,000 ends on two
/// busy cores). They are there for its next read, but sshd and others end at the first failure.
/// Only the leader of a session is the last one: others run below a shell.
static void await_reader(void) {
  if (getsid(0) == getpid()) poll(NULL, 0, TAIL_MS);
}

static void handle_fatal(int number) {
  atomic_store(&tg_dying, 1);
  int expected = GUARDED;
  while (!atomic_compare_exchange_weak(&phase, &expected, RESTORING)) {
    if (expected == RESTORED) break;
    // Another thread is restoring, with signals blocked, so it cannot be the interrupted one.
    if (expected == RESTORING) poll(NULL, 0, 5);
    expected = GUARDED;
  }
  if (expected == GUARDED) {
    // Drawing by other threads must not land after the restore bytes: from now on it goes to
    // /dev/null, and a write just entering the kernel gets a moment to complete.
    if (null_fd >= 0 && dup2(null_fd, program_fd) >= 0) poll(NULL, 0, 2);
    restore_terminal();
    atomic_store(&phase, RESTORED);
  }
  await_reader();

  struct sigaction standard;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  sigaction(number, &standard, NULL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  sigprocmask(SIG_UNBLOCK, &only, NULL);
  raise(number);
  _exit(128 + number);  // Default dispositions do not end process 1 of a container.
}

static void handle_reported(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  int fd = atomic_load(&pipe_write);
  // If the pipe is full, enough notifications are pending.
  if (fd >= 0 && write(fd, &byte, 1) < 0) {
  }
  errno = saved;
}

static void set_handler(int number, void (*handler)(int), struct sigaction *previous) {
  if (sigaction(number, NULL, previous) < 0 || previous->sa_handler == SIG_IGN) return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigfillset(&action.sa_mask);
  sigaction(number, &action, NULL);
}

static int keep_restore(const char *bytes, size_t n) {
  if (n > TG_RESTORE_MAX) return EMSGSIZE;
  if (atomic_load(&tg_dying)) return ECANCELED;
  struct restore *spare = atomic_load(&current) == &slots[0] ? &slots[1] : &slots[0];
  memcpy(spare->bytes, bytes, n);
  spare->count = n;
  atomic_store(&current, spare);
  return 0;
}

static void close_one(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static void close_all(void) {
  int write_end = atomic_exchange(&pipe_write, -1);
  close_one(&write_end);
  close_one(&pipe_read);
  close_one(&guard_fd);
  close_one(&null_fd);
}

int tg_install(int tty_fd, const struct termios *original, const char *restore_bytes, size_t n) {
  if (installed) return EBUSY;
  int result = keep_restore(restore_bytes, n);
  if (result != 0) return result;

  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) < 0) return errno;
  pipe_read = ends[0];
  atomic_store(&pipe_write, ends[1]);
  program_fd = tty_fd;
  guard_fd = fcntl(tty_fd, F_DUPFD_CLOEXEC, 10);
  if (guard_fd < 0) {
    result = errno;
    close_all();
    return result;
  }
  null_fd = open("/dev/null", O_RDWR | O_CLOEXEC);  // Without it only the redirection is lost.
  original_modes = *original;
  tg_prepare_thread();

  atomic_store(&phase, GUARDED);
  for (size_t i = 0; i < COUNT(fatal); i++) {
    set_handler(fatal[i], handle_fatal, &previous_fatal[i]);
  }
  for (size_t i = 0; i < COUNT(reported); i++) {
    set_handler(reported[i], handle_reported, &previous_reported[i]);
  }
  installed = 1;
  return 0;
}

int tg_set_restore(const char *restore_bytes, size_t n) { return keep_restore(restore_bytes, n); }

/// Returns whether a fatal signal is pending that is not ignored.
static int is_signal_pending(void) {
  sigset_t pending;
  if (sigpending(&pending) == 0) {
    for (size_t i = 0; i < COUNT(fatal); i++) {
      struct sigaction action;
      if (sigismember(&pending, fatal[i]) == 1 && sigaction(fatal[i], NULL, &action) == 0 &&
          action.sa_handler != SIG_IGN) {
        return 1;
      }
    }
  }
  return 0;
}

/// Lets another thread's handler end the process: the first cause determines the exit status.
///
/// A running handler always ends the process, so there is no deadline. A pending signal may be one
/// that no thread accepts.
static void await_end(void) {
  for (int i = 0; i < 400 && installed && !atomic_load(&tg_dying) && is_signal_pending(); i++) {
    poll(NULL, 0, 5);
  }
  while (atomic_load(&tg_dying)) poll(NULL, 0, 5);
}

void tg_restore_now(void) {
  // Blocked: a signal on this thread would wait forever for the restore that it interrupted.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int expected = GUARDED;
  if (atomic_compare_exchange_strong(&phase, &expected, RESTORING)) {
    restore_terminal();
    atomic_store(&phase, RESTORED);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  await_end();
}

int tg_restore_screen(const char *question, size_t n) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  int result = ECANCELED;
  int expected = GUARDED;
  if (atomic_compare_exchange_strong(&phase, &expected, RESTORING)) {
    result = restore_screen(question, n);
    atomic_store(&current, &nothing);
    atomic_store(&phase, GUARDED);
  }
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  await_end();
  return result;
}

void tg_exit(int status) {
  tg_restore_now();
  if (isatty(STDOUT_FILENO) || isatty(STDERR_FILENO)) await_reader();
  _exit(status);
}

void tg_rearm(void) {
  int expected = RESTORED;
  if (installed) atomic_compare_exchange_strong(&phase, &expected, GUARDED);
  // Either a handler saw the terminal guarded and restores it, or it is seen here, and the caller
  // cannot change the terminal during the restore.
  await_end();
}

void tg_uninstall(void) {
  if (!installed) return;
  for (size_t i = 0; i < COUNT(fatal); i++) sigaction(fatal[i], &previous_fatal[i], NULL);
  for (size_t i = 0; i < COUNT(reported); i++) {
    sigaction(reported[i], &previous_reported[i], NULL);
  }
  atomic_store(&phase, RESTORED);
  installed = 0;
  close_all();
}

int tg_pipe(void) { return pipe_read; }

void tg_await_foreground(void) {
  // `kill %1` sends SIGTERM, then SIGCONT: stopping now would suspend the handler halfway.
  await_end();
  struct sigaction before, action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_DFL;
  sigaction(SIGTTOU, &action, &before);
  sigset_t only, mask;
  sigemptyset(&only);
  sigaddset(&only, SIGTTOU);
  pthread_sigmask(SIG_UNBLOCK, &only, &mask);
  // Has no effect in the foreground. In the background the kernel stops the process group, and
  // tries again when it is continued; in an orphaned group, which nothing could continue, it fails.
  while (tcsetpgrp(guard_fd, getpgrp()) < 0 && errno == EINTR) {
  }
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGTTOU, &before, NULL);
}

/// Sets the signals that come from outside to their default action, or back to the handler.
static void set_outside(void (*from)(int), void (*to)(int)) {
  for (size_t i = 0; i < OUTSIDE; i++) {
    struct sigaction action;
    if (sigaction(fatal[i], NULL, &action) == 0 && action.sa_handler == from) {
      action.sa_handler = to;
      sigaction(fatal[i], &action, NULL);
    }
  }
}

int tg_suspend(void) {
  struct sigaction before, action;
  if (sigaction(SIGTSTP, NULL, &before) < 0) return errno;
  if (before.sa_handler == SIG_IGN) return ENOTSUP;

  // Nothing needs restoring meanwhile, so a signal sent to the stopped program ends it without a
  // handler: SIGTTOU could stop a handler halfway after `kill %1`, SIGTERM and SIGCONT. This thread
  // also takes such a signal before it does anything else.
  set_outside(handle_fatal, SIG_DFL);
  sigset_t taken, mask;
  sigemptyset(&taken);
  for (size_t i = 0; i < OUTSIDE; i++) sigaddset(&taken, fatal[i]);

  // The whole group stops, as it would for the terminal's own Ctrl-Z: in `make run` the shell waits
  // for make. This process ignores that signal and then raises its own, because only a raised one
  // is guaranteed to stop it before the call returns.
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_IGN;
  sigaction(SIGTSTP, &action, NULL);
  int result = kill(0, SIGTSTP) < 0 ? errno : 0;
  // In a thread that blocks the signal (as Dispatch's parked main thread does) it stayed pending
  // although it is ignored, and would stop the process a second time. Setting SIG_IGN discards it.
  sigaction(SIGTSTP, &action, NULL);
  action.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &action, NULL);
  sigaddset(&taken, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &taken, &mask);
  raise(SIGTSTP);
  sigaction(SIGTSTP, &before, NULL);
  tg_await_foreground();

  set_outside(SIG_DFL, handle_fatal);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  return result;
}
