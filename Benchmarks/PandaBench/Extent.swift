internal import Foundation

/// How much is measured.
///
/// The short form shows that each benchmark runs to its end; its figures say nothing.
enum Extent {
  /// The option for the short form.
  static let option = "--short"
  /// Tells the processes that this one starts.
  private static let variable = "PANDA_BENCH_SHORT"

  /// Chooses the short form, before anything is measured.
  static func shorten() { setenv(variable, "1", 1) }

  static let isShort = ProcessInfo.processInfo.environment[variable] != nil

  /// The number of times that something is measured, besides the first.
  static func runs(_ count: Int) -> Int { isShort ? 1 : count }

  /// The number of the first of several runs, the first of which warms up what the others share.
  static var firstRun: Int { isShort ? 1 : 0 }

  /// What is measured of several things.
  static func some<Element>(_ all: [Element]) -> ArraySlice<Element> {
    all.prefix(isShort ? 1 : all.count)
  }

  /// The number of things that something is measured with.
  static func count(_ count: Int) -> Int { isShort ? max(2, count / 250) : count }
}
