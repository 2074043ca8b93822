#define _GNU_SOURCE
#include "CTerminalGuard.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
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
// How long a terminal may take nothing before it counts as paused by Ctrl-S: longer than a busy
// machine or a bad connection delays one that is not.
#define RESTORE_PATIENCE_MS 2000
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static _Atomic int phase = RESTORED;
static _Atomic int dying = 0;

// Two slots and a pointer. A writer fills the slot that is not current, then publishes it. A
// handler sets `dying` before it reads the pointer, and a writer checks `dying` before it touches a
// slot, so a slot is never written while a handler uses it.
static struct restore slots[2];
static struct restore *_Atomic current = &slots[0];

static struct termios original_modes;  // written only while RESTORED
static int program_fd = -1;            // the descriptor that the program draws on
static int guard_fd = -1;              // the guard's own duplicate of it
static int null_fd = -1;
static int pipe_read = -1;
static _Atomic int pipe_write = -1;

static struct sigaction previous_fatal[COUNT(fatal)];
static struct sigaction previous_reported[COUNT(reported)];
static int installed = 0;

static long long now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000LL + t.tv_nsec / 1000000;
}

/// Writes with a deadline on the time without progress; the one write loop of the program.
static int write_loop(int fd, const char *bytes, size_t n, int patience_ms, int stop_when_dying) {
  long long deadline = now_ms() + patience_ms;
  while (n > 0) {
    if (stop_when_dying && atomic_load(&dying)) return ECANCELED;
    ssize_t written = write(fd, bytes, n);
    if (written > 0) {
      bytes += written;
      n -= (size_t)written;
      deadline = now_ms() + patience_ms;
      continue;
    }
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno != EAGAIN) return errno;
    if (now_ms() >= deadline) return ETIMEDOUT;
    // Short waits, since another thread may hold the terminal's lock while poll reports it as
    // writable.
    struct pollfd waiting = {.fd = fd, .events = POLLOUT};
    if (poll(&waiting, 1, 50) > 0) poll(NULL, 0, 1);
  }
  return 0;
}

/// Restores the terminal. Called by the thread that moved the phase from GUARDED to RESTORING, with
/// all signals blocked, so that SIGTTOU cannot stop it.
static void restore_terminal(void) {
  // Nonblocking, so that a terminal paused by Ctrl-S cannot keep the process from ending. The flag
  // belongs to the open file, which the shell shares, so it is reset afterwards.
  int flags = fcntl(guard_fd, F_GETFL);
  if (flags >= 0) fcntl(guard_fd, F_SETFL, flags | O_NONBLOCK);
  struct restore *restore = atomic_load(&current);
  write_loop(guard_fd, restore->bytes, restore->count, RESTORE_PATIENCE_MS, 0);
  if (flags >= 0) fcntl(guard_fd, F_SETFL, flags);

  // In the background (stopped by kill -STOP, then ended) the shell has already set its own modes.
  pid_t foreground = tcgetpgrp(guard_fd);
  if (foreground < 0 || foreground == getpgrp()) {
    // TCSANOW: the others wait for output to drain, which never happens in a paused terminal.
    while (tcsetattr(guard_fd, TCSANOW, &original_modes) < 0 && errno == EINTR) {
    }
  }
}

static char log_path[PATH_MAX];  // empty for no log
static _Atomic int has_logged = 0;

static char *put_text(char *at, const char *text) {
  while (*text) *at++ = *text++;
  return at;
}

static char *put_number(char *at, long number, int digits) {
  for (int i = digits - 1; i >= 0; i--, number /= 10) at[i] = (char)('0' + number % 10);
  return at + digits;
}

static int days_of_month(int year, int month) {
  if (month == 2) return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
  return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
}

/// Writes the time as 2026-11-22T20:03:04.123Z. gmtime_r may take a lock that the interrupted
/// thread holds (signal-safety(7)).
static char *put_time(char *at, const struct timespec *now) {
  long days = now->tv_sec / 86400, second = now->tv_sec % 86400;
  int year = 1970, month = 1;
  for (int length; days >= (length = days_of_month(year, month)); days -= length) {
    month = month % 12 + 1;
    if (month == 1) year++;
  }
  const struct { long number; int digits; char end; } parts[] = {
      {year, 4, '-'}, {month, 2, '-'}, {days + 1, 2, 'T'}, {second / 3600, 2, ':'},
      {second / 60 % 60, 2, ':'}, {second % 60, 2, '.'}, {now->tv_nsec / 1000000, 3, 'Z'},
  };
  for (size_t i = 0; i < COUNT(parts); i++) {
    at = put_number(at, parts[i].number, parts[i].digits);
    *at++ = parts[i].end;
  }
  return at;
}

/// Records the signal in the log, once.
static void log_signal(int number) {
  if (!log_path[0] || atomic_exchange(&has_logged, 1)) return;
  int fd = open(log_path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  char line[160], *at = put_time(line, &now);
  at = put_text(at, " error terminal [");
  int digits = 1;
  for (pid_t rest = getpid(); rest >= 10; rest /= 10) digits++;
  at = put_number(at, getpid(), digits);
  at = put_text(at, "] Ended by SIG");
  const char *name = sigabbrev_np(number);
  at = put_text(at, name ? name : "NAL");
  *at++ = '\n';
  if (write(fd, line, (size_t)(at - line)) < 0) {
  }
  close(fd);
}

static void handle_fatal(int number) {
  atomic_store(&dying, 1);
  int expected = GUARDED;
  if (atomic_compare_exchange_strong(&phase, &expected, RESTORING)) {
    // Drawing by other threads must not land after the restore bytes: from now on it goes to
    // /dev/null, and a write just entering the kernel gets a moment to complete.
    if (null_fd >= 0 && dup2(null_fd, program_fd) >= 0) poll(NULL, 0, 2);
    restore_terminal();
    atomic_store(&phase, RESTORED);
  } else {
    // Another thread is restoring, with signals blocked, so it cannot be the interrupted one.
    while (atomic_load(&phase) == RESTORING) poll(NULL, 0, 5);
  }
  log_signal(number);

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
  if (atomic_load(&dying)) return ECANCELED;
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

void tg_set_log(const char *path) {
  if (strlen(path) < sizeof log_path) strcpy(log_path, path);
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
  for (int i = 0; i < 400 && installed && !atomic_load(&dying) && is_signal_pending(); i++) {
    poll(NULL, 0, 5);
  }
  while (atomic_load(&dying)) poll(NULL, 0, 5);
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

void tg_exit(int status) {
  tg_restore_now();
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

#define SIGNAL_STACK_SIZE (64 * 1024)
static _Thread_local int prepared = 0;
static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;

static void free_signal_stack(void *stack) {
  stack_t off = {.ss_flags = SS_DISABLE};
  sigaltstack(&off, NULL);
  munmap(stack, SIGNAL_STACK_SIZE);
}

static void make_stack_key(void) { pthread_key_create(&stack_key, free_signal_stack); }

void tg_prepare_thread(void) {
  if (prepared) return;
  prepared = 1;
  pthread_once(&stack_once, make_stack_key);
  void *memory = mmap(NULL, SIGNAL_STACK_SIZE, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;  // Only stack overflow handling is lost.
  stack_t stack = {.ss_sp = memory, .ss_size = SIGNAL_STACK_SIZE};
  if (sigaltstack(&stack, NULL) < 0 || pthread_setspecific(stack_key, memory) != 0) {
    free_signal_stack(memory);
  }
}

// Ignored by default, so a late tick does no harm.
#define TICK_SIGNAL SIGURG
#define TICK_MS 250
#ifndef sigev_notify_thread_id  // glibc's name for it
#define sigev_notify_thread_id _sigev_un._tid
#endif
static pthread_once_t tick_once = PTHREAD_ONCE_INIT;

static void handle_tick(int number) { (void)number; }  // A write that it interrupts goes on.

static void catch_ticks(void) {
  struct sigaction action = {.sa_handler = handle_tick, .sa_flags = SA_RESTART};
  sigaction(TICK_SIGNAL, &action, NULL);
}

void tg_start_ticks(struct tg_ticks *ticks) {
  pthread_once(&tick_once, catch_ticks);
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = TICK_SIGNAL};
  event.sigev_notify_thread_id = gettid();
  ticks->started = timer_create(CLOCK_MONOTONIC, &event, &ticks->timer) == 0;
  if (!ticks->started) return;  // Only the protection is lost.
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, TICK_SIGNAL);
  pthread_sigmask(SIG_UNBLOCK, &only, &ticks->mask);
  struct itimerspec pace = {.it_value.tv_nsec = TICK_MS * 1000000L,
                            .it_interval.tv_nsec = TICK_MS * 1000000L};
  timer_settime(ticks->timer, 0, &pace, NULL);
}

void tg_stop_ticks(struct tg_ticks *ticks) {
  if (!ticks->started) return;
  timer_delete(ticks->timer);
  pthread_sigmask(SIG_SETMASK, &ticks->mask, NULL);
}

int tg_write_all(int fd, const void *bytes, size_t n) {
  struct tg_ticks ticks;
  tg_start_ticks(&ticks);
  int result = write_loop(fd, bytes, n, 5000, 1);
  tg_stop_ticks(&ticks);
  return result;
}
