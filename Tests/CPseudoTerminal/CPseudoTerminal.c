#define _GNU_SOURCE
#include "CPseudoTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

int pt_open(char *slave, size_t capacity) {
  int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0) return -errno;
  if (grantpt(master) < 0 || unlockpt(master) < 0 || ptsname_r(master, slave, capacity) != 0) {
    int code = errno;
    close(master);
    return -code;
  }
  return master;
}

int pt_resize(int master, int columns, int rows, int pixel_width, int pixel_height) {
  struct winsize size = {
      .ws_col = (unsigned short)columns,
      .ws_row = (unsigned short)rows,
      .ws_xpixel = (unsigned short)pixel_width,
      .ws_ypixel = (unsigned short)pixel_height,
  };
  return ioctl(master, TIOCSWINSZ, &size) < 0 ? errno : 0;
}

int pt_hold(const char *slave) {
  int fd = open(slave, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return errno;
  int code = tcflow(fd, TCOOFF) < 0 ? errno : 0;
  close(fd);
  return code;
}

pid_t pt_foreground(int master) {
  pid_t group = -1;
  return ioctl(master, TIOCGPGRP, &group) < 0 ? -errno : group;
}

// What follows runs in a child of a program with threads, so only async-signal-safe functions are
// called (fork(2)).

static void all_signals_default(void) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  for (int number = 1; number < 32; number++) sigaction(number, &action, NULL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void report(int control, char kind, int value) {
  int message[2] = {kind, value};
  if (write(control, message, sizeof message) < 0) _exit(1);
}

static void ignore_child(int number) { (void)number; }  // SIGCHLD only has to interrupt ppoll.

_Noreturn static void lead(int control, const char *program, char *const argv[],
                           char *const envp[]) {
  // SIGCHLD is blocked but in ppoll, so that no change is missed between waitpid and the wait.
  sigset_t child_signal, none;
  sigemptyset(&none);
  sigemptyset(&child_signal);
  sigaddset(&child_signal, SIGCHLD);
  sigprocmask(SIG_SETMASK, &child_signal, NULL);
  struct sigaction action = {.sa_handler = ignore_child};
  sigaction(SIGCHLD, &action, NULL);
  action.sa_handler = SIG_IGN;
  const int ignored[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU, SIGPIPE};
  for (size_t i = 0; i < sizeof ignored / sizeof ignored[0]; i++) {
    sigaction(ignored[i], &action, NULL);
  }

  pid_t child = fork();
  if (child == 0) {
    setpgid(0, 0);
    tcsetpgrp(0, getpid());  // SIGTTOU is still ignored here
    all_signals_default();
    close(control);
    execve(program, argv, envp);
    _exit(127);
  }
  if (child < 0) _exit(126);
  setpgid(child, child);
  tcsetpgrp(0, child);
  report(control, 'P', child);

  int running = 1;
  for (;;) {
    int status;
    while (running && waitpid(child, &status, WNOHANG | WUNTRACED | WCONTINUED) > 0) {
      if ((status & 0xff) == 0x7f) tcsetpgrp(0, getpid());
      if (status != 0xffff && (status & 0xff) != 0x7f) {
        running = 0;
        tcsetpgrp(0, getpid());
      }
      report(control, 'S', status);
    }
    struct pollfd waiting = {.fd = control, .events = POLLIN};
    if (ppoll(&waiting, 1, NULL, &none) <= 0) continue;
    char command;
    ssize_t count = read(control, &command, 1);
    if (count <= 0) break;
    if (!running) continue;
    if (command == 'F') tcsetpgrp(0, child);
    kill(-child, SIGCONT);
  }
  if (running) kill(-child, SIGKILL);
  _exit(0);
}

pid_t pt_spawn(const char *slave, const char *program, char *const argv[], char *const envp[],
               int *control) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) return -errno;
  pid_t leader = fork();
  if (leader == 0) {
    setsid();
    // A session leader's first terminal becomes the session's own.
    int terminal = open(slave, O_RDWR);
    if (terminal < 0) _exit(126);
    int report_end = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
    for (int fd = 0; fd < 3; fd++) dup2(terminal, fd);
    if (dup2(report_end, 3) < 0 || fcntl(3, F_SETFD, FD_CLOEXEC) < 0) _exit(126);
    close_range(4, ~0U, 0);
    lead(3, program, argv, envp);
  }
  int code = errno;
  close(ends[1]);
  if (leader < 0) {
    close(ends[0]);
    return -code;
  }
  *control = ends[0];
  return leader;
}

/// Reads a terminal up to the first read that fails, as sshd does; returns the last byte.
static char read_to_end(int master) {
  char buffer[65536], last = 0;
  ssize_t count;
  while ((count = read(master, buffer, sizeof buffer)) > 0 || (count < 0 && errno == EINTR)) {
    if (count > 0) last = buffer[count - 1];
  }
  return last;
}

int pt_cut_tails(int runs, int count, void (*end)(void)) {
  char *text = malloc((size_t)count);
  if (text == NULL) return -ENOMEM;
  memset(text, 'x', (size_t)count);
  int cut = 0;
  for (int i = 0; i < runs && cut >= 0; i++) {
    char slave[128];
    int master = pt_open(slave, sizeof slave);
    pid_t child = master < 0 ? -1 : fork();
    if (child == 0) {
      setsid();
      int terminal = open(slave, O_RDWR);
      if (terminal < 0) _exit(126);
      for (int fd = 0; fd < 3; fd++) dup2(terminal, fd);
      close(terminal);
      close(master);
      for (int done = 0; done < count;) {
        ssize_t written = write(1, text + done, (size_t)(count - done));
        if (written <= 0) _exit(126);
        done += (int)written;
      }
      end();
      _exit(127);
    }
    if (child < 0) {
      cut = -errno;
    } else {
      // Until the child has it, a read would find no terminal at the other end.
      struct pollfd waiting = {.fd = master, .events = POLLIN};
      poll(&waiting, 1, 10000);
      if (read_to_end(master) != '!') cut++;
      waitpid(child, NULL, 0);
    }
    if (master >= 0) close(master);
  }
  free(text);
  return cut;
}
