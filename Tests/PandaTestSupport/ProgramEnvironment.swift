internal import Foundation

/// The environment of a program that a test starts.
public enum ProgramEnvironment {
  /// The environment of the tests themselves, but for a home directory.
  public static func inherited(
    home: TemporaryDirectory, _ more: [String] = []
  ) -> [String: String] {
    ProcessInfo.processInfo.environment
      .merging(dictionary(isolated([], home: home).environment + more)) { $1 }
  }

  /// Returns variables, each `NAME=value`, by name; of two with the same name the last one counts.
  static func dictionary(_ variables: [String]) -> [String: String] {
    let pairs = variables.map { variable in
      let parts = variable.split(separator: "=", maxSplits: 1).map(String.init)
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
    return Dictionary(pairs) { $1 }
  }

  /// Adds a home directory and what is kept below it, where the environment names none.
  ///
  /// Every driver starts its programs with it, so that none of them reads or writes the files of
  /// the person who runs the tests.
  ///
  /// - Parameters:
  ///   - environment: `NAME=value`; what it names stays.
  ///   - home: the home directory; made when it is asked for.
  static func isolated(
    _ environment: [String], home: @autoclosure () -> TemporaryDirectory
  ) -> (environment: [String], home: TemporaryDirectory?) {
    var environment = environment
    var directory: TemporaryDirectory?
    if !environment.contains(where: { $0.hasPrefix("HOME=") }) {
      let fresh = home()
      directory = fresh
      environment.append("HOME=\(fresh.url.path(percentEncoded: false))")
    }
    let path = environment.last { $0.hasPrefix("HOME=") }?.dropFirst("HOME=".count) ?? ""
    let places = [
      ("XDG_DATA_HOME", "\(path)/.local/share"), ("XDG_STATE_HOME", "\(path)/.local/state"),
      ("XDG_CACHE_HOME", "\(path)/.cache"), ("XDG_CONFIG_HOME", "\(path)/.config"),
      // Foundation asks for this before the user database.
      ("CFFIXED_USER_HOME", String(path)),
    ]
    for (name, place) in places where !environment.contains(where: { $0.hasPrefix("\(name)=") }) {
      environment.append("\(name)=\(place)")
    }
    // The programs get the same sanitizer options as the tests that start them.
    for name in ["ASAN_OPTIONS", "TSAN_OPTIONS"] {
      guard let options = ProcessInfo.processInfo.environment[name] else { continue }
      environment.append("\(name)=\(options)")
    }
    return (environment, directory)
  }
}
