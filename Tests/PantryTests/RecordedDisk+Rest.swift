import Foundation

extension RecordedDisk {
  /// Decides what of the changes that were not flushed is on the disk.
  struct Chance {
    let rest: Rest
    private var state: UInt64

    init(_ rest: Rest) {
      self.rest = rest
      if case .part(let seed) = rest { state = seed &* 0x9E37_79B9_7F4A_7C15 } else { state = 0 }
    }

    mutating func keeps() -> Bool {
      switch rest {
      case .nothing: return false
      case .everything: return true
      case .part:
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 63 == 1
      }
    }
  }
}

extension RecordedDisk.File {
  mutating func apply(_ change: RecordedDisk.Record) {
    switch change {
    case .write(_, let offset, let data): put(data, at: offset)
    case .truncate(_, let length): resize(length)
    default: break
    }
  }

  /// Applies what is kept of a change; of a write, whole sectors of the disk.
  mutating func apply(
    _ change: RecordedDisk.Record, _ chance: inout RecordedDisk.Chance
  ) {
    guard case .part = chance.rest, case .write(_, let offset, let data) = change,
      data.count > RecordedDisk.sector
    else {
      if chance.keeps() { apply(change) }
      return
    }
    // Half of the writes are torn.
    if chance.keeps() {
      if chance.keeps() { apply(change) }
      return
    }
    var start = offset
    while start < offset + data.count {
      let end = min(offset + data.count, (start / RecordedDisk.sector + 1) * RecordedDisk.sector)
      if chance.keeps() {
        put(data[data.startIndex + start - offset..<data.startIndex + end - offset], at: start)
      }
      start = end
    }
  }

  private mutating func put(_ data: Data, at offset: Int) {
    if bytes.count < offset + data.count { resize(offset + data.count) }
    bytes.replaceSubrange(offset..<offset + data.count, with: data)
  }

  private mutating func resize(_ length: Int) {
    if length < bytes.count {
      bytes.removeSubrange(length...)
    } else {
      bytes.append(Data(count: length - bytes.count))
    }
  }
}
