/// The changes of a directory since it was opened, numbered for the followers.
struct DiskHistory {
  struct Change {
    let digest: ContentDigest
    let key: CacheKey
  }

  /// A moment in it.
  struct Moment: Equatable, Sendable {
    /// Its series of changes: between two series, anything may have changed.
    let series: Int
    /// The number of the last change before it.
    let change: Int64
  }

  /// Raised when changes are unknown.
  private var series = 0
  /// The number of the last change before `changes`.
  private var forgotten: Int64 = 0
  private var changes: [Change] = []

  /// The moment after the last change.
  var newest: Moment {
    Moment(series: series, change: forgotten + Int64(changes.count))
  }

  var count: Int { changes.count }

  mutating func add(_ change: Change) { changes.append(change) }

  /// Records that anything may have changed.
  mutating func startOver() {
    self = DiskHistory(series: series + 1)
  }

  /// Returns the changes since `moment`, each item once; nil if unknown.
  func changes(since moment: Moment?) -> [Change]? {
    guard let moment, moment.series == series, moment.change >= forgotten else { return nil }
    var seen: Set<ContentDigest> = []
    return changes.dropFirst(Int(moment.change - forgotten)).filter {
      seen.insert($0.digest).inserted
    }
  }

  /// Forgets the changes before all of `moments`.
  mutating func forget(before moments: [Moment]) {
    let reached = moments.lazy.filter { [series] in $0.series == series }.map(\.change).min()
    let count = Int((reached ?? newest.change) - forgotten)
    guard count > 0 else { return }
    changes.removeFirst(count)
    forgotten += Int64(count)
  }

  private init(series: Int) { self.series = series }

  init() {}
}

extension StorageFollower {
  /// The moment up to which it has read a directory.
  var moment: DiskHistory.Moment? { cursor as? DiskHistory.Moment }
}
