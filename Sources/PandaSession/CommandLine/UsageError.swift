/// An invalid command line.
///
/// The program then exits with status 2.
package struct UsageError: Error, UsageMistake, Hashable, Sendable, CustomStringConvertible {
  /// The problem, without a period.
  ///
  /// Quotes from the command line are sanitized.
  package let problem: String

  package init(problem: String) { self.problem = problem }

  /// The line for standard error.
  package var description: String { "panda: \(problem). Try panda --help." }

  /// The advice for kiosk mode, which is not ignored since it protected something.
  package static let kioskSuccessor =
    "a terminal that others use needs an account of its own, since Panda no longer keeps them from "
    + "yours"
}
