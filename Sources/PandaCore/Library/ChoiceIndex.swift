internal import FoundationEssentials

/// What favorites are chosen from, without the favorites: some bytes of each, in a file that may be
/// deleted at any time.
struct ChoiceIndex: Equatable {
  struct Row: Equatable {
    let address: String
    let traits: FavoriteQueue.Traits
    /// The number of the choice by which it was last seen; 0 for none.
    var turn: UInt32
  }

  /// In the order of the favorites' rows.
  var rows: [Row] = []

  init() {}

  /// The favorites as entries of a queue; of all, or of those that were kept on a day of an earlier
  /// year, if there are some.
  func entries(on day: CalendarDay?) -> [FavoriteQueue.Entry] {
    let all = rows.enumerated().map { place, row in
      FavoriteQueue.Entry(
        place: place, traits: row.traits, turn: row.turn == 0 ? nil : Int(row.turn))
    }
    guard let day else { return all }
    let kept = all.filter { day.years(since: CalendarDay(number: $0.traits.day)) != nil }
    return kept.isEmpty ? all : kept
  }

  // MARK: The file

  private static let beginning = Array("panda index 1\n".utf8)

  /// Reads a file; nil for one that is none, or not whole.
  init?(_ data: Data) {
    guard data.starts(with: Self.beginning) else { return nil }
    var rest = data.dropFirst(Self.beginning.count)
    while !rest.isEmpty {
      guard let row = Row(taking: &rest) else { return nil }
      rows.append(row)
    }
  }

  var data: Data {
    // Not appended to data, where each number costs a call.
    var bytes = Self.beginning
    for row in rows {
      let (traits, text) = (row.traits, row.address.utf8)
      for number in [traits.author, traits.source, traits.day, row.turn, UInt32(text.count)] {
        for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
      }
      bytes.append(contentsOf: text)
    }
    return Data(bytes)
  }
}

extension ChoiceIndex.Row {
  init(_ image: RemoteImage, turn: Int) {
    self.init(
      address: image.id, traits: FavoriteQueue.Traits(image), turn: UInt32(clamping: turn))
  }

  /// Takes a row from the beginning of bytes: five numbers and the address; nil if they are cut.
  fileprivate init?(taking rest: inout Data) {
    let head = 5 * MemoryLayout<UInt32>.size
    guard rest.count >= head else { return nil }
    let numbers = rest.withUnsafeBytes { bytes in
      (0..<5).map {
        UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
      }
    }
    rest = rest.dropFirst(head)
    guard rest.count >= Int(numbers[4]) else { return nil }
    self.init(
      address: String(decoding: rest.prefix(Int(numbers[4])), as: UTF8.self),
      traits: FavoriteQueue.Traits(author: numbers[0], source: numbers[1], day: numbers[2]),
      turn: numbers[3])
    rest = rest.dropFirst(Int(numbers[4]))
  }
}
