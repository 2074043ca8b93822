internal import FoundationEssentials
internal import Glibc

/// What favorites are chosen from, without the favorites: some bytes of each, in a file that may be
/// deleted at any time.
///
/// It is read and written as it is in memory: a choice among 10,000 looks at single addresses only.
struct ChoiceIndex: Equatable {
  /// A favorite as it is added.
  struct Row: Equatable {
    let address: String
    let traits: FavoriteQueue.Traits
    /// The number of the choice by which it was last seen; 0 for none.
    var turn: UInt32
  }

  /// A favorite as it is kept; numbers alone, which are copied at once.
  private struct Stored: Equatable, BitwiseCopyable {
    let traits: FavoriteQueue.Traits
    var turn: UInt32
    /// The hash of its address.
    let hash: UInt32
    /// Where its address ends, which begins at the end of the one before.
    let end: UInt32
  }

  /// In the order of the favorites' rows.
  private var stored: [Stored] = []
  /// The addresses in UTF-8.
  private var text: [UInt8] = []

  init(_ rows: [Row] = []) {
    for row in rows { append(row) }
  }

  var count: Int { stored.count }

  var rows: [Row] { stored.indices.map { self[$0] } }

  mutating func append(_ row: Row) {
    text += row.address.utf8
    stored.append(
      Stored(
        traits: row.traits, turn: row.turn, hash: FavoriteQueue.Traits.number(of: row.address),
        end: UInt32(clamping: text.count)))
  }

  /// The favorite at a place.
  subscript(_ place: Int) -> Row {
    let start = place == 0 ? 0 : Int(stored[place - 1].end)
    let address = String(decoding: text[start..<Int(stored[place].end)], as: UTF8.self)
    return Row(address: address, traits: stored[place].traits, turn: stored[place].turn)
  }

  mutating func set(turn: Int, at place: Int) { stored[place].turn = UInt32(clamping: turn) }

  /// Returns the place of an address; nil if it is not there.
  ///
  /// - Complexity: O(n), some microseconds for 10,000.
  func place(of address: String) -> Int? {
    let hash = FavoriteQueue.Traits.number(of: address)
    return stored.indices.first { stored[$0].hash == hash && self[$0].address == address }
  }

  /// The favorites as entries of a queue; of all, or of those that were kept on a day of an earlier
  /// year, if there are some.
  func entries(on day: CalendarDay?) -> [FavoriteQueue.Entry] {
    let all = stored.enumerated().map { place, row in
      FavoriteQueue.Entry(
        place: place, traits: row.traits, turn: row.turn == 0 ? nil : Int(row.turn))
    }
    guard let day else { return all }
    let kept = all.filter { day.years(since: CalendarDay(number: $0.traits.day)) != nil }
    return kept.isEmpty ? all : kept
  }

  // MARK: The file

  /// With the time zone of the days in it, as far from Greenwich as it is in January and in July.
  private static var beginning: [UInt8] {
    let seconds = [1_767_225_600, 1_782_864_000].map { moment in
      var (moment, parts) = (time_t(moment), tm())
      return localtime_r(&moment, &parts) == nil ? "" : "\(parts.tm_gmtoff)"
    }
    return Array("panda index 3 \(seconds[0]) \(seconds[1])\n".utf8)
  }

  /// Reads a file; nil for one that is none, or not whole.
  init?(_ data: Data) {
    let beginning = Self.beginning
    let head = beginning.count + MemoryLayout<UInt32>.size
    guard data.count >= head, data.starts(with: beginning) else { return nil }
    let isWhole = data.withUnsafeBytes { bytes in
      let count = Int(bytes.loadUnaligned(fromByteOffset: beginning.count, as: UInt32.self))
      let size = count * MemoryLayout<Stored>.stride
      guard size <= bytes.count - head else { return false }
      stored = [Stored](unsafeUninitializedCapacity: count) { buffer, filled in
        UnsafeMutableRawBufferPointer(buffer).copyMemory(
          from: UnsafeRawBufferPointer(rebasing: bytes[head..<head + size]))
        filled = count
      }
      text = Array(bytes[(head + size)...])
      var end: UInt32 = 0
      for row in stored {
        guard row.end >= end else { return false }
        end = row.end
      }
      return Int(end) == text.count
    }
    guard isWhole else { return nil }
  }

  var data: Data {
    var bytes = Data(Self.beginning)
    withUnsafeBytes(of: UInt32(stored.count)) { bytes.append(contentsOf: $0) }
    stored.withUnsafeBytes { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: text)
    return bytes
  }
}

extension ChoiceIndex.Row {
  init(_ image: RemoteImage, turn: Int) {
    self.init(
      address: image.id, traits: FavoriteQueue.Traits(image), turn: UInt32(clamping: turn))
  }
}
