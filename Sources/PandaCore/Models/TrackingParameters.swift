internal import FoundationEssentials

extension String {
  /// The text of an address without the parameters that only count its readers: `utm_source` etc.
  package var withoutTracking: String {
    guard contains("utm_"), let mark = firstIndex(of: "?") else { return self }
    let end = self[mark...].firstIndex(of: "#") ?? endIndex
    let kept = self[index(after: mark)..<end].split(separator: "&").filter {
      !$0.hasPrefix("utm_")
    }
    return self[..<mark] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&")) + self[end...]
  }
}
