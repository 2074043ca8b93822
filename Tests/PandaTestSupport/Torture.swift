import Foundation

/// The extent of tests that repeat something many times.
///
/// `make torture` sets `PANDA_TORTURE`, for their long forms.
public enum Torture {
  /// Whether the long forms run.
  public static let isOn = ProcessInfo.processInfo.environment["PANDA_TORTURE"] != nil

  /// Returns a number of rounds: `long` under `make torture`, otherwise `short`.
  public static func rounds(_ short: Int, orTorture long: Int) -> Int { isOn ? long : short }
}
