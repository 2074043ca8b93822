import Testing

@testable import PandaSession
@testable import PantryRecovery

/// The sentence after a recovery.
@Suite struct RecoveryWordsTests {
  @Test func `losses in the trash, the history and other records are reported`() {
    var report = RecoveryReport(cause: .damaged)
    report.originalPath = "/a/favorites.sqlite.corrupt-1"
    var lost = RecoveryReport.Count()
    lost.recovered = 2
    report.counts["RemoteImage"] = lost
    #expect(report.isComplete)
    lost.lost = 1
    report.counts["TrashedImage"] = lost
    report.counts["LibraryChange"] = lost
    report.counts["SourceListing"] = lost
    report.counts["recovered-9"] = lost
    #expect(!report.isComplete)
    #expect(
      RecoveryWords(report: report).sentence
        == "The favorites file was damaged; 2 favorites were recovered, 1 lost from the trash, "
        + "1 lost from the history, 2 other records lost. It is kept as favorites.sqlite.corrupt-1")
  }
}
