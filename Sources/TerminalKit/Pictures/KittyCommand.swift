internal import FoundationEssentials
internal import PictureCodecs

/// Commands of kitty's graphics protocol (https://sw.kovidgoyal.net/kitty/graphics-protocol/).
///
/// Every command has `q=2`: the terminal reports neither success nor failure, so that no reply is
/// mistaken for a key.
package struct KittyCommand {
  package enum Route: Hashable, Sendable {
    case direct
    /// Through tmux, which forwards the contents of `ESC P tmux; ... ESC \` (`allow-passthrough`).
    case tmux
  }

  package let route: Route

  /// The maximum base64 payload of a command, in bytes; a multiple of 4.
  private static let chunk = 4096

  /// Appends one command: `ESC _ G control ; payload ESC \`.
  package func append(
    _ control: String, payload: some Collection<UInt8> = [], to bytes: inout [UInt8]
  ) {
    let escape: [UInt8] = route == .tmux ? [0x1B, 0x1B] : [0x1B]
    if route == .tmux { bytes += "\u{1B}Ptmux;".utf8 }
    bytes += escape
    bytes += "_G".utf8
    bytes += control.utf8
    if !payload.isEmpty {
      bytes.append(UInt8(ascii: ";"))
      bytes += payload
    }
    bytes += escape
    bytes.append(UInt8(ascii: "\\"))
    if route == .tmux { bytes += "\u{1B}\\".utf8 }
  }

  /// Appends the commands that transmit an image's pixels.
  ///
  /// - Parameters:
  ///   - id: the image's id; the terminal frees an image without one once it is no longer visible.
  ///   - placement: further keys of the command, such as those of a virtual placement; the command
  ///     is then `a=T`. Otherwise the image is stored without being shown.
  func transmit(
    _ pixels: KittyPixels, id: UInt32?, placement: String? = nil, to bytes: inout [UInt8]
  ) {
    let action = placement.map { "a=T,\($0)," } ?? "a=t,"
    let name = id.map { "i=\($0)," } ?? ""
    transmit(pixels, "\(action)\(name)", more: "", to: &bytes)
  }

  /// Appends the commands that add a frame to an image.
  ///
  /// - Parameter gap: the time for which it is shown, in milliseconds.
  func transmitFrame(_ pixels: KittyPixels, id: UInt32, gap: Int, to bytes: inout [UInt8]) {
    // X=1: the frame replaces what is below, rather than blending with it.
    transmit(pixels, "a=f,i=\(id),z=\(gap),X=1,", more: "a=f,", to: &bytes)
  }

  /// - Parameters:
  ///   - keys: those of the first command, apart from the pixels' own.
  ///   - more: those of the following ones.
  private func transmit(
    _ pixels: KittyPixels, _ keys: String, more: String, to bytes: inout [UInt8]
  ) {
    let keys = "\(keys)f=\(pixels.format),s=\(pixels.size.width),v=\(pixels.size.height),q=2"
    switch pixels.medium {
    case .file(let path):
      append(keys + ",t=t", payload: Data(path.utf8).base64EncodedData(), to: &bytes)
    case .bytes(let data):
      let payload = data.base64EncodedData()
      var start = payload.startIndex
      while true {
        let end = min(payload.endIndex, start + Self.chunk)
        let isLast = end == payload.endIndex
        let first = start == payload.startIndex ? keys : "\(more)q=2"
        append("\(first),m=\(isLast ? 0 : 1)", payload: payload[start..<end], to: &bytes)
        start = end
        if isLast { return }
      }
    }
  }

  /// Ends a command that was cut off anywhere, and the transfer that it may be a part of.
  ///
  /// Otherwise the terminal would take the next command, of another program, for more of it.
  /// Without a transfer, it is one of an image without pixels, which is refused without an answer.
  var ending: String {
    var bytes = Array(route == .tmux ? "\u{1B}\u{1B}\\\u{1B}\\".utf8 : "\u{1B}\\".utf8)
    append("m=0,q=2", to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends a command that frees an image and removes all of its placements.
  package func free(_ id: UInt32, to bytes: inout [UInt8]) {
    append("a=d,d=I,i=\(id),q=2", to: &bytes)
  }

  /// Appends a command that removes all placements of an image but keeps the image.
  package func hide(_ id: UInt32, to bytes: inout [UInt8]) {
    append("a=d,d=i,i=\(id),q=2", to: &bytes)
  }
}
