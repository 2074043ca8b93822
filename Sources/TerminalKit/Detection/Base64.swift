/// Encodes the bytes of a text in base 64 (RFC 4648, section 4), as terminals want paths.
package func base64(_ text: String) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  let bytes = Array(text.utf8)
  var encoded = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for index in 0..<4 {
      encoded.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : "=")
    }
  }
  return encoded
}
