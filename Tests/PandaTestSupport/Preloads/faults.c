// Preloaded into a program: makes a file system out of order below one directory.
//
// FAULTS_DIRECTORY  the directory, without symbolic links in its path
// FAULTS_JOURNAL    a file outside it; gets each change, flush and printed line, in order
// FAULTS_ERROR      what fails: EIO, ENOSPC, EINTR, short (a write of half the bytes) or, for
//                   SQLite's allocations wherever they are, memory
// FAULTS_CALL       the number of the first call that fails, from 1; the calls counted are those
//                   that can fail so
// FAULTS_EVER       every later call fails as well
// FAULTS_LACK       what the file system lacks: "flushes" of directories, "maps" of memory, "locks"
// FAULTS_PAUSE      every flush takes so many milliseconds more
// FAULTS_PRINTS     prints "printed" right after each call that opens a file, as another thread may
// FAULTS_THREADS    as many threads as that can run, the first one among them, in any program
//
// The system calls are made directly, so nothing here calls itself. A file is named by its inode; a
// number that the file system gives out again belongs to a new file from its creation on.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum kind {
  CREATE = 1, WRITE, TRUNCATE, SYNC, SYNC_FOLDER, SYNC_ALL, RENAME, UNLINK, MKDIR, PRINT, FAIL, END
};

// One record of the journal; the path and the bytes follow. Paths are relative to the directory.
struct record {
  uint32_t kind, path_length;
  uint64_t byte_count, inode, offset;
};

// The kinds of calls that can fail.
enum {
  OPENS = 1, MAKES = 2, READS = 4, WRITES = 8, FLUSHES = 16, RESIZES = 32, NAMES = 64, LOOKS = 128
};

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static char directory[PATH_MAX];
static size_t directory_length;
static int journal = -1;
static int error_code, is_short, is_for_ever, prints, failing_calls, lacks_flushes, lacks_maps,
  lacks_locks, pause_milliseconds;
static long failing_call, calls;
static sqlite3_mem_methods memory;

static void journal_bytes(const void *bytes, size_t count) {
  const char *rest = bytes;
  while (count > 0) {
    long written = syscall(SYS_write, journal, rest, count);
    if (written <= 0) abort();
    rest += written;
    count -= (size_t)written;
  }
}

static void note(
    enum kind kind, const char *path, uint64_t inode, uint64_t offset, const void *bytes,
    size_t count) {
  if (journal < 0) return;
  int error = errno;
  struct record record = {kind, path ? (uint32_t)strlen(path) : 0, count, inode, offset};
  journal_bytes(&record, sizeof record);
  journal_bytes(path, record.path_length);
  journal_bytes(bytes, count);
  errno = error;
}

// Whether the next call fails; says so in the journal.
static int fails(int call) {
  if (!(failing_calls & call)) return 0;
  calls++;
  if (failing_call == 0 || (is_for_ever ? calls < failing_call : calls != failing_call)) return 0;
  note(FAIL, NULL, 0, (uint64_t)calls, NULL, 0);
  errno = error_code;
  return 1;
}

// MARK: SQLite's memory

static int allocation_fails(void) {
  pthread_mutex_lock(&lock);
  calls++;
  int result = failing_call != 0 && (is_for_ever ? calls >= failing_call : calls == failing_call);
  if (result) note(FAIL, NULL, 0, (uint64_t)calls, NULL, 0);
  pthread_mutex_unlock(&lock);
  return result;
}

static void *allocate(int count) { return allocation_fails() ? NULL : memory.xMalloc(count); }
static void *reallocate(void *old, int count) {
  return allocation_fails() ? NULL : memory.xRealloc(old, count);
}

static void wrap_memory(void) {
  int (*configure)(int, ...) = (int (*)(int, ...))dlsym(RTLD_DEFAULT, "sqlite3_config");
  // A program without SQLite.
  if (!configure) return;
  if (configure(SQLITE_CONFIG_GETMALLOC, &memory) != SQLITE_OK) abort();
  sqlite3_mem_methods wrapped = memory;
  wrapped.xMalloc = allocate;
  wrapped.xRealloc = reallocate;
  if (configure(SQLITE_CONFIG_MALLOC, &wrapped) != SQLITE_OK) abort();
}

__attribute__((constructor)) static void begin(void) {
  const char *place = getenv("FAULTS_DIRECTORY"), *path = getenv("FAULTS_JOURNAL");
  if (!place || !path) return;
  directory_length = strlen(place);
  memcpy(directory, place, directory_length + 1);
  int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC;
  int opened = (int)syscall(SYS_openat, AT_FDCWD, path, flags, 0600);
  // Not the number of a closed output.
  journal = fcntl(opened, F_DUPFD_CLOEXEC, 10);
  if (journal < 0) abort();
  close(opened);
  const char *error = getenv("FAULTS_ERROR"), *call = getenv("FAULTS_CALL");
  const char *lack = getenv("FAULTS_LACK");
  lacks_flushes = lack && strcmp(lack, "flushes") == 0;
  lacks_maps = lack && strcmp(lack, "maps") == 0;
  lacks_locks = lack && strcmp(lack, "locks") == 0;
  prints = getenv("FAULTS_PRINTS") != NULL;
  const char *pause = getenv("FAULTS_PAUSE");
  pause_milliseconds = pause ? atoi(pause) : 0;
  is_for_ever = getenv("FAULTS_EVER") != NULL;
  failing_call = call ? atol(call) : 0;
  if (!error) return;
  if (strcmp(error, "EIO") == 0) {
    error_code = EIO;
    failing_calls = OPENS | MAKES | READS | WRITES | FLUSHES | RESIZES | NAMES | LOOKS;
  } else if (strcmp(error, "ENOSPC") == 0) {
    error_code = ENOSPC;
    failing_calls = MAKES | WRITES | RESIZES | NAMES;
  } else if (strcmp(error, "EINTR") == 0) {
    error_code = EINTR;
    failing_calls = OPENS | READS | WRITES | FLUSHES | RESIZES;
  } else if (strcmp(error, "short") == 0) {
    is_short = 1;
    failing_calls = WRITES;
  } else if (strcmp(error, "memory") == 0) {
    wrap_memory();
  } else {
    abort();
  }
}

// Other threads may still be writing their records.
__attribute__((destructor)) static void end(void) {
  pthread_mutex_lock(&lock);
  note(END, NULL, 0, (uint64_t)calls, NULL, 0);
  pthread_mutex_unlock(&lock);
}

// MARK: Where a file is

// The part of a path below the directory, or NULL. Slashes at the end of the path are cut off.
static const char *below(char *path) {
  size_t length = strlen(path);
  while (length > 1 && path[length - 1] == '/') path[--length] = 0;
  if (directory_length == 0 || strncmp(path, directory, directory_length) != 0) return NULL;
  const char *rest = path + directory_length;
  if (*rest != 0 && *rest != '/') return NULL;
  while (*rest == '/') rest++;
  return rest;
}

// The path of a descriptor below the directory, or NULL; an index of a log is left alone when
// `changes` is set, since it is made anew after a power failure.
static const char *place(int descriptor, char buffer[PATH_MAX], int changes) {
  if (journal < 0 || descriptor == journal) return NULL;
  char name[40];
  snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
  int error = errno;
  long length = syscall(SYS_readlinkat, AT_FDCWD, name, buffer, PATH_MAX - 1);
  errno = error;
  if (length <= 0) return NULL;
  buffer[length] = 0;
  if (changes && length > 4 && strcmp(buffer + length - 4, "-shm") == 0) return NULL;
  return below(buffer);
}

// The same of a name in a directory that is open.
static const char *place_at(int folder, const char *name, char buffer[PATH_MAX]) {
  if (journal < 0 || !name) return NULL;
  if (name[0] == '/') {
    snprintf(buffer, PATH_MAX, "%s", name);
  } else {
    char base[PATH_MAX], own[40];
    if (folder == AT_FDCWD) snprintf(own, sizeof own, "/proc/self/cwd");
    else snprintf(own, sizeof own, "/proc/self/fd/%d", folder);
    int error = errno;
    long length = syscall(SYS_readlinkat, AT_FDCWD, own, base, sizeof base - 1);
    errno = error;
    if (length <= 0) return NULL;
    base[length] = 0;
    if (strcmp(name, ".") == 0) snprintf(buffer, PATH_MAX, "%s", base);
    else if (snprintf(buffer, PATH_MAX, "%s/%s", base, name) >= PATH_MAX) return NULL;
  }
  return below(buffer);
}

static int is_index(const char *path) {
  size_t length = strlen(path);
  return length > 4 && strcmp(path + length - 4, "-shm") == 0;
}

static uint64_t inode(int descriptor) {
  struct stat status;
  return syscall(SYS_fstat, descriptor, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

// MARK: Opening

static int open_at(int folder, const char *name, int flags, mode_t mode) {
  char buffer[PATH_MAX];
  const char *path = place_at(folder, name, buffer);
  if (!path) return (int)syscall(SYS_openat, folder, name, flags, mode);
  pthread_mutex_lock(&lock);
  int result = -1;
  struct stat status;
  int is_new = flags & O_CREAT
    && syscall(SYS_newfstatat, folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0;
  if (!fails(is_new ? MAKES : OPENS)) {
    result = (int)syscall(SYS_openat, folder, name, flags, mode);
    if (result >= 0 && !is_index(path)) {
      if (is_new) note(CREATE, path, inode(result), 0, NULL, 0);
      else if (flags & O_TRUNC) note(TRUNCATE, NULL, inode(result), 0, NULL, 0);
    }
    for (int output = 1; prints && output <= 2; output++) syscall(SYS_write, output, "printed", 7);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

#define MODE \
  mode_t mode = 0; \
  if (flags & O_CREAT) { \
    va_list list; \
    va_start(list, flags); \
    mode = va_arg(list, mode_t); \
    va_end(list); \
  }

int open(const char *name, int flags, ...) { MODE return open_at(AT_FDCWD, name, flags, mode); }
int open64(const char *name, int flags, ...) { MODE return open_at(AT_FDCWD, name, flags, mode); }
int openat(int folder, const char *name, int flags, ...) {
  MODE return open_at(folder, name, flags, mode);
}
int openat64(int folder, const char *name, int flags, ...) {
  MODE return open_at(folder, name, flags, mode);
}
int __open_2(const char *name, int flags) { return open_at(AT_FDCWD, name, flags, 0); }
int __open64_2(const char *name, int flags) { return open_at(AT_FDCWD, name, flags, 0); }
int __openat_2(int folder, const char *name, int flags) { return open_at(folder, name, flags, 0); }
int __openat64_2(int folder, const char *name, int flags) {
  return open_at(folder, name, flags, 0);
}

// MARK: Reading and writing

ssize_t read(int descriptor, void *bytes, size_t count) {
  char buffer[PATH_MAX];
  if (failing_calls & READS && place(descriptor, buffer, 0)) {
    pthread_mutex_lock(&lock);
    int is_over = fails(READS);
    pthread_mutex_unlock(&lock);
    if (is_over) return -1;
  }
  return syscall(SYS_read, descriptor, bytes, count);
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  char buffer[PATH_MAX];
  if (failing_calls & READS && place(descriptor, buffer, 0)) {
    pthread_mutex_lock(&lock);
    int is_over = fails(READS);
    pthread_mutex_unlock(&lock);
    if (is_over) return -1;
  }
  return syscall(SYS_pread64, descriptor, bytes, count, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off64_t offset) {
  return pread(descriptor, bytes, count, offset);
}

static ssize_t write_at(int descriptor, const void *bytes, size_t count, off_t offset, int is_at) {
  char buffer[PATH_MAX];
  const char *path = place(descriptor, buffer, 0);
  if (!path) {
    if (descriptor == STDOUT_FILENO && journal >= 0) {
      pthread_mutex_lock(&lock);
      note(PRINT, NULL, 0, 0, bytes, count);
      pthread_mutex_unlock(&lock);
    }
    return is_at ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                 : syscall(SYS_write, descriptor, bytes, count);
  }
  pthread_mutex_lock(&lock);
  ssize_t result = -1;
  int is_over = fails(WRITES);
  if (is_over && is_short && count > 1) {
    is_over = 0;
    count /= 2;
  }
  if (!is_over || is_short) {
    if (!is_at) offset = syscall(SYS_lseek, descriptor, 0, SEEK_CUR);
    result = is_at ? syscall(SYS_pwrite64, descriptor, bytes, count, offset)
                   : syscall(SYS_write, descriptor, bytes, count);
    if (result > 0 && !is_index(path))
      note(WRITE, NULL, inode(descriptor), (uint64_t)offset, bytes, (size_t)result);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  return write_at(descriptor, bytes, count, 0, 0);
}
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return write_at(descriptor, bytes, count, offset, 1);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  return write_at(descriptor, bytes, count, offset, 1);
}

static int resize(int descriptor, off_t length, int mode, off_t offset, int is_truncation) {
  char buffer[PATH_MAX];
  const char *path = place(descriptor, buffer, 0);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (!path || !fails(RESIZES)) {
    result = (int)(is_truncation ? syscall(SYS_ftruncate, descriptor, length)
                                 : syscall(SYS_fallocate, descriptor, mode, offset, length));
    struct stat status;
    if (result == 0 && path && !is_index(path) && syscall(SYS_fstat, descriptor, &status) == 0)
      note(TRUNCATE, NULL, (uint64_t)status.st_ino, (uint64_t)status.st_size, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int descriptor, off_t length) { return resize(descriptor, length, 0, 0, 1); }
int ftruncate64(int descriptor, off64_t length) { return resize(descriptor, length, 0, 0, 1); }
int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return resize(descriptor, length, mode, offset, 0);
}
int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  return resize(descriptor, length, mode, offset, 0);
}
int posix_fallocate(int descriptor, off_t offset, off_t length) {
  return resize(descriptor, length, 0, offset, 0) == 0 ? 0 : errno;
}
int posix_fallocate64(int descriptor, off64_t offset, off64_t length) {
  return posix_fallocate(descriptor, offset, length);
}

// MARK: Flushing

static int flush(int descriptor, long call, int is_all) {
  char buffer[PATH_MAX];
  const char *path = place(descriptor, buffer, 1);
  if (path && pause_milliseconds > 0) usleep(1000 * (useconds_t)pause_milliseconds);
  pthread_mutex_lock(&lock);
  int result = -1;
  struct stat status;
  if (path && lacks_flushes && !is_all && syscall(SYS_fstat, descriptor, &status) == 0 &&
      S_ISDIR(status.st_mode)) {
    errno = EINVAL;
  } else if (!path || !fails(FLUSHES)) {
    result = (int)syscall(call, descriptor);
    if (result == 0 && path && syscall(SYS_fstat, descriptor, &status) == 0) {
      if (is_all) note(SYNC_ALL, NULL, 0, 0, NULL, 0);
      else if (S_ISDIR(status.st_mode)) note(SYNC_FOLDER, path, 0, 0, NULL, 0);
      else note(SYNC, NULL, (uint64_t)status.st_ino, 0, NULL, 0);
    }
  }
  pthread_mutex_unlock(&lock);
  return result;
}

int fsync(int descriptor) { return flush(descriptor, SYS_fsync, 0); }
int fdatasync(int descriptor) { return flush(descriptor, SYS_fdatasync, 0); }
int syncfs(int descriptor) { return flush(descriptor, SYS_syncfs, 1); }

// MARK: Locking

static int cannot_lock(int descriptor) {
  char buffer[PATH_MAX];
  if (!lacks_locks || !place(descriptor, buffer, 0)) return 0;
  errno = ENOLCK;
  return 1;
}

int flock(int descriptor, int operation) {
  return cannot_lock(descriptor) ? -1 : (int)syscall(SYS_flock, descriptor, operation);
}

#define FCNTL \
  va_list list; \
  va_start(list, command); \
  void *argument = va_arg(list, void *); \
  va_end(list); \
  int is_lock = command == F_SETLK || command == F_OFD_SETLK || command == F_OFD_GETLK; \
  if (is_lock && cannot_lock(descriptor)) return -1; \
  return (int)syscall(SYS_fcntl, descriptor, command, argument);

int fcntl(int descriptor, int command, ...) { FCNTL }
int fcntl64(int descriptor, int command, ...) { FCNTL }

// MARK: Mapping

void *mmap(
    void *address, size_t length, int protection, int flags, int descriptor, off_t offset) {
  char buffer[PATH_MAX];
  if (lacks_maps && descriptor >= 0 && (flags & MAP_SHARED) && place(descriptor, buffer, 0)) {
    errno = ENODEV;
    return MAP_FAILED;
  }
  return (void *)syscall(SYS_mmap, address, length, protection, flags, descriptor, offset);
}
void *mmap64(
    void *address, size_t length, int protection, int flags, int descriptor, off64_t offset) {
  return mmap(address, length, protection, flags, descriptor, offset);
}

// MARK: Names

int renameat2(int old_folder, const char *old, int new_folder, const char *new, unsigned flags) {
  char old_buffer[PATH_MAX], new_buffer[PATH_MAX];
  const char *from = place_at(old_folder, old, old_buffer);
  const char *to = place_at(new_folder, new, new_buffer);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (!from || !to || !fails(NAMES)) {
    result = (int)syscall(SYS_renameat2, old_folder, old, new_folder, new, flags);
    if (result == 0 && from && to) note(RENAME, from, 0, 0, to, strlen(to));
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int renameat(int old_folder, const char *old, int new_folder, const char *new) {
  return renameat2(old_folder, old, new_folder, new, 0);
}
int rename(const char *old, const char *new) { return renameat2(AT_FDCWD, old, AT_FDCWD, new, 0); }

int unlinkat(int folder, const char *name, int flags) {
  char buffer[PATH_MAX];
  const char *path = place_at(folder, name, buffer);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (!path || !fails(NAMES)) {
    result = (int)syscall(SYS_unlinkat, folder, name, flags);
    if (result == 0 && path && !is_index(path)) note(UNLINK, path, 0, 0, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

int mkdirat(int folder, const char *name, mode_t mode) {
  char buffer[PATH_MAX];
  const char *path = place_at(folder, name, buffer);
  pthread_mutex_lock(&lock);
  int result = -1;
  if (!path || !fails(MAKES)) {
    result = (int)syscall(SYS_mkdirat, folder, name, mode);
    if (result == 0 && path) note(MKDIR, path, 0, 0, NULL, 0);
  }
  pthread_mutex_unlock(&lock);
  return result;
}
int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

// MARK: Looking

static int look(int folder, const char *name, struct stat *status, int flags) {
  char buffer[PATH_MAX];
  if (failing_calls & LOOKS && place_at(folder, name, buffer)) {
    pthread_mutex_lock(&lock);
    int is_over = fails(LOOKS);
    pthread_mutex_unlock(&lock);
    if (is_over) return -1;
  }
  return (int)syscall(SYS_newfstatat, folder, name, status, flags);
}

int fstat(int descriptor, struct stat *status) {
  char buffer[PATH_MAX];
  if (failing_calls & LOOKS && place(descriptor, buffer, 0)) {
    pthread_mutex_lock(&lock);
    int is_over = fails(LOOKS);
    pthread_mutex_unlock(&lock);
    if (is_over) return -1;
  }
  return (int)syscall(SYS_fstat, descriptor, status);
}
int stat(const char *name, struct stat *status) { return look(AT_FDCWD, name, status, 0); }
int lstat(const char *name, struct stat *status) {
  return look(AT_FDCWD, name, status, AT_SYMLINK_NOFOLLOW);
}
int fstatat(int folder, const char *name, struct stat *status, int flags) {
  return look(folder, name, status, flags);
}
int stat64(const char *name, struct stat64 *status) {
  return look(AT_FDCWD, name, (struct stat *)status, 0);
}
int lstat64(const char *name, struct stat64 *status) {
  return look(AT_FDCWD, name, (struct stat *)status, AT_SYMLINK_NOFOLLOW);
}
int fstat64(int descriptor, struct stat64 *status) {
  return fstat(descriptor, (struct stat *)status);
}
int fstatat64(int folder, const char *name, struct stat64 *status, int flags) {
  return look(folder, name, (struct stat *)status, flags);
}

// MARK: Threads

int pthread_create(
    pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
  const char *limit = getenv("FAULTS_THREADS");
  struct stat status;
  // The directory has two links more than threads.
  if (limit && syscall(SYS_newfstatat, AT_FDCWD, "/proc/self/task", &status, 0) == 0 &&
      (long)status.st_nlink - 2 >= atol(limit))
    return EAGAIN;
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
      (int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))dlsym(
          RTLD_NEXT, "pthread_create");
  return create(thread, attributes, body, context);
}
