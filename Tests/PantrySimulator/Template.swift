import Glibc

/// A file with the counters, which most schedules begin with: making it takes a third of the time.
@MainActor
enum Template {
  private static var bytes: [UInt8] = []

  /// Makes the file in `place`, without the simulator's faults.
  static func make(in place: String) {
    let outcome = Schedule(scenario: Scenario.empty, place: place).run()
    precondition(outcome.violation == nil, "the template: \(outcome.violation!)")
    bytes = contents(place + "/pantry.sqlite")
    precondition(!bytes.isEmpty)
  }

  /// Puts a copy into `place`.
  static func copy(to place: String) {
    let descriptor = open(place + "/pantry.sqlite", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    precondition(write(descriptor, bytes, bytes.count) == bytes.count)
    close(descriptor)
  }

  private static func contents(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    return read(descriptor, &bytes, bytes.count) == bytes.count ? bytes : []
  }
}
