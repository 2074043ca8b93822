/// Why an engine refuses a file or cannot give bytes back.
public enum StorageError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file was written by a newer Pantry than this one.
  case newerSchema(path: String, version: Int, supported: Int)
  /// The file is a database of another program.
  case notAPantryFile(path: String)
  /// The bytes of an attachment are not in the storage.
  case attachmentMissing(ContentDigest)
  /// The bytes of an attachment are not those that were stored.
  case attachmentDamaged(ContentDigest)
  /// The directory or the file could not be created.
  case cannotCreate(path: String, reason: String)
  /// The file is not what was written to it.
  case damagedFile(path: String, reason: String)
  /// The file was moved or deleted while it was open.
  case fileIsGone(path: String)
  /// The write-ahead log of an SQLite file was moved or deleted while the file was open.
  case logIsGone(path: String)
  /// A store was given no storage, and its type has no name that lasts.
  case namespaceNeeded(type: String)
  /// The rows under the default name of a type were written by another type.
  case otherType(namespace: String, wrote: String, asks: String)
  /// A store of another type is open on the namespace in this process.
  case namespaceTaken(namespace: String, by: String, wanted: String)
  /// A store on the namespace is open in this process, with another `cacheIdentifier` or another
  /// number of upgrades.
  case otherDefinition(namespace: String, type: String)
  /// The stores of a transaction are not on one SQLite file, or not all in memory.
  case notJoint
  /// A transaction was to change a store that it had not been given.
  case notInTransaction(type: String)
  /// A change of an item, or what a merge made of it, has another identifier.
  case identifierChanged(type: String, from: String, to: String)
  /// An operation would have replaced or removed a row that a newer version of the program wrote.
  case newerModel(type: String, version: Int, supported: Int)
  /// The storage was opened read-only, or its directory cannot be written.
  case readOnly(path: String)
  /// A storage that was to be opened read-only does not exist.
  case nothingToRead(path: String)
  /// A storage cannot be read before it has been opened once with permission to write.
  case needsWriting(path: String, reason: String)
  /// Another process has had the lock for longer than one waits.
  case inUse(path: String)
  /// The answer to a commit was lost, so that it is not known whether it was made.
  case outcomeUnknown(reason: String)
  /// Other writers changed what an operation depends on each time that it was tried.
  case tooManyConflicts(type: String, attempts: Int)

  /// One sentence: what failed, why, what now.
  public var description: String {
    switch self {
    case .newerSchema(let path, let version, let supported):
      "\(path) was written by a newer version (schema \(version); this one knows \(supported)). "
        + "It was left untouched: update the program to open it."
    case .notAPantryFile(let path):
      "\(path) belongs to another program. It was left untouched: choose another file."
    case .attachmentMissing(let digest):
      "The bytes of attachment \(digest.hexadecimal.prefix(12)) are not in the storage."
    case .attachmentDamaged(let digest):
      "The bytes of attachment \(digest.hexadecimal.prefix(12)) are damaged in the storage."
    case .cannotCreate(let path, let reason):
      "\(path) could not be created: \(reason)."
    case .damagedFile(let path, let reason):
      "\(path) is damaged: \(reason). It was left untouched: mend it or move it away."
    case .fileIsGone(let path):
      "\(path) was moved or deleted while it was open, so nothing can be saved. "
        + "Put it back, or start the program anew to begin with an empty one."
    case .logIsGone(let path):
      "\(path)-wal was moved or deleted while \(path) was open, so nothing can be saved. "
        + "Start the program anew to go on."
    case .namespaceNeeded(let type):
      "\(type) is private or declared in a function, so its full name changes from launch to launch. "
        + "Give its store a storage with a namespace of your choice."
    case .otherType(let namespace, let wrote, let asks):
      "The rows in \(namespace) were written by \(wrote), and \(asks) asks for them. They were left "
        + "untouched: if it is the same type under a new name, add \"\(wrote)\" to the store's "
        + "formerNames; if not, give the store a namespace of your choice."
    case .namespaceTaken(let namespace, let by, let wanted):
      "A store of \(by) is open on the namespace \(namespace), so a store of \(wanted) cannot be. "
        + "Give one of them another namespace."
    case .otherDefinition(let namespace, let type):
      "A store of \(type) with another cacheIdentifier, or other upgrades, is open on the namespace "
        + "\(namespace). Give both the same, or another namespace."
    case .notJoint:
      "These stores are not on one SQLite file, so nothing can change them all at once. Nothing was "
        + "changed: give them engines on one file, or change them one after another."
    case .notInTransaction(let type):
      "The transaction was not given this store of \(type). Nothing was changed: name the store when "
        + "you begin the transaction, and change it by the transaction only while it runs."
    case .identifierChanged(let type, let from, let to):
      "A change gave the \(type) \(from) the identifier \(to). Nothing was changed: remove the one and "
        + "add the other."
    case .newerModel(let type, let version, let supported):
      "A newer version of the program has written some of these (version \(version) of \(type); this "
        + "one knows \(supported)). They were left untouched: update the program to change them."
    case .readOnly(let path):
      "\(path) is read-only, so nothing can be saved. Nothing was changed: open it where it can be "
        + "written."
    case .nothingToRead(let path):
      "\(path) does not exist, and opening it read-only does not create it. Choose an existing one."
    case .needsWriting(let path, let reason):
      "\(path) cannot be opened read-only: \(reason). Open it once where it can be written."
    case .inUse(let path):
      "\(path) is in use by another process. Try again, or close that first."
    case .outcomeUnknown(let reason):
      "It is not known whether the change was saved: \(reason). Look at what is shown then, which is "
        + "what is saved, before you make the change again."
    case .tooManyConflicts(let type, let attempts):
      "Other writers changed the same \(type) each of the \(attempts) times that a change was tried. "
        + "Nothing was changed: try again."
    }
  }
}
