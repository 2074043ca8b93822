internal import FoundationEssentials
internal import PandaCore
internal import Pantry

/// Words the recovery of the favorites file, without a period at the end.
struct RecoveryWords {
  let report: RecoveryReport

  /// The outcome with its counts, and where the damaged file is.
  var sentence: String {
    "\(cause)\(outcome)\(losses). \(whereabouts)"
  }

  private var cause: String {
    switch report.cause {
    case .damaged: "The favorites file was damaged"
    case .empty: "The favorites file was empty"
    case .foreignLog: "Another file was copied over the favorites"
    }
  }

  private var outcome: String {
    let count = report.favorites
    let total = count.recovered + count.lost
    guard total > 0 else { return ", and no favorites were found in it or in a backup" }
    let recovered = total == count.recovered ? "\(total)" : "\(count.recovered) of \(total)"
    let noun = total == 1 ? "favorite was" : "favorites were"
    return "; \(recovered) \(noun) recovered"
  }

  private var losses: String {
    let count = report.favorites
    var parts: [String] = []
    if count.fromBackup > 0, let path = report.backupPath {
      let all = count.fromBackup == count.recovered ? "" : "\(count.fromBackup) "
      parts.append("\(all)from \(Self.name(path))")
    }
    let missing = report.missingAttachments
    if missing > 0 { parts.append("\(missing) \(missing == 1 ? "picture" : "pictures") missing") }
    parts += otherLosses
    return parts.isEmpty ? "" : ", " + parts.joined(separator: ", ")
  }

  /// The other losses, by the names that the user knows.
  private var otherLosses: [String] {
    var lost = report.counts.mapValues(\.lost)
    lost["RemoteImage"] = nil
    let places = [
      ("TrashedImage", "the trash"), ("LibraryChange", "the history"),
      ("HiddenImage", "the hidden pictures"), ("SeenImage", "the seen pictures"),
    ]
    var parts: [String] = []
    for (namespace, place) in places {
      if let count = lost.removeValue(forKey: namespace), count > 0 {
        parts.append("\(count) lost from \(place)")
      }
    }
    let rest = lost.values.reduce(0, +)
    if rest > 0 { parts.append("\(rest) other \(rest == 1 ? "record" : "records") lost") }
    return parts
  }

  private var whereabouts: String {
    let kept = "It is kept as \(Self.name(report.originalPath))"
    guard report.cause == .foreignLog else { return kept }
    return kept + ". To restore a backup, quit panda and move it there with mv"
  }

  private static func name(_ path: String) -> String {
    String(path.split(separator: "/").last ?? "")
  }
}
