#ifndef PANDA_SIMULATED_DISK_H
#define PANDA_SIMULATED_DISK_H

// A disk and processes for a simulation: SQLite's files are real, but a process can be killed at
// any call, a call can fail, and a power failure loses what was not flushed.
//
// Many simulated processes run in one real process. All that share a disk run on one thread, so
// nothing here locks. Each has a VFS of its own, which wraps SQLite's default one. Put the files on
// a tmpfs for speed; they are never really flushed.
//
// A file is known by its device and inode, so the program may rename and link it. Memory that
// cannot be allocated ends the real process.

/// The files of one machine.
typedef struct simulated_disk simulated_disk;

/// A process of that machine: one VFS.
typedef struct simulated_process simulated_process;

/// The calls that a process makes.
///
/// Most can be performed, fail, or kill the process. Those marked with * never fail: a result code
/// counts as SIMULATED_PERFORM, but they can kill. If they do, SQLite may still return success, for
/// instance from COMMIT: nothing that a dead process returns counts.
enum simulated_call {
  /// The count has the flags SQLITE_OPEN_...
  SIMULATED_OPEN,
  /// *
  SIMULATED_CLOSE,
  SIMULATED_READ,
  SIMULATED_WRITE,
  /// The offset is the new length.
  SIMULATED_TRUNCATE,
  SIMULATED_SYNC,
  /// Asks for the length of a file.
  SIMULATED_SIZE,
  /// The offset is the level, SQLITE_LOCK_SHARED to SQLITE_LOCK_EXCLUSIVE. It may be SQLITE_BUSY.
  SIMULATED_LOCK,
  /// * The offset is the level.
  SIMULATED_UNLOCK,
  /// Asks whether any process has the reserved lock.
  SIMULATED_CHECK_LOCK,
  /// Maps a part of the log's index.
  SIMULATED_SHM_MAP,
  /// The offset is the first slot, the count the number of slots; it is negative for a shared lock.
  /// It may be SQLITE_BUSY.
  SIMULATED_SHM_LOCK,
  /// * As SIMULATED_SHM_LOCK.
  SIMULATED_SHM_UNLOCK,
  /// * The index is half written at some of these.
  SIMULATED_SHM_BARRIER,
  /// * The count is 1 if the index is deleted.
  SIMULATED_SHM_UNMAP,
  SIMULATED_DELETE,
  SIMULATED_ACCESS,
};

/// The number of values of simulated_call.
static const int simulated_call_count = SIMULATED_ACCESS + 1;

/// The files of a database. Calls that concern the log's index (-shm) name the database.
enum simulated_file {
  SIMULATED_DATABASE,
  /// -wal
  SIMULATED_LOG,
  /// -journal, and the journal of a transaction over several files
  SIMULATED_JOURNAL,
  /// Deleted when it is closed. A power failure does not touch it.
  SIMULATED_TEMPORARY,
};

// What the callback `decide` returns: one of these or a positive result code of SQLite, which the
// call returns without being performed.

static const int SIMULATED_PERFORM = 0;
/// The process dies, and the call is not performed.
static const int SIMULATED_KILL_BEFORE = -1;
/// The call is performed, and the process dies.
static const int SIMULATED_KILL_AFTER = -2;
/// A write ends at a multiple of 512 bytes in its first half, and the process dies. Otherwise as
/// KILL_BEFORE.
static const int SIMULATED_KILL_PARTLY = -3;
/// Added to a result code, it makes a write end at a multiple of 512 bytes in its first half.
static const int SIMULATED_PARTLY = 1 << 30;

/// What the simulation decides for a process. Any of these may be null.
///
/// A callback may kill this process or another, and may use other processes' databases. It must not
/// end a process.
struct simulated_callbacks {
  /// Passed to each of them.
  void *context;
  /// Called before each call of a living process; null performs all.
  int (*decide)(
      void *context, enum simulated_call call, enum simulated_file file, long long offset,
      int count);
  /// The source of random numbers; null takes the default VFS's.
  ///
  /// SQLite draws from a generator for the whole real process instead, also for the salts of a log:
  /// see simulated_disk_seed_sqlite.
  unsigned long long (*random)(void *context);
  /// The time since 1970; null takes the real one.
  long long (*milliseconds)(void *context);
  /// Called instead of sleeping.
  void (*sleep)(void *context, int microseconds);
  /// Called after a write, truncation or deletion of a database or a log was performed.
  void (*changed)(void *context, enum simulated_call call, enum simulated_file file);
  /// Called once when the process has died; its locks are free by then.
  void (*died)(void *context);
};

/// Makes a disk that tracks no file yet.
simulated_disk *simulated_disk_create(void);

/// Frees the disk, but leaves the files. All its processes must have ended.
void simulated_disk_destroy(simulated_disk *disk);

/// Makes flushes succeed without effect: a fault that a test must find.
void simulated_disk_set_skips_sync(simulated_disk *disk, int skips);

/// Tells that the program itself has flushed a file that SQLite wrote, and its directory.
///
/// The disk does not see the program's own fsync(2). Returns 0 or an errno.
int simulated_disk_note_flush(simulated_disk *disk, char const *path);

/// The number of bytes that SQLite wrote to files and that are not flushed.
long long simulated_disk_unsynced_bytes(simulated_disk const *disk);

/// Loses unflushed changes, as a power failure does. Kill or end all processes first.
///
/// Each file under the directory becomes what was last flushed, with a random subset of the later
/// writes and truncations in their order. A write may be torn at a multiple of 512 bytes, so that
/// its beginning or its end remains. All files that end in -shm are removed. A file that the
/// program has changed or replaced since SQLite had it open stays as it is. A file that SQLite has
/// created, or found empty, may be gone, until the directory is flushed: with the first flush of a
/// new log or journal, as SQLite does it, or by simulated_disk_note_flush. Other names, and those
/// that are removed, are durable at once. The same files and random numbers give the same result.
///
/// Returns 0, EBUSY if a living process has a file open, or another errno.
int simulated_disk_lose_power(
    simulated_disk *disk, char const *directory, unsigned long long (*random)(void *context),
    void *context);

/// Seeds SQLite's own generator, which all connections of the real process share.
///
/// It makes the salts of logs repeatable, if no other thread uses SQLite. The default VFS is
/// another one for a moment.
void simulated_disk_seed_sqlite(unsigned long long (*random)(void *context), void *context);

/// Starts a process and registers its VFS.
simulated_process *simulated_process_start(
    simulated_disk *disk, struct simulated_callbacks callbacks);

/// The name of its VFS, for sqlite3_open_v2; valid until the process ends.
char const *simulated_process_vfs_name(simulated_process const *process);

/// Kills a process: its files are closed and its locks released at once.
///
/// From then on its calls fail with SQLITE_IOERR and have no effect; only closing and unlocking
/// succeed. Its connections must still be closed, at any later time.
void simulated_process_kill(simulated_process *process);

/// Whether the process was killed.
int simulated_process_is_dead(simulated_process const *process);

/// The number of files that its connections have not closed; those of a dead process count too.
int simulated_process_open_files(simulated_process const *process);

/// The number of calls of one kind that it made while it lived.
long long simulated_process_calls(simulated_process const *process, enum simulated_call call);

/// Unregisters the VFS and frees the process. It must have no open file.
void simulated_process_end(simulated_process *process);

#endif
