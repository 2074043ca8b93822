internal import PandaCore
package import Pantry
internal import PictureCodecs
internal import TerminalKit

extension Log {
  /// Records a reported problem, with its cause.
  package func error(_ trouble: Trouble) {
    error(trouble.area, "\(trouble.what): \(trouble.sentence). Cause: \(trouble.cause)")
  }

  /// Records what a recovery found, with the counts of all namespaces.
  package func notice(_ report: RecoveryReport) {
    let counts = report.counts.sorted { $0.key < $1.key }.map { name, count in
      "\(name) \(count.recovered) recovered, \(count.fromBackup) of them from the backup, "
        + "\(count.lost) lost"
    }
    notice(
      .storage,
      "Recovered a file that was \(report.cause): \(counts.joined(separator: "; ")); "
        + "missing pictures: \(report.missingAttachments); the backup: "
        + "\(report.backupPath ?? "none"); the original: \(report.originalPath)")
  }

  /// Records the rows that could not be decoded; the first ones stand for a long list.
  package func error(unreadable issues: [LoadIssue]) {
    for issue in issues.prefix(20) { error(.storage, "Not decoded: \(issue)") }
    if issues.count > 20 { error(.storage, "Not decoded either: \(issues.count - 20) more") }
  }
}

extension Log.Area {
  /// The area that an error belongs to.
  ///
  /// A problem not of the network, a picture or the terminal concerns files.
  init(of error: any Error) {
    self =
      switch error {
      case is HTTPError, is ImageSourceError: .network
      case is PictureError: .pictures
      case is TerminalError: .terminal
      default: .storage
      }
  }
}
