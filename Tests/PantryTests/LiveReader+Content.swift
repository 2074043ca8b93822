import Foundation
import Pantry
import PantryTesting

extension LiveReader {
  /// Each key and its data, in insertion order.
  var content: [String] {
    known.map { "\($0.key.rawValue)=\(String(decoding: $0.data, as: UTF8.self))" }
  }
}
