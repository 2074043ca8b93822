#define _GNU_SOURCE
#include "CDescriptors.h"

#include <fcntl.h>
#include <stddef.h>
#include <sys/socket.h>
#include <unistd.h>

int panda_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int panda_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int panda_close_rest(posix_spawn_file_actions_t *actions) {
  return posix_spawn_file_actions_addclosefrom_np(actions, 3);
}
