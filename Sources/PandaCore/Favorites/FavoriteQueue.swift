/// Chooses favorites to be seen again, as a pure value: the one rule of all random ones.
///
/// Of n favorites, in this order:
///
/// 1. None is chosen that was seen within the last n / 2 choices.
/// 2. None is left for more than 1.2 n choices.
/// 3. Author, source and day are other ones than those of the favorite before, as far as 1 and 2
///    leave a choice; the author matters most, then the day.
package struct FavoriteQueue: Sendable {
  /// What two favorites should not have in common if one follows the other.
  package struct Traits: Equatable, BitwiseCopyable, Sendable {
    package let author: UInt32
    package let source: UInt32
    /// The day on which it was kept.
    package let day: UInt32

    package init(author: UInt32, source: UInt32, day: UInt32) {
      (self.author, self.source, self.day) = (author, source, day)
    }
  }

  package struct Entry: Sendable {
    /// Its place among all.
    package let place: Int
    package let traits: Traits
    /// The number of the choice by which it was last seen; nil for one that was never seen.
    package let turn: Int?

    package init(place: Int, traits: Traits, turn: Int?) {
      (self.place, self.traits, self.turn) = (place, traits, turn)
    }
  }

  /// Those that can be chosen: the ones never seen, then the ones seen longest ago.
  private var waiting: [Entry]
  private let count: Int
  /// The number of choices so far.
  private var turn: Int
  private var last: Traits?

  /// - Parameters:
  ///   - entries: all favorites that are meant, in any order.
  ///   - turn: the number of choices so far, also those of others.
  ///   - last: the traits of the favorite that was seen last; nil if nothing is known of it.
  package init(_ entries: [Entry], turn: Int, last: Traits?) {
    // Swift's sort is stable, and keeps runs that are already sorted.
    waiting = entries.sorted { ($0.turn ?? .min) < ($1.turn ?? .min) }
    count = entries.count
    self.turn = turn
    self.last = last
  }

  /// Takes the next favorite out; nil if there is none left.
  ///
  /// - Complexity: O(n).
  package mutating func next(using generator: inout some RandomNumberGenerator) -> Entry? {
    let places = places()
    guard !places.isEmpty else { return nil }
    let entry = waiting.remove(at: places[Int.random(in: 0..<places.count, using: &generator)])
    turn += 1
    last = entry.traits
    return entry
  }

  /// The places of those that are best now, each as good as the others.
  private func places() -> [Int] {
    let longest = count + count / 5
    let unseen = waiting.prefix { $0.turn == nil }.count
    func waited(atLeast choices: Int) -> Int {
      waiting[unseen...].prefix { turn + 1 - ($0.turn ?? 0) >= choices }.count
    }
    let late = waited(atLeast: longest)
    // One is late at a time, unless favorites were removed or a filter leaves few.
    if late > 0 { return best(of: unseen..<unseen + late, due: 0) }
    if unseen > 0, turn + unseen >= longest { return best(of: 0..<unseen, due: 0) }
    // Soon to be late: they come first, as long as 3 allows that. Earlier, all would come in the
    // order of the round before.
    let due = unseen + waited(atLeast: count + max(1, count / 10))
    return best(of: 0..<min(waiting.count, max(due, count - count / 2)), due: due)
  }

  /// Returns the places that differ most from the last favorite, those that are due before others.
  private func best(of range: Range<Int>, due: Int) -> [Int] {
    var (best, places) = (Int.max, [Int]())
    for place in range {
      let rank = likeness(of: waiting[place].traits) * 2 + (place < due ? 0 : 1)
      guard rank <= best else { continue }
      if rank < best { (best, places) = (rank, []) }
      places.append(place)
    }
    return places
  }

  /// How much a favorite is like the one before: 0 for not at all.
  private func likeness(of traits: Traits) -> Int {
    guard let last else { return 0 }
    if traits.author == last.author { return 3 }
    return traits.day == last.day ? 2 : traits.source == last.source ? 1 : 0
  }
}

extension FavoriteQueue.Traits {
  /// The traits of a favorite.
  package init(_ image: RemoteImage) {
    let day = CalendarDay(image.savedAt ?? image.createdAt)
    self.init(
      author: Self.number(of: image.credit ?? ""), source: Self.number(of: image.source),
      day: day?.number ?? 0)
  }

  /// A number for a text, the same in every run (FNV-1a).
  static func number(of text: String) -> UInt32 {
    text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }
}
