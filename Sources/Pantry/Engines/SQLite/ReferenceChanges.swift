/// The attachments to which rows have lost their references in one transaction.
struct ReferenceChanges {
  /// For each attachment, the row last written in this transaction that refers to it.
  private var referrers: [Int64: Int64] = [:]
  private var all: Set<Int64> = []

  /// The attachments that may have no reference left.
  ///
  /// Those to which another row refers now, as in a trash, are not among them.
  var dropped: Set<Int64> { all.filter { referrers[$0] == nil } }

  mutating func set(to attachment: Int64, by row: Int64) { referrers[attachment] = row }

  mutating func dropped(to attachment: Int64, by row: Int64) {
    all.insert(attachment)
    if referrers[attachment] == row { referrers[attachment] = nil }
  }
}
