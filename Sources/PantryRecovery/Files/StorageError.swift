/// An error of Pantry itself: a file or a store that cannot be used as asked.
public enum StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file was written by a newer version of Pantry.
  case newerSchema(path: String, version: Int, supported: Int)
  /// The file was written by version 0.1.0, which is no longer read.
  case olderSchema(path: String)
  /// The file is a database of another program.
  case notAPantryFile(path: String)
  /// The bytes of an attachment are not in the storage.
  case attachmentMissing(ContentDigest)
  /// The bytes of an attachment differ from those that were stored.
  case attachmentDamaged(ContentDigest)
  /// The directory or the file could not be created.
  case cannotCreate(path: String, reason: String)
  /// The file exists and cannot be opened, not even to read it.
  case cannotOpen(path: String, reason: String)
  /// The file, or a part of it, cannot be written.
  case cannotWrite(path: String, reason: String)
  /// The file has another name, a hard link, under which it would be damaged.
  case hardLinked(path: String)
  /// The file is mounted by itself, so that its log would not be beside it.
  case mountedAlone(path: String)
  /// The path is not UTF-8 text, too long, or names no file.
  case unusablePath(path: String, reason: String)
  /// The file system of a database lacks what the processes on it need.
  case unsupportedFileSystem(path: String, lack: String)
  /// The content of the file differs from the written data.
  case damagedFile(path: String, reason: String)
  /// The file was moved or deleted while it was open.
  case fileIsGone(path: String)
  /// The path was a symbolic link to the file, and leads elsewhere now.
  case linkHasChanged(path: String, file: String)
  /// The write-ahead log of a SQLite file was moved or deleted while the file was open, and the
  /// file could not be opened again without a risk.
  case logIsGone(path: String)
  /// A store has no storage, and its type has no stable name for a default namespace.
  case namespaceNeeded(type: String)
  /// The namespace belongs to another type.
  case otherType(namespace: String, wrote: String, asks: String)
  /// A row of an older version of the program cannot be read as this type, and may be another's.
  case otherRow(namespace: String, key: String, asks: String)
  /// A store of another type is open on the namespace in this process.
  case namespaceTaken(namespace: String, by: String, wanted: String)
  /// The namespace belongs to a store with another `cacheIdentifier`, row format or upgrades.
  case otherDefinition(namespace: String, type: String)
  /// The rows were saved with another `cacheIdentifier`: most readable rows have other keys.
  case otherIdentifier(type: String, key: String, identifier: String)
  /// Upgrades that do not say so gave the items other identifiers than those of most rows.
  case upgradeChangesIdentifier(
    type: String, key: String, identifier: String, upgrades: ClosedRange<Int>)
  /// The items of a store are objects of a class.
  case notAValue(type: String)
  /// A module other than the program's was given no place for its files.
  case placeNeeded(module: String, program: String, former: String)
  /// The default directory is a link into, or the former name of, another program's directory.
  case directoryOfAnother(path: String, program: String)
  /// The stores of a transaction are not on one SQLite file, or not all in memory.
  case notJoint
  /// A transaction tried to change a store that is not part of it.
  case notInTransaction(type: String)
  /// An update or a merge policy changed the identifier of an item.
  case identifierChanged(type: String, from: String, to: String)
  /// An operation would have overwritten or removed a row of a newer version of the program.
  case newerModel(type: String, version: Int, supported: Int)
  /// A change depends on a row that exists and cannot be read.
  case unreadable(type: String, key: String, reason: String)
  /// The storage was opened read-only, or its directory is not writable.
  case readOnly(path: String)
  /// A storage to be opened read-only does not exist.
  case nothingToRead(path: String)
  /// The storage must be opened once with write permission before it can be read.
  case needsWriting(path: String, reason: String)
  /// Another process has the storage, or has held its lock for longer than the timeout.
  case inUse(path: String)
  /// The outcome of a commit is unknown: its answer was lost, or the disk could not flush it.
  case outcomeUnknown(reason: String)
  /// Other writers changed the same items during each attempt of an operation.
  case tooManyConflicts(type: String, attempts: Int)

  /// A message with what failed, why, and what to do.
  public var description: String {
    switch self {
    case .newerSchema(let path, let version, let supported):
      "\(path) was written by a newer version (schema \(version); this one knows \(supported)). "
        + "It was left untouched: update the program to open it."
    case .olderSchema(let path):
      "\(path) was written by version 0.1.0. It was left untouched: open it once with version 0.2.0."
    case .notAPantryFile(let path):
      "\(path) belongs to another program. It was left untouched: choose another file."
    case .attachmentMissing(let digest):
      "The bytes of attachment \(digest.hexadecimal.prefix(12)) are not in the storage."
    case .attachmentDamaged(let digest):
      "The bytes of attachment \(digest.hexadecimal.prefix(12)) are damaged in the storage."
    case .cannotCreate(let path, let reason):
      "\(path) could not be created: \(reason)."
    case .cannotOpen(let path, let reason):
      "\(path) cannot be opened: \(reason). Make it readable, move it away, or choose another place."
    case .cannotWrite(let path, let reason):
      "\(path) cannot be written: \(reason). Make it writable, or choose another place."
    case .hardLinked(let path):
      "\(path) has a second name (a hard link), and using both would damage it. It was left "
        + "untouched: close the programs that use it, and run: \(Self.copying(path))"
    case .mountedAlone(let path):
      "\(path) is mounted by itself, without the files beside it, and using both places would damage "
        + "it. It was left untouched: mount its directory instead."
    case .unusablePath(let path, let reason):
      "\(path) cannot be used: \(reason). Choose another path."
    case .unsupportedFileSystem(let path, let lack):
      "\(path) cannot be opened: its file system has no \(lack), like some network file systems. It "
        + "was left untouched: copy its directory to a disk of this machine, and open it there: "
        + "cp -a \(Self.quoted(FileLocation(path).directory[...])) DIRECTORY"
    case .damagedFile(let path, let reason):
      "\(path) is damaged: \(reason). It was left untouched: repair it or move it away."
    case .fileIsGone(let path):
      "\(path) was moved or deleted while it was open, so nothing can be saved. "
        + "Put it back, or restart the program to begin with an empty one."
    case .linkHasChanged(let path, let file):
      "\(path) was a link to \(file), and no longer leads there, so nothing can be saved. Restore the "
        + "link, or restart the program to use what it leads to now."
    case .logIsGone(let path):
      "\(path)-wal was moved or deleted while \(path) was open, so nothing can be saved. "
        + "Restart the program to continue."
    case .namespaceNeeded(let type):
      "\(type) is private or declared in a function, so its full name changes from launch to launch. "
        + "Give its store a storage with a namespace of your choice."
    case .otherType(let namespace, let wrote, let asks):
      "The namespace \(namespace) belongs to \(wrote), so \(asks) cannot use it. It was left "
        + "untouched: "
        + ([wrote, asks].contains(Self.values)
          ? ""
          : "if it is the same type under a new name, add \"\(wrote)\" to the store's formerNames; "
            + "if not, ")
        + "use another namespace."
    case .otherRow(let namespace, let key, let asks):
      "The row under \"\(key)\" in the namespace \(namespace) cannot be read as \(asks), and may be "
        + "another type's, from an older version of the program. Nothing was changed: move the rows "
        + "of each type to a namespace of its own, or remove the row with the engine."
    case .namespaceTaken(let namespace, let by, let wanted):
      "A store of \(by) is open on the namespace \(namespace), so a store of \(wanted) cannot use it. "
        + "Give one of them another namespace."
    case .otherDefinition(let namespace, let type):
      "The namespace \(namespace) belongs to a store of \(type) with another cacheIdentifier, row "
        + "format or other upgrades. Use the same for both, or another namespace."
    case .otherIdentifier(let type, let key, let identifier):
      "The \(type) under the key \"\(key)\" has the identifier \"\(identifier)\", and most other rows do "
        + "not fit either. They were left untouched: use the cacheIdentifier that they were saved "
        + "with, or another namespace."
    case .upgradeChangesIdentifier(let type, let key, let identifier, let upgrades):
      "\(upgrades.count == 1 ? "Upgrade \(upgrades.lowerBound)" : "One of the upgrades \(upgrades)") of "
        + "\(type) gives the item under the key \"\(key)\" the identifier \"\(identifier)\". The rows were "
        + "left untouched: let it keep the identifier, or append .changingIdentifier to it."
    case .notAValue(let type):
      "\(type) is a class, and what changes in an object reaches neither the disk nor a view. Nothing was "
        + "opened: make it a struct or an enum."
    case .placeNeeded(let module, let program, let former):
      "The default place belongs to the program \(program), not to its module \(module). Give the "
        + "store of \(module) a storage; version 0.2.0 kept its files in \(former)."
    case .directoryOfAnother(let path, let program):
      "\(path) leads to the directory of another program, \(program). It was left untouched: remove "
        + "the link, or give the store a storage."
    case .notJoint:
      "These stores are not on one SQLite file or in one database, so one transaction cannot change "
        + "them. Nothing was changed: give them engines on one file, or change them one after another."
    case .notInTransaction(let type):
      "This store of \(type) is not part of the transaction. Nothing was changed: pass the store when "
        + "you begin the transaction."
    case .identifierChanged(let type, let from, let to):
      "A change gave the \(type) \(from) the identifier \(to). Nothing was changed: remove the old item and "
        + "add the new one."
    case .newerModel(let type, let version, let supported):
      "A newer version of the program wrote some of these items (version \(version) of \(type); this "
        + "one knows \(supported)). They were left untouched: update the program to change them, "
        + "or remove them, by removeRows(of:) of a store or remove(key:) of the engine."
    case .unreadable(let type, let key, let reason):
      "The row under \"\(key)\" exists and cannot be read as \(type): \(reason) Nothing was changed: "
        + "replace it by a whole new value, or remove it."
    case .readOnly(let path):
      "\(path) is read-only, so nothing can be saved. Nothing was changed: open it where it can be "
        + "written."
    case .nothingToRead(let path):
      "\(path) does not exist, and opening it read-only does not create it. Choose an existing one."
    case .needsWriting(let path, let reason):
      "\(path) cannot be opened read-only: \(reason). Open it once where it can be written."
    case .inUse(let path):
      "\(path) is in use by another process. Try again, or close the other process."
    case .outcomeUnknown(let reason):
      "The change may or may not have been saved: \(reason). The saved state is shown now: check "
        + "it before you make the change again."
    case .tooManyConflicts(let type, let attempts):
      "Other writers changed the same \(type) during each of the \(attempts) attempts. "
        + "Nothing was changed: try again."
    }
  }

  /// The type in messages for single values of any types.
  package static let values = "AsyncStoredValue"

  /// Whether a failed commit may still have happened: then it must not be repeated.
  package static func isOutcomeUnknown(_ error: any Error) -> Bool {
    if case .outcomeUnknown = error as? StorageError { true } else { false }
  }

  /// The shell command that gives the name a file of its own.
  private static func copying(_ path: String) -> String {
    let place = FileLocation(path)
    let (folder, name) = (quoted(place.directory[...]), quoted(place.name[...]))
    return "cd \(folder) && cp -p \(name) new && mv new \(name)"
  }

  private static func quoted(_ text: Substring) -> String {
    "'" + text.replacing("'", with: "'\\''") + "'"
  }
}
