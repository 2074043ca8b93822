#define _GNU_SOURCE
#include "simulated_disk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// MARK: Memory

static void give_up(char const *reason) {
  fprintf(stderr, "simulated disk: %s\n", reason);
  abort();
}

static void *resized(void *memory, size_t size) {
  void *result = realloc(memory, size);
  if (!result) give_up("no memory");
  return result;
}

static void *zeroed(size_t size) {
  void *result = calloc(1, size);
  if (!result) give_up("no memory");
  return result;
}

/// The capacity to which a buffer grows that must have room for `needed`.
static size_t grown(size_t capacity, size_t needed, size_t least) {
  size_t result = capacity ? capacity : least;
  while (result < needed) result *= 2;
  return result;
}

struct bytes {
  unsigned char *data;
  size_t count;
  size_t capacity;
};

static void bytes_reserve(struct bytes *bytes, size_t count) {
  if (count <= bytes->capacity) return;
  bytes->capacity = grown(bytes->capacity, count, 4096);
  bytes->data = resized(bytes->data, bytes->capacity);
}

/// Sets the count as ftruncate(2) does: new bytes are zero.
static void bytes_truncate(struct bytes *bytes, size_t count) {
  bytes_reserve(bytes, count);
  if (count > bytes->count) memset(bytes->data + bytes->count, 0, count - bytes->count);
  bytes->count = count;
}

/// Writes as pwrite(2) does: a gap before the offset is zero.
static void bytes_write(
    struct bytes *bytes, size_t offset, unsigned char const *source, size_t count) {
  if (!count) return;
  if (offset > bytes->count) bytes_truncate(bytes, offset);
  bytes_reserve(bytes, offset + count);
  memcpy(bytes->data + offset, source, count);
  if (offset + count > bytes->count) bytes->count = offset + count;
}

static void bytes_set(struct bytes *bytes, struct bytes const *source) {
  bytes->count = 0;
  bytes_write(bytes, 0, source->data, source->count);
}

static int bytes_equal(struct bytes const *one, struct bytes const *other) {
  return one->count == other->count
         && (one->count == 0 || memcmp(one->data, other->data, one->count) == 0);
}

// MARK: Tracked files

/// A change that is not flushed.
struct operation {
  /// Where a write begins, or the new length.
  size_t offset;
  /// The number of bytes written.
  size_t count;
  /// Where they begin in `written`.
  size_t start;
  int is_truncation;
};

/// A file that is open, or has changes that are not flushed.
///
/// Without either, all that the file has is durable, and there is nothing to remember.
struct tracked {
  struct tracked *next;
  dev_t device;
  ino_t inode;
  /// The number of open files of living processes.
  int users;
  /// Whether its last name was removed.
  int is_deleted;
  /// Whether its name is new, and its directory has not been flushed since.
  int has_new_name;
  /// Whether `durable` was read. It is when the first change comes.
  int is_loaded;
  /// The content that was last flushed.
  struct bytes durable;
  struct operation *operations;
  size_t operation_count;
  size_t operation_capacity;
  /// The bytes of the operations.
  struct bytes written;
  /// The length of the file, with all operations.
  size_t size;
};

struct simulated_disk {
  struct tracked **buckets;
  size_t bucket_count;
  size_t tracked_count;
  int skips_sync;
  int process_count;
  /// For what a file has.
  struct bytes present;
  /// For what it should have.
  struct bytes expected;
};

static struct tracked **place_of(simulated_disk const *disk, dev_t device, ino_t inode) {
  uint64_t hash = ((uint64_t)inode ^ (uint64_t)device << 32) * 0x9E3779B97F4A7C15u;
  struct tracked **place = &disk->buckets[(hash >> 32) & (disk->bucket_count - 1)];
  while (*place && ((*place)->inode != inode || (*place)->device != device))
    place = &(*place)->next;
  return place;
}

static struct tracked *find(simulated_disk const *disk, struct stat const *status) {
  return *place_of(disk, status->st_dev, status->st_ino);
}

static void grow_buckets(simulated_disk *disk) {
  struct tracked **old = disk->buckets;
  size_t old_count = disk->bucket_count;
  disk->bucket_count *= 2;
  disk->buckets = zeroed(disk->bucket_count * sizeof *disk->buckets);
  for (size_t index = 0; index < old_count; index++) {
    for (struct tracked *item = old[index], *next; item; item = next) {
      next = item->next;
      item->next = NULL;
      *place_of(disk, item->device, item->inode) = item;
    }
  }
  free(old);
}

static struct tracked *track(simulated_disk *disk, struct stat const *status) {
  if (disk->tracked_count >= disk->bucket_count) grow_buckets(disk);
  struct tracked *item = zeroed(sizeof *item);
  item->device = status->st_dev;
  item->inode = status->st_ino;
  *place_of(disk, item->device, item->inode) = item;
  disk->tracked_count++;
  return item;
}

static void free_tracked(struct tracked *item) {
  free(item->durable.data);
  free(item->written.data);
  free(item->operations);
  free(item);
}

static void forget(simulated_disk *disk, struct tracked *item) {
  *place_of(disk, item->device, item->inode) = item->next;
  disk->tracked_count--;
  free_tracked(item);
}

static struct operation *add_operation(struct tracked *item) {
  if (item->operation_count == item->operation_capacity) {
    item->operation_capacity = grown(item->operation_capacity, item->operation_count + 1, 16);
    item->operations =
        resized(item->operations, item->operation_capacity * sizeof *item->operations);
  }
  struct operation *operation = &item->operations[item->operation_count++];
  memset(operation, 0, sizeof *operation);
  return operation;
}

static void record_write(
    struct tracked *item, size_t offset, unsigned char const *source, size_t count) {
  if (!count) return;
  struct operation *operation = add_operation(item);
  operation->offset = offset;
  operation->count = count;
  operation->start = item->written.count;
  bytes_write(&item->written, item->written.count, source, count);
  if (offset + count > item->size) item->size = offset + count;
}

static void record_truncation(struct tracked *item, size_t size) {
  struct operation *operation = add_operation(item);
  operation->is_truncation = 1;
  operation->offset = size;
  item->size = size;
}

static void perform(
    struct bytes *content, struct tracked const *item, struct operation const *operation) {
  if (operation->is_truncation) {
    bytes_truncate(content, operation->offset);
  } else {
    bytes_write(
        content, operation->offset, item->written.data + operation->start, operation->count);
  }
}

static void forget_operations(struct tracked *item) {
  item->operation_count = 0;
  item->written.count = 0;
}

static void make_durable(struct tracked *item) {
  for (size_t index = 0; index < item->operation_count; index++)
    perform(&item->durable, item, &item->operations[index]);
  forget_operations(item);
}

/// Makes the names of all files durable: those of a database are in one directory.
static void make_names_durable(simulated_disk *disk) {
  for (size_t index = 0; index < disk->bucket_count; index++) {
    for (struct tracked *item = disk->buckets[index], *next; item; item = next) {
      next = item->next;
      item->has_new_name = 0;
      if (!item->users && !item->operation_count) forget(disk, item);
    }
  }
}

/// Puts what the file should have into `disk->expected`.
static void expect(simulated_disk *disk, struct tracked const *item) {
  bytes_set(&disk->expected, &item->durable);
  for (size_t index = 0; index < item->operation_count; index++)
    perform(&disk->expected, item, &item->operations[index]);
}

simulated_disk *simulated_disk_create(void) {
  simulated_disk *disk = zeroed(sizeof *disk);
  disk->bucket_count = 64;
  disk->buckets = zeroed(disk->bucket_count * sizeof *disk->buckets);
  return disk;
}

void simulated_disk_destroy(simulated_disk *disk) {
  if (disk->process_count) give_up("a process has not ended");
  for (size_t index = 0; index < disk->bucket_count; index++) {
    for (struct tracked *item = disk->buckets[index], *next; item; item = next) {
      next = item->next;
      free_tracked(item);
    }
  }
  free(disk->buckets);
  free(disk->present.data);
  free(disk->expected.data);
  free(disk);
}

void simulated_disk_set_skips_sync(simulated_disk *disk, int skips) { disk->skips_sync = skips; }

int simulated_disk_note_flush(simulated_disk *disk, char const *path) {
  struct stat status;
  if (stat(path, &status) != 0) return errno;
  struct tracked *item = find(disk, &status);
  if (!item) return 0;
  make_durable(item);
  make_names_durable(disk);
  return 0;
}

long long simulated_disk_unsynced_bytes(simulated_disk const *disk) {
  long long result = 0;
  for (size_t index = 0; index < disk->bucket_count; index++) {
    for (struct tracked *item = disk->buckets[index]; item; item = item->next)
      result += (long long)item->written.count;
  }
  return result;
}

// MARK: Power failures

struct source {
  unsigned long long (*random)(void *context);
  void *context;
};

/// A number from 0 to `bound` - 1.
static unsigned long long draw(struct source source, unsigned long long bound) {
  // Mixed, since some bits of a weak source are hardly random.
  unsigned long long number = source.random(source.context) * 0x9E3779B97F4A7C15u;
  return (number >> 32) % bound;
}

/// Performs a write, or only its beginning or its end.
static void perform_torn(
    struct bytes *content, struct tracked const *item, struct operation const *operation,
    struct source source) {
  size_t const sector = 512;
  size_t end = operation->offset + operation->count;
  size_t first = (operation->offset / sector + 1) * sector;
  // A write within one sector is not torn.
  if (first >= end) {
    if (draw(source, 2)) perform(content, item, operation);
    return;
  }
  size_t cut = first + sector * (size_t)draw(source, (end - 1 - first) / sector + 1);
  struct operation part = *operation;
  if (draw(source, 2)) {
    part.count = cut - part.offset;
  } else {
    part.start += cut - part.offset;
    part.count = end - cut;
    part.offset = cut;
  }
  perform(content, item, &part);
}

/// Changes `content` from what is durable to what a power failure leaves.
static void survive(struct bytes *content, struct tracked const *item, struct source source) {
  // If each write were decided alone, hardly any run would keep or lose many.
  enum { ALL, NONE, MOST, SOME, PREFIX, MODES };
  int mode = (int)draw(source, MODES);
  size_t count = item->operation_count;
  size_t kept = mode == PREFIX ? (size_t)draw(source, count) : 0;
  for (size_t index = 0; index < count; index++) {
    struct operation const *operation = &item->operations[index];
    // 0 keeps it, 1 drops it, 2 tears it.
    int fate = 0;
    switch (mode) {
      case ALL: break;
      case NONE: fate = 1; break;
      case MOST: {
        unsigned long long number = draw(source, 16);
        fate = number < 2 ? (int)number + 1 : 0;
        break;
      }
      case PREFIX: fate = index < kept ? 0 : index == kept ? 2 : 1; break;
      default: fate = (int)draw(source, 3);
    }
    if (fate == 0 || (fate == 2 && operation->is_truncation && draw(source, 2))) {
      perform(content, item, operation);
    } else if (fate == 2 && !operation->is_truncation) {
      perform_torn(content, item, operation, source);
    }
  }
}

/// Reads a whole file; returns 0 or an errno.
static int read_all(struct bytes *content, int file, size_t size) {
  bytes_reserve(content, size);
  content->count = 0;
  while (content->count < size) {
    ssize_t count =
        pread(file, content->data + content->count, size - content->count, (off_t)content->count);
    if (count < 0) return errno;
    if (count == 0) break;
    content->count += (size_t)count;
  }
  return 0;
}

/// Gives a file another content; returns 0 or an errno.
static int write_all(int file, struct bytes const *content) {
  if (ftruncate(file, (off_t)content->count) != 0) return errno;
  for (size_t done = 0; done < content->count;) {
    ssize_t count = pwrite(file, content->data + done, content->count - done, (off_t)done);
    if (count < 0) return errno;
    done += (size_t)count;
  }
  return 0;
}

static int lose_power_in_file(
    simulated_disk *disk, struct tracked *item, int folder, char const *name, size_t size,
    struct source source) {
  int file = openat(folder, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return errno;
  int result = read_all(&disk->present, file, size);
  if (result == 0) {
    expect(disk, item);
    // Otherwise the program has changed it, or it is another file with the inode of a deleted one.
    if (bytes_equal(&disk->present, &disk->expected)) {
      survive(&item->durable, item, source);
      if (!bytes_equal(&disk->present, &item->durable)) result = write_all(file, &item->durable);
    }
    forget(disk, item);
  }
  close(file);
  return result;
}

static int lose_power_in_folder(simulated_disk *disk, int folder, struct source source);

static int lose_power_at_name(
    simulated_disk *disk, int folder, char const *name, struct source source) {
  struct stat status;
  if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? 0 : errno;
  if (S_ISDIR(status.st_mode)) {
    int inner = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    return inner < 0 ? errno : lose_power_in_folder(disk, inner, source);
  }
  if (!S_ISREG(status.st_mode)) return 0;
  size_t length = strlen(name);
  if (length >= 4 && strcmp(name + length - 4, "-shm") == 0)
    return unlinkat(folder, name, 0) == 0 ? 0 : errno;
  struct tracked *item = find(disk, &status);
  if (!item) return 0;
  if (item->has_new_name && draw(source, 2)) {
    forget(disk, item);
    return unlinkat(folder, name, 0) == 0 ? 0 : errno;
  }
  item->has_new_name = 0;
  if (!item->operation_count) return 0;
  return lose_power_in_file(disk, item, folder, name, (size_t)status.st_size, source);
}

static int compare_names(void const *one, void const *other) {
  return strcmp(*(char *const *)one, *(char *const *)other);
}

/// Closes `folder`; returns 0 or an errno.
static int lose_power_in_folder(simulated_disk *disk, int folder, struct source source) {
  DIR *stream = fdopendir(folder);
  if (!stream) {
    int result = errno;
    close(folder);
    return result;
  }
  char **names = NULL;
  size_t count = 0, capacity = 0;
  struct dirent *entry;
  errno = 0;
  while ((entry = readdir(stream))) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (count == capacity) {
      capacity = grown(capacity, count + 1, 32);
      names = resized(names, capacity * sizeof *names);
    }
    if (!(names[count++] = strdup(entry->d_name))) give_up("no memory");
  }
  int result = errno;
  // The order in a directory is not always the same, and each file draws random numbers.
  if (count) qsort(names, count, sizeof *names, compare_names);
  for (size_t index = 0; index < count; index++) {
    if (result == 0) result = lose_power_at_name(disk, dirfd(stream), names[index], source);
    free(names[index]);
  }
  free(names);
  closedir(stream);
  return result;
}

int simulated_disk_lose_power(
    simulated_disk *disk, char const *directory, unsigned long long (*random)(void *context),
    void *context) {
  for (size_t index = 0; index < disk->bucket_count; index++) {
    for (struct tracked *item = disk->buckets[index]; item; item = item->next) {
      if (item->users) return EBUSY;
    }
  }
  int folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return errno;
  return lose_power_in_folder(disk, folder, (struct source){random, context});
}

// MARK: Processes

struct open_file;

struct simulated_process {
  sqlite3_vfs vfs;
  char name[32];
  sqlite3_vfs *base;
  simulated_disk *disk;
  struct simulated_callbacks callbacks;
  int is_dead;
  struct open_file *files;
  int file_count;
  long long calls[SIMULATED_ACCESS + 1];
};

/// A part of a log's index.
///
/// Each connection has a mapping of its own, as if in a process of its own. So what a dead one
/// still writes can be kept from the others.
struct region {
  void *memory;
  size_t size;
  /// What SQLite uses: a mapping begins at a page of memory.
  void *start;
};

/// What SQLite takes for an open file. That of the default VFS follows it.
struct open_file {
  sqlite3_file file;
  simulated_process *process;
  struct open_file *next;
  struct open_file **previous;
  enum simulated_file kind;
  /// Null for a temporary file.
  struct tracked *tracked;
  int lock;
  unsigned shared_slots;
  unsigned exclusive_slots;
  struct region *regions;
  int region_count;
  /// Whether the default VFS has it open: until it is closed, or its process dies.
  int is_open;
  /// Whether its first flush also flushes the directory, as SQLite does for a log and a journal.
  int flushes_folder;
  int sector_size;
  int characteristics;
  alignas(sqlite3_int64) unsigned char base[];
};

static sqlite3_file *base_of(struct open_file *file) { return (sqlite3_file *)file->base; }

static sqlite3_io_methods const *base_methods(struct open_file *file) {
  return base_of(file)->pMethods;
}

/// Reads a part of a file through the default VFS; returns whether it could.
static int read_part(struct open_file *file, unsigned char *target, size_t offset, size_t count) {
  while (count) {
    int part = count > 1 << 28 ? 1 << 28 : (int)count;
    int result = base_methods(file)->xRead(base_of(file), target, part, (sqlite3_int64)offset);
    if (result != SQLITE_OK) return 0;
    target += part;
    offset += (size_t)part;
    count -= (size_t)part;
  }
  return 1;
}

static size_t length_of(struct open_file *file) {
  sqlite3_int64 size = 0;
  if (base_methods(file)->xFileSize(base_of(file), &size) != SQLITE_OK)
    give_up("a file has no size");
  return (size_t)size;
}

/// Reads what a file has into `content`, without a descriptor: closing one would release locks.
static void read_present(struct open_file *file, struct bytes *content) {
  size_t size = length_of(file);
  bytes_reserve(content, size);
  content->count = size;
  if (!read_part(file, content->data, 0, size)) give_up("a file cannot be read");
}

/// Notes what a file has before its first change.
static struct tracked *prepared(struct open_file *file) {
  struct tracked *item = file->tracked;
  if (item && !item->is_loaded) {
    read_present(file, &item->durable);
    item->size = item->durable.count;
    item->is_loaded = 1;
  }
  return item;
}

/// Records what a part of the file has now.
static void record_present(struct open_file *file, size_t offset, size_t count) {
  size_t size = length_of(file);
  if (offset >= size) return;
  if (count > size - offset) count = size - offset;
  struct bytes *content = &file->process->disk->present;
  bytes_reserve(content, count);
  if (!read_part(file, content->data, offset, count)) give_up("a file cannot be read");
  record_write(file->tracked, offset, content->data, count);
}

/// Records that a file got another length, by SQLite or by the program itself.
static void record_length(struct open_file *file) {
  struct tracked *item = file->tracked;
  size_t size = length_of(file);
  if (size < item->size) record_truncation(item, size);
  if (size > item->size) record_present(file, item->size, size - item->size);
}

/// Records what the program itself has changed in a file that is open.
static void record_foreign_changes(struct open_file *file) {
  simulated_disk *disk = file->process->disk;
  record_length(file);
  expect(disk, file->tracked);
  read_present(file, &disk->present);
  unsigned char const *now = disk->present.data, *then = disk->expected.data;
  size_t first = 0, end = disk->present.count;
  if (end == 0 || end != disk->expected.count || memcmp(now, then, end) == 0) return;
  while (now[first] == then[first]) first++;
  while (now[end - 1] == then[end - 1]) end--;
  record_write(file->tracked, first, now + first, end - first);
}

/// Begins to use the tracked file at a path that was just opened.
static void begin_tracking(struct open_file *file, char const *path, int is_new) {
  simulated_disk *disk = file->process->disk;
  struct stat status;
  if (stat(path, &status) != 0) return;
  struct tracked *item = find(disk, &status);
  if (item && !item->users) {
    // A new file can have the inode of a deleted one, and the program can have changed the file.
    int is_same = !is_new;
    if (is_same) {
      expect(disk, item);
      read_present(file, &disk->present);
      is_same = bytes_equal(&disk->present, &disk->expected);
    }
    if (!is_same) {
      forget(disk, item);
      item = NULL;
    }
  }
  if (!item) item = track(disk, &status);
  item->users++;
  file->tracked = item;
}

/// Ends it, before the default VFS closes the file.
static void end_tracking(struct open_file *file) {
  struct tracked *item = file->tracked;
  if (!item) return;
  file->tracked = NULL;
  if (item->users == 1 && item->operation_count && !item->is_deleted) {
    file->tracked = item;
    record_foreign_changes(file);
    file->tracked = NULL;
  }
  item->users--;
  if (!item->users && ((!item->operation_count && !item->has_new_name) || item->is_deleted))
    forget(file->process->disk, item);
}

/// Gives a dead process a copy of the log's index in place of the index itself.
static void detach(struct region *region) {
  void *copy = mmap(
      NULL, region->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (copy == MAP_FAILED) give_up("no memory");
  memcpy(copy, region->memory, region->size);
  if (mremap(copy, region->size, region->size, MREMAP_MAYMOVE | MREMAP_FIXED, region->memory)
      == MAP_FAILED)
    give_up("a mapping cannot be replaced");
}

static void unmap(struct open_file *file) {
  for (int index = 0; index < file->region_count; index++) {
    struct region *region = &file->regions[index];
    if (region->memory) munmap(region->memory, region->size);
  }
  free(file->regions);
  file->regions = NULL;
  file->region_count = 0;
}

static void unlock_slots(struct open_file *file) {
  int const shared = SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED;
  int const exclusive = SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE;
  for (int slot = 0; slot < SQLITE_SHM_NLOCK; slot++) {
    if (file->shared_slots >> slot & 1)
      base_methods(file)->xShmLock(base_of(file), slot, 1, shared);
    if (file->exclusive_slots >> slot & 1)
      base_methods(file)->xShmLock(base_of(file), slot, 1, exclusive);
  }
  file->shared_slots = file->exclusive_slots = 0;
}

/// Closes a file as the system does when a process dies. SQLite keeps its handle.
static void abandon(struct open_file *file) {
  if (!file->is_open) return;
  for (int index = 0; index < file->region_count; index++) {
    if (file->regions[index].memory) detach(&file->regions[index]);
  }
  unlock_slots(file);
  // Not only at the end: a process that comes next must find the index unused, and recover it.
  if (file->regions) base_methods(file)->xShmUnmap(base_of(file), 0);
  base_methods(file)->xUnlock(base_of(file), SQLITE_LOCK_NONE);
  end_tracking(file);
  base_methods(file)->xClose(base_of(file));
  file->is_open = 0;
}

static void add_file(struct open_file *file) {
  file->next = file->process->files;
  file->previous = &file->process->files;
  if (file->next) file->next->previous = &file->next;
  file->process->files = file;
  file->process->file_count++;
}

static void remove_file(struct open_file *file) {
  *file->previous = file->next;
  if (file->next) file->next->previous = file->previous;
  file->process->file_count--;
}

void simulated_process_kill(simulated_process *process) {
  if (process->is_dead) return;
  process->is_dead = 1;
  for (struct open_file *file = process->files; file; file = file->next) abandon(file);
  if (process->callbacks.died) process->callbacks.died(process->callbacks.context);
}

/// Returns what happens to a call: 0, a positive result code, SIMULATED_KILL_BEFORE if the process
/// is dead, or SIMULATED_KILL_AFTER or SIMULATED_KILL_PARTLY, which the call carries out.
static int decision(
    simulated_process *process, enum simulated_call call, enum simulated_file file,
    long long offset, int count) {
  if (process->is_dead) return SIMULATED_KILL_BEFORE;
  process->calls[call]++;
  if (!process->callbacks.decide) return SIMULATED_PERFORM;
  int verdict = process->callbacks.decide(process->callbacks.context, call, file, offset, count);
  if (process->is_dead) return SIMULATED_KILL_BEFORE;
  if (call != SIMULATED_WRITE) {
    if (verdict > 0) verdict &= ~SIMULATED_PARTLY;
    if (verdict == SIMULATED_KILL_PARTLY) verdict = SIMULATED_KILL_BEFORE;
  }
  if (verdict < SIMULATED_KILL_PARTLY) give_up("an unknown verdict");
  if (verdict == SIMULATED_KILL_BEFORE) simulated_process_kill(process);
  return verdict;
}

/// Returns the result of a call that was performed, and kills the process if that was decided.
static int finished(simulated_process *process, int verdict, int result, int result_if_dead) {
  if (verdict == SIMULATED_KILL_AFTER || verdict == SIMULATED_KILL_PARTLY)
    simulated_process_kill(process);
  return process->is_dead ? result_if_dead : result;
}

static void tell_change(
    simulated_process *process, enum simulated_call call, enum simulated_file file) {
  if (process->callbacks.changed && (file == SIMULATED_DATABASE || file == SIMULATED_LOG))
    process->callbacks.changed(process->callbacks.context, call, file);
}

// MARK: Methods of a file

static struct open_file *opened(sqlite3_file *file) { return (struct open_file *)file; }

static int close_file(sqlite3_file *handle) {
  struct open_file *file = opened(handle);
  simulated_process *process = file->process;
  int verdict = decision(process, SIMULATED_CLOSE, file->kind, 0, 0);
  if (file->is_open) {
    unlock_slots(file);
    if (file->regions) base_methods(file)->xShmUnmap(base_of(file), 0);
    end_tracking(file);
    base_methods(file)->xClose(base_of(file));
    file->is_open = 0;
  }
  unmap(file);
  remove_file(file);
  handle->pMethods = NULL;
  finished(process, verdict, SQLITE_OK, SQLITE_OK);
  return SQLITE_OK;
}

static int read_file(sqlite3_file *handle, void *target, int count, sqlite3_int64 offset) {
  struct open_file *file = opened(handle);
  int verdict = decision(file->process, SIMULATED_READ, file->kind, offset, count);
  if (verdict > 0 || verdict == SIMULATED_KILL_BEFORE) {
    memset(target, 0, (size_t)count);
    return verdict > 0 ? verdict : SQLITE_IOERR_READ;
  }
  int result = base_methods(file)->xRead(base_of(file), target, count, offset);
  return finished(file->process, verdict, result, SQLITE_IOERR_READ);
}

static int write_file(sqlite3_file *handle, void const *bytes, int count, sqlite3_int64 offset) {
  struct open_file *file = opened(handle);
  int verdict = decision(file->process, SIMULATED_WRITE, file->kind, offset, count);
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_IOERR;
  if (verdict > 0 && !(verdict & SIMULATED_PARTLY)) return verdict;
  int is_partial = verdict > 0 || verdict == SIMULATED_KILL_PARTLY;
  if (is_partial) {
    // Like a power failure, at a multiple of a sector: less is written whole or not at all.
    sqlite3_int64 end = (offset + count / 2) & ~(sqlite3_int64)511;
    count = end > offset ? (int)(end - offset) : 0;
  }
  int result = SQLITE_OK;
  if (count > 0) {
    struct tracked *item = prepared(file);
    result = base_methods(file)->xWrite(base_of(file), bytes, count, offset);
    if (item && result == SQLITE_OK) {
      record_write(item, (size_t)offset, bytes, (size_t)count);
    } else if (item) {
      record_length(file);
      record_present(file, (size_t)offset, (size_t)count);
    }
    tell_change(file->process, SIMULATED_WRITE, file->kind);
  }
  if (verdict > 0) result = verdict & ~SIMULATED_PARTLY;
  return finished(file->process, verdict, result, SQLITE_IOERR);
}

static int truncate_file(sqlite3_file *handle, sqlite3_int64 size) {
  struct open_file *file = opened(handle);
  int verdict = decision(file->process, SIMULATED_TRUNCATE, file->kind, size, 0);
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_IOERR;
  if (verdict > 0) return verdict;
  struct tracked *item = prepared(file);
  int result = base_methods(file)->xTruncate(base_of(file), size);
  if (item) {
    // The default VFS can round the length up.
    size_t length = length_of(file);
    if (length != item->size) record_truncation(item, length);
  }
  tell_change(file->process, SIMULATED_TRUNCATE, file->kind);
  return finished(file->process, verdict, result, SQLITE_IOERR);
}

static int sync_file(sqlite3_file *handle, int flags) {
  (void)flags;
  struct open_file *file = opened(handle);
  int verdict = decision(file->process, SIMULATED_SYNC, file->kind, 0, 0);
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_IOERR;
  if (verdict > 0) return verdict;
  // The default VFS does not flush: a real power failure matters to no simulation.
  if (file->tracked && file->tracked->is_loaded && !file->process->disk->skips_sync) {
    record_length(file);
    make_durable(file->tracked);
  }
  if (file->flushes_folder) make_names_durable(file->process->disk);
  file->flushes_folder = 0;
  return finished(file->process, verdict, SQLITE_OK, SQLITE_IOERR);
}

static int file_size(sqlite3_file *handle, sqlite3_int64 *size) {
  struct open_file *file = opened(handle);
  int verdict = decision(file->process, SIMULATED_SIZE, file->kind, 0, 0);
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_IOERR;
  if (verdict > 0) return verdict;
  int result = base_methods(file)->xFileSize(base_of(file), size);
  return finished(file->process, verdict, result, SQLITE_IOERR);
}

static int lock_file(sqlite3_file *handle, int level) {
  struct open_file *file = opened(handle);
  int verdict = decision(file->process, SIMULATED_LOCK, file->kind, level, 0);
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_IOERR;
  if (verdict > 0) return verdict;
  int result = base_methods(file)->xLock(base_of(file), level);
  return finished(file->process, verdict, result, SQLITE_IOERR);
}

static int unlock_file(sqlite3_file *handle, int level) {
  struct open_file *file = opened(handle);
  int verdict = decision(file->process, SIMULATED_UNLOCK, file->kind, level, 0);
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_OK;
  int result = base_methods(file)->xUnlock(base_of(file), level);
  return finished(file->process, verdict, result, SQLITE_OK);
}

static int check_lock(sqlite3_file *handle, int *is_reserved) {
  struct open_file *file = opened(handle);
  int verdict = decision(file->process, SIMULATED_CHECK_LOCK, file->kind, 0, 0);
  *is_reserved = 0;
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_IOERR;
  if (verdict > 0) return verdict;
  int result = base_methods(file)->xCheckReservedLock(base_of(file), is_reserved);
  return finished(file->process, verdict, result, SQLITE_IOERR);
}

static int control_file(sqlite3_file *handle, int operation, void *argument) {
  struct open_file *file = opened(handle);
  if (file->process->is_dead) return SQLITE_IOERR;
  // No file is mapped, so that each read and write is seen here.
  if (operation == SQLITE_FCNTL_MMAP_SIZE) return SQLITE_NOTFOUND;
  int grows = operation == SQLITE_FCNTL_SIZE_HINT;
  struct tracked *item = grows ? prepared(file) : NULL;
  int result = base_methods(file)->xFileControl(base_of(file), operation, argument);
  if (item) record_length(file);
  return result;
}

static int sector_size(sqlite3_file *handle) { return opened(handle)->sector_size; }

static int device_characteristics(sqlite3_file *handle) { return opened(handle)->characteristics; }

static int map_index(
    sqlite3_file *handle, int number, int size, int may_extend, void volatile **start) {
  struct open_file *file = opened(handle);
  *start = NULL;
  int verdict = decision(
      file->process, SIMULATED_SHM_MAP, file->kind, (long long)number * size, size);
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_IOERR;
  if (verdict > 0) return verdict;
  void volatile *shared = NULL;
  int result = base_methods(file)->xShmMap(base_of(file), number, size, may_extend, &shared);
  if (number >= file->region_count) {
    int count = number + 1;
    file->regions = resized(file->regions, (size_t)count * sizeof *file->regions);
    memset(
        file->regions + file->region_count, 0,
        (size_t)(count - file->region_count) * sizeof *file->regions);
    file->region_count = count;
  }
  struct region *region = &file->regions[number];
  if (shared && !region->memory) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t skipped = (uintptr_t)shared % page;
    size_t length = ((size_t)size + skipped + page - 1) / page * page;
    // With an old size of zero, it maps the same memory of a shared mapping once more.
    void *memory = mremap((void *)((uintptr_t)shared - skipped), 0, length, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED)
      return finished(file->process, verdict, SQLITE_IOERR_SHMMAP, SQLITE_IOERR);
    *region = (struct region){memory, length, (unsigned char *)memory + skipped};
  }
  if (shared) *start = region->start;
  return finished(file->process, verdict, result, SQLITE_IOERR);
}

static int lock_index(sqlite3_file *handle, int slot, int count, int flags) {
  struct open_file *file = opened(handle);
  int unlocks = flags & SQLITE_SHM_UNLOCK;
  int is_shared = flags & SQLITE_SHM_SHARED;
  int verdict = decision(
      file->process, unlocks ? SIMULATED_SHM_UNLOCK : SIMULATED_SHM_LOCK, file->kind, slot,
      is_shared ? -count : count);
  if (verdict == SIMULATED_KILL_BEFORE) return unlocks ? SQLITE_OK : SQLITE_IOERR;
  if (verdict > 0 && !unlocks) return verdict;
  int result = base_methods(file)->xShmLock(base_of(file), slot, count, flags);
  if (result == SQLITE_OK) {
    unsigned slots = ((1u << count) - 1) << slot;
    unsigned *held = is_shared ? &file->shared_slots : &file->exclusive_slots;
    *held = unlocks ? *held & ~slots : *held | slots;
  }
  return finished(file->process, verdict, result, unlocks ? SQLITE_OK : SQLITE_IOERR);
}

static void index_barrier(sqlite3_file *handle) {
  struct open_file *file = opened(handle);
  int verdict = decision(file->process, SIMULATED_SHM_BARRIER, file->kind, 0, 0);
  if (verdict == SIMULATED_KILL_BEFORE) return;
  base_methods(file)->xShmBarrier(base_of(file));
  finished(file->process, verdict, SQLITE_OK, SQLITE_OK);
}

static int unmap_index(sqlite3_file *handle, int deletes) {
  struct open_file *file = opened(handle);
  int verdict = decision(file->process, SIMULATED_SHM_UNMAP, file->kind, 0, deletes != 0);
  int result = SQLITE_OK;
  if (verdict != SIMULATED_KILL_BEFORE) {
    unlock_slots(file);
    result = base_methods(file)->xShmUnmap(base_of(file), deletes);
  }
  unmap(file);
  return finished(file->process, verdict, result, SQLITE_OK);
}

/// Version 2 has no xFetch: SQLite maps no part of a file.
static sqlite3_io_methods const methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device_characteristics,
    .xShmMap = map_index,
    .xShmLock = lock_index,
    .xShmBarrier = index_barrier,
    .xShmUnmap = unmap_index,
};

// MARK: Methods of a VFS

static simulated_process *process_of(sqlite3_vfs *vfs) { return vfs->pAppData; }

static enum simulated_file kind_of_flags(char const *path, int flags) {
  if (!path || flags & SQLITE_OPEN_DELETEONCLOSE) return SIMULATED_TEMPORARY;
  if (flags & SQLITE_OPEN_MAIN_DB) return SIMULATED_DATABASE;
  if (flags & SQLITE_OPEN_WAL) return SIMULATED_LOG;
  if (flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_SUPER_JOURNAL)) return SIMULATED_JOURNAL;
  return SIMULATED_TEMPORARY;
}

static enum simulated_file kind_of_path(char const *path) {
  size_t length = strlen(path);
  if (length >= 4 && strcmp(path + length - 4, "-wal") == 0) return SIMULATED_LOG;
  if (length >= 8 && strcmp(path + length - 8, "-journal") == 0) return SIMULATED_JOURNAL;
  // -mj and nine digits: the journal of a transaction over several files.
  if (length >= 12 && strncmp(path + length - 12, "-mj", 3) == 0) return SIMULATED_JOURNAL;
  return SIMULATED_DATABASE;
}

static int open_file(
    sqlite3_vfs *vfs, char const *path, sqlite3_file *handle, int flags, int *actual_flags) {
  simulated_process *process = process_of(vfs);
  struct open_file *file = opened(handle);
  handle->pMethods = NULL;
  enum simulated_file kind = kind_of_flags(path, flags);
  int verdict = decision(process, SIMULATED_OPEN, kind, 0, flags);
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_IOERR;
  if (verdict > 0) return verdict;
  memset(file, 0, (size_t)vfs->szOsFile);
  struct stat status;
  int is_tracked = kind != SIMULATED_TEMPORARY;
  int is_new = is_tracked && flags & SQLITE_OPEN_CREATE && stat(path, &status) != 0;
  // The program itself creates the database, and flushes no directory after that.
  int has_new_name =
      is_new || (kind == SIMULATED_DATABASE && stat(path, &status) == 0 && status.st_size == 0);
  int result = process->base->xOpen(process->base, path, base_of(file), flags, actual_flags);
  if (result != SQLITE_OK) {
    if (base_of(file)->pMethods) base_methods(file)->xClose(base_of(file));
    return finished(process, verdict, result, SQLITE_IOERR);
  }
  file->process = process;
  file->kind = kind;
  file->is_open = 1;
  file->sector_size = base_methods(file)->xSectorSize(base_of(file));
  // A power failure tears and reorders writes, so it allows no promise but this one.
  file->characteristics =
      base_methods(file)->xDeviceCharacteristics(base_of(file)) & SQLITE_IOCAP_POWERSAFE_OVERWRITE;
  if (is_tracked) begin_tracking(file, path, is_new);
  if (has_new_name && file->tracked) file->tracked->has_new_name = 1;
  file->flushes_folder = (kind == SIMULATED_LOG || kind == SIMULATED_JOURNAL)
                         && flags & SQLITE_OPEN_CREATE && !process->disk->skips_sync;
  add_file(file);
  result = finished(process, verdict, SQLITE_OK, SQLITE_IOERR);
  if (result == SQLITE_OK) {
    handle->pMethods = &methods;
  } else {
    remove_file(file);
  }
  return result;
}

static int delete_file(sqlite3_vfs *vfs, char const *path, int flushes) {
  (void)flushes;
  simulated_process *process = process_of(vfs);
  enum simulated_file kind = kind_of_path(path);
  int verdict = decision(process, SIMULATED_DELETE, kind, 0, 0);
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_IOERR;
  if (verdict > 0) return verdict;
  struct stat status;
  int exists = lstat(path, &status) == 0;
  // A deletion is durable at once.
  int result = process->base->xDelete(process->base, path, 0);
  if (result == SQLITE_OK && exists) {
    struct tracked *item = status.st_nlink == 1 ? find(process->disk, &status) : NULL;
    if (item && item->users) item->is_deleted = 1;
    if (item && !item->users) forget(process->disk, item);
    tell_change(process, SIMULATED_DELETE, kind);
  }
  return finished(process, verdict, result, SQLITE_IOERR);
}

static int access_file(sqlite3_vfs *vfs, char const *path, int flags, int *answer) {
  simulated_process *process = process_of(vfs);
  int verdict = decision(process, SIMULATED_ACCESS, kind_of_path(path), 0, flags);
  *answer = 0;
  if (verdict == SIMULATED_KILL_BEFORE) return SQLITE_IOERR;
  if (verdict > 0) return verdict;
  int result = process->base->xAccess(process->base, path, flags, answer);
  return finished(process, verdict, result, SQLITE_IOERR);
}

static int full_path(sqlite3_vfs *vfs, char const *path, int capacity, char *full) {
  simulated_process *process = process_of(vfs);
  if (process->is_dead) return SQLITE_IOERR;
  return process->base->xFullPathname(process->base, path, capacity, full);
}

static void *open_library(sqlite3_vfs *vfs, char const *path) {
  sqlite3_vfs *base = process_of(vfs)->base;
  return base->xDlOpen(base, path);
}

static void library_error(sqlite3_vfs *vfs, int capacity, char *text) {
  sqlite3_vfs *base = process_of(vfs)->base;
  base->xDlError(base, capacity, text);
}

static void (*library_symbol(sqlite3_vfs *vfs, void *library, char const *name))(void) {
  sqlite3_vfs *base = process_of(vfs)->base;
  return base->xDlSym(base, library, name);
}

static void close_library(sqlite3_vfs *vfs, void *library) {
  sqlite3_vfs *base = process_of(vfs)->base;
  base->xDlClose(base, library);
}

static void fill(struct source source, int count, char *target) {
  while (count > 0) {
    unsigned long long number = source.random(source.context);
    int part = count < (int)sizeof number ? count : (int)sizeof number;
    memcpy(target, &number, (size_t)part);
    target += part;
    count -= part;
  }
}

static int randomness(sqlite3_vfs *vfs, int count, char *target) {
  simulated_process *process = process_of(vfs);
  if (!process->callbacks.random) return process->base->xRandomness(process->base, count, target);
  fill((struct source){process->callbacks.random, process->callbacks.context}, count, target);
  return count;
}

static int sleep_a_while(sqlite3_vfs *vfs, int microseconds) {
  simulated_process *process = process_of(vfs);
  if (!process->is_dead && process->callbacks.sleep)
    process->callbacks.sleep(process->callbacks.context, microseconds);
  return microseconds;
}

/// The time in milliseconds since noon in Greenwich on November 24, 4714 BC.
static int current_time_int64(sqlite3_vfs *vfs, sqlite3_int64 *time) {
  simulated_process *process = process_of(vfs);
  if (!process->callbacks.milliseconds)
    return process->base->xCurrentTimeInt64(process->base, time);
  *time = process->callbacks.milliseconds(process->callbacks.context) + 210866760000000;
  return SQLITE_OK;
}

/// The same in days.
static int current_time(sqlite3_vfs *vfs, double *time) {
  sqlite3_int64 milliseconds = 0;
  int result = current_time_int64(vfs, &milliseconds);
  *time = (double)milliseconds / 86400000;
  return result;
}

static int last_error(sqlite3_vfs *vfs, int capacity, char *text) {
  sqlite3_vfs *base = process_of(vfs)->base;
  return base->xGetLastError ? base->xGetLastError(base, capacity, text) : 0;
}

simulated_process *simulated_process_start(
    simulated_disk *disk, struct simulated_callbacks callbacks) {
  static _Atomic unsigned long long last_number;
  sqlite3_vfs *base = sqlite3_vfs_find(NULL);
  if (!base || base->iVersion < 2) give_up("there is no default VFS");
  simulated_process *process = zeroed(sizeof *process);
  process->base = base;
  process->disk = disk;
  process->callbacks = callbacks;
  snprintf(
      process->name, sizeof process->name, "simulated-%llu", atomic_fetch_add(&last_number, 1) + 1);
  process->vfs = (sqlite3_vfs){
      .iVersion = 2,
      .szOsFile = (int)sizeof(struct open_file) + base->szOsFile,
      .mxPathname = base->mxPathname,
      .zName = process->name,
      .pAppData = process,
      .xOpen = open_file,
      .xDelete = delete_file,
      .xAccess = access_file,
      .xFullPathname = full_path,
      .xDlOpen = open_library,
      .xDlError = library_error,
      .xDlSym = library_symbol,
      .xDlClose = close_library,
      .xRandomness = randomness,
      .xSleep = sleep_a_while,
      .xCurrentTime = current_time,
      .xGetLastError = last_error,
      .xCurrentTimeInt64 = current_time_int64,
  };
  if (sqlite3_vfs_register(&process->vfs, 0) != SQLITE_OK) give_up("a VFS cannot be registered");
  disk->process_count++;
  return process;
}

char const *simulated_process_vfs_name(simulated_process const *process) { return process->name; }

int simulated_process_is_dead(simulated_process const *process) { return process->is_dead; }

int simulated_process_open_files(simulated_process const *process) { return process->file_count; }

long long simulated_process_calls(simulated_process const *process, enum simulated_call call) {
  return process->calls[call];
}

void simulated_process_end(simulated_process *process) {
  if (process->file_count) give_up("a process that ends has open files");
  sqlite3_vfs_unregister(&process->vfs);
  process->disk->process_count--;
  free(process);
}

// MARK: SQLite's generator

/// The default VFS for the moment in which the generator takes its seed.
static struct {
  sqlite3_vfs vfs;
  struct source source;
} seeding;

static int seed(sqlite3_vfs *vfs, int count, char *target) {
  (void)vfs;
  memset(target, 0, (size_t)count);
  fill(seeding.source, count, target);
  return count;
}

void simulated_disk_seed_sqlite(unsigned long long (*random)(void *context), void *context) {
  char byte;
  sqlite3_vfs *base = sqlite3_vfs_find(NULL);
  if (!base) give_up("there is no default VFS");
  // The default VFS resets the generator when it opens the first file after a fork, unless it has
  // given randomness since.
  base->xRandomness(base, 1, &byte);
  seeding.vfs = *base;
  seeding.vfs.pNext = NULL;
  seeding.vfs.zName = "simulated-seed";
  seeding.vfs.xRandomness = seed;
  seeding.source = (struct source){random, context};
  sqlite3_vfs_register(&seeding.vfs, 1);
  sqlite3_randomness(0, NULL);
  sqlite3_randomness(1, &byte);
  sqlite3_vfs_register(base, 1);
  sqlite3_vfs_unregister(&seeding.vfs);
}
