#ifndef PANDA_CFILESYSTEM_SHIM_H
#define PANDA_CFILESYSTEM_SHIM_H

#include <fcntl.h>
#include <linux/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// statfs, which returns the type of a file system.
#include <sys/vfs.h>

// The C library declares these only with _GNU_SOURCE, which Swift's import of it does not define.
extern int syncfs(int descriptor);
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

// Locks of an open file description, which fcntl.h declares only with _GNU_SOURCE. The numbers are
// the kernel's (include/uapi/asm-generic/fcntl.h). Unlike a process's own locks they are not
// released when another descriptor of the file is closed.
#ifndef F_OFD_GETLK
#define F_OFD_GETLK 36
#define F_OFD_SETLK 37
#endif

/// Locks or unlocks one byte of a file without waiting.
///
/// kind: F_RDLCK, F_WRLCK or F_UNLCK. Returns 0, or -1 with errno (EAGAIN if it is held elsewhere).
static inline int pantry_lock_byte(int descriptor, short kind, off_t offset) {
  struct flock lock = {.l_type = kind, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
  return fcntl(descriptor, F_OFD_SETLK, &lock);
}

/// Returns the end of a lock that another open file description has on one of some bytes.
///
/// count: 0 looks up to the end of all offsets. Returns 0 if there is none; -1 with errno on
/// failure.
static inline off_t pantry_locked_byte(int descriptor, off_t offset, off_t count) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = count};
  if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) return -1;
  return lock.l_type == F_UNLCK ? 0 : lock.l_start + 1;
}

// Linux 5.8 (man 2 statx).
#ifndef STATX_ATTR_MOUNT_ROOT
#define STATX_ATTR_MOUNT_ROOT 0x2000
#endif

/// Returns whether a file or directory is mounted by itself; -1 if the kernel cannot tell.
///
/// The C library declares statx only with _GNU_SOURCE.
static inline int pantry_is_mount_root(const char *path) {
  struct statx status = {0};
  if (syscall(SYS_statx, AT_FDCWD, path, 0, 0, &status) != 0) return -1;
  if (!(status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT)) return -1;
  return (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

#endif
