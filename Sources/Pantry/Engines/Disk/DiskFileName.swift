/// The names of the engine's files; all other files are left alone.
enum DiskFileName {
  static let journal = "journal"
  static let newJournal = "journal.new"
  static let type = "type"
  static let newType = "type.new"

  /// The name of the file of the key with this digest.
  static func name(ofItem digest: ContentDigest) -> String { digest.hexadecimal + ".item" }

  /// The name under which commit `number` writes an item before renaming it.
  static func name(ofTemporary digest: ContentDigest, commit number: Int) -> String {
    "\(digest.hexadecimal).\(number).new"
  }

  /// The digest of the key whose file has this name; nil for every other name.
  static func item(_ name: String) -> ContentDigest? {
    guard let digest = ContentDigest(hexadecimal: String(name.prefix { $0 != "." })),
      name == self.name(ofItem: digest)
    else { return nil }
    return digest
  }

  /// Whether a file of this name is what is left of a commit that did not come about.
  static func isTemporary(_ name: String) -> Bool {
    let isItem = ContentDigest(hexadecimal: String(name.prefix { $0 != "." })) != nil
    return name.hasSuffix(".new") && isItem || name == newJournal || name == newType
  }
}
