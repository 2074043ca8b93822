// Preloaded: kills the program at the second rename after that of a journal, so that the chain of a
// commit is carried out in part.

#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int renameat(int old_folder, const char *old_name, int folder, const char *name) {
  static int left = -1;
  if (left == 0) kill(getpid(), SIGKILL);
  if (left > 0) left--;
  if (strcmp(name, "journal") == 0) left = 1;
  return (int)syscall(SYS_renameat2, old_folder, old_name, folder, name, 0);
}
