import Foundation

@testable import PictureCodecs
@testable import TerminalKit

/// A terminal that speaks kitty's graphics protocol, as far as Panda uses it: it reads what was
/// sent, keeps the images and shows the placements and placeholders.
struct KittyModel {
  struct Image: Equatable {
    var size: PixelSize
    /// RGBA.
    var pixels: [UInt8]
  }

  struct Placement: Equatable {
    var image: UInt32
    var source: PixelRect
    var cells: CellSize
    var point: CellPoint
  }

  struct Placeholder: Equatable {
    var image: UInt32
    var row: Int
    var column: Int
  }

  /// An animation, by the image that is its first frame.
  struct Animation: Equatable {
    /// The frames after the first.
    var frames: [Image] = []
    /// The milliseconds of each frame, the first one included.
    var gaps: [Int] = [0]
    /// The frame that is shown, from 1.
    var current = 1
    /// The loops that it plays, as the protocol counts them; nil while it is stopped.
    var loops: Int?
  }

  var images: [UInt32: Image] = [:]
  var animations: [UInt32: Animation] = [:]
  /// By image and placement id.
  var placements: [[UInt32]: Placement] = [:]
  /// Sizes of virtual placements.
  var virtual: [UInt32: CellSize] = [:]
  var cells: [CellPoint: Placeholder] = [:]
  var transmissions = 0
  /// What is neither a command nor a known sequence.
  var surprises: [String] = []

  private var cursor = CellPoint(column: 0, row: 0)
  private var color: UInt32 = 0
  private var pending: (keys: [String: String], payload: [UInt8])?
  private var marks: [Int] = []

  /// Takes the wrapping of tmux off; nil when something stands outside of it that tmux would take.
  static func unwrapped(_ bytes: [UInt8]) -> [UInt8]? {
    var result: [UInt8] = []
    var rest = bytes[...]
    while let start = rest.firstRange(of: Array("\u{1B}Ptmux;".utf8)) {
      let before = rest[..<start.lowerBound]
      if before.firstRange(of: Array("\u{1B}_G".utf8)) != nil { return nil }
      result += before
      rest = rest[start.upperBound...]
      while let byte = rest.first {
        rest = rest.dropFirst()
        guard byte == 0x1B else {
          result.append(byte)
          continue
        }
        let next = rest.first
        rest = rest.dropFirst()
        if next == UInt8(ascii: "\\") { break }
        guard next == 0x1B else { return nil }
        result.append(0x1B)
      }
    }
    return rest.firstRange(of: Array("\u{1B}_G".utf8)) == nil ? result + rest : nil
  }

  mutating func read(_ bytes: [UInt8]) {
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: "\u{1B}_G".utf8) {
        let end = bytes[index...].firstRange(of: [0x1B, UInt8(ascii: "\\")])!
        command(Array(bytes[index + 3..<end.lowerBound]))
        index = end.upperBound
      } else if bytes[index...].starts(with: "\u{1B}[".utf8) {
        let end = bytes[(index + 2)...].firstIndex { (0x40...0x7E).contains($0) }!
        control(String(decoding: bytes[index + 2...end], as: UTF8.self))
        index = end + 1
      } else {
        let length = bytes[index] < 0x80 ? 1 : bytes[index] < 0xE0 ? 2 : bytes[index] < 0xF0 ? 3 : 4
        let text = String(decoding: bytes[index..<index + length], as: UTF8.self)
        character(text.unicodeScalars.first!)
        index += length
      }
    }
  }

  private mutating func control(_ sequence: String) {
    let numbers = sequence.dropLast().split(separator: ";").compactMap { Int($0) }
    switch sequence.last {
    case "H": cursor = CellPoint(column: numbers[1] - 1, row: numbers[0] - 1)
    case "m" where numbers.starts(with: [38, 5]): color = UInt32(numbers[2])
    case "m" where numbers == [39]: color = 0
    case "b": for _ in 0..<numbers[0] { character("\u{10EEEE}") }
    default: surprises.append(sequence)
    }
  }

  private mutating func character(_ scalar: Unicode.Scalar) {
    if scalar == "\u{10EEEE}" {
      marks = []
      let left = cells[CellPoint(column: cursor.column - 1, row: cursor.row)]
      // Without diacritics it continues where the one at its left, of the same color, ended.
      cells[cursor] = left.flatMap { left in
        left.image & 0xFF == color
          ? Placeholder(image: left.image, row: left.row, column: left.column + 1) : nil
      }
      cursor.column += 1
    } else if let number = RowColumnDiacritics.all.firstIndex(of: scalar) {
      marks.append(number)
      guard marks.count == 3 else { return }
      let place = CellPoint(column: cursor.column - 1, row: cursor.row)
      cells[place] = Placeholder(
        image: UInt32(marks[2]) << 24 | color, row: marks[0], column: marks[1])
    } else {
      surprises.append(String(scalar))
    }
  }

  private mutating func command(_ body: [UInt8]) {
    let parts = body.split(separator: UInt8(ascii: ";"), maxSplits: 1)
    var keys: [String: String] = [:]
    for pair in String(decoding: parts[0], as: UTF8.self).split(separator: ",") {
      let sides = pair.split(separator: "=", maxSplits: 1)
      keys[String(sides[0])] = String(sides[1])
    }
    if keys["q"] != "2" { surprises.append("a command that is answered") }
    let payload = parts.count > 1 ? Array(parts[1]) : []
    if payload.count > 4096 { surprises.append("a chunk of \(payload.count) bytes") }
    if var pending {
      pending.payload += payload
      self.pending = pending
      if pending.keys["a"] == "f", keys["a"] != "f" { surprises.append("a chunk of no frame") }
      if keys["m"] == "0" { finish() }
      return
    }
    switch keys["a"] {
    case "a":
      let id = UInt32(keys["i"]!)!
      guard var animation = animations[id] else { return surprises.append("no animation") }
      if let frame = keys["r"] { animation.gaps[Int(frame)! - 1] = Int(keys["z"]!)! }
      if let current = keys["c"] { animation.current = Int(current)! }
      if animation.current > animation.frames.count + 1 { surprises.append("no such frame") }
      switch keys["s"] {
      case "1": animation.loops = nil
      case "3": animation.loops = Int(keys["v"]!)!
      default: break
      }
      animations[id] = animation
    case "f", "t", "T":
      pending = (keys, payload)
      if keys["m"] != "1" { finish() }
    case "p":
      let id = UInt32(keys["i"]!)!
      guard images[id] != nil else { return surprises.append("a placement of nothing") }
      func number(_ key: String) -> Int { Int(keys[key] ?? "") ?? 0 }
      placements[[id, UInt32(keys["p"]!)!]] = Placement(
        image: id,
        source: PixelRect(
          x: number("x"), y: number("y"), size: PixelSize(width: number("w"), height: number("h"))),
        cells: CellSize(columns: number("c"), rows: number("r")), point: cursor)
      if keys["C"] != "1" { surprises.append("a placement that moves the cursor") }
    case "d":
      let id = UInt32(keys["i"]!)!
      let placement = keys["p"].map { UInt32($0)! }
      placements = placements.filter { $0.key[0] != id || placement ?? $0.key[1] != $0.key[1] }
      if keys["d"] == "I" {
        images[id] = nil
        virtual[id] = nil
        // kitty 0.26.5 takes the chance to free all images that have no placement.
        images = images.filter { image in
          virtual[image.key] != nil || placements.keys.contains { $0[0] == image.key }
        }
      }
    default: surprises.append("a=\(keys["a"] ?? "")")
    }
  }

  private mutating func finish() {
    guard let (keys, payload) = pending else { return }
    pending = nil
    transmissions += 1
    guard var data = Data(base64Encoded: Data(payload)) else {
      return surprises.append("no base64")
    }
    if keys["t"] == "t" {
      let path = String(decoding: data, as: UTF8.self)
      // kitty removes only files of this kind.
      guard path.hasPrefix("/dev/shm/"), path.contains("tty-graphics-protocol") else {
        return surprises.append("the file \(path)")
      }
      data = FileManager.default.contents(atPath: path) ?? Data()
      do {
        try FileManager.default.removeItem(atPath: path)
      } catch {
        surprises.append("\(error)")
      }
    }
    let size = PixelSize(width: Int(keys["s"]!)!, height: Int(keys["v"]!)!)
    var pixels = Array(data)
    if keys["f"] == "24" {
      pixels = stride(from: 0, to: pixels.count, by: 3).flatMap { pixels[$0..<$0 + 3] + [255] }
    }
    guard pixels.count == size.width * size.height * 4 else {
      return surprises.append("\(pixels.count) bytes for \(size)")
    }
    let id = UInt32(keys["i"]!)!
    if keys["a"] == "f" {
      guard images[id]?.size == size else { return surprises.append("a frame of another size") }
      animations[id]!.frames.append(Image(size: size, pixels: pixels))
      return animations[id]!.gaps.append(Int(keys["z"]!)!)
    }
    images[id] = Image(size: size, pixels: pixels)
    animations[id] = Animation()
    placements = placements.filter { $0.key[0] != id }
    if keys["U"] == "1" {
      virtual[id] = CellSize(columns: Int(keys["c"]!)!, rows: Int(keys["r"]!)!)
    }
  }
}
