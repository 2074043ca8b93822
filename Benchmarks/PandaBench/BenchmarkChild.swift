internal import Foundation

/// Runs one operation in a child process, so that the measured peak memory is its own.
enum BenchmarkChild {
  /// The first argument of a child process.
  static let argument = "--child"

  /// Starts a child in `directory` and returns its measurement.
  static func run(_ arguments: [String], in directory: URL) throws -> Sample {
    let values = try figures(arguments, in: directory, count: 2)
    return Sample(milliseconds: values[0], peakMegabytes: values[1])
  }

  /// Starts a child in `directory` and returns the figures that it prints.
  static func figures(_ arguments: [String], in directory: URL, count: Int) throws -> [Double] {
    let values = try output(arguments, in: directory).split(whereSeparator: \.isWhitespace)
      .compactMap { Double($0) }
    guard values.count == count else {
      throw BenchmarkFailure(description: "\(arguments) failed in a child process.")
    }
    return values
  }

  /// Starts a child in `directory` and returns its output.
  static func output(_ arguments: [String], in directory: URL) throws -> String {
    try output(arguments + [directory.path(percentEncoded: false)])
  }

  /// Starts a child with exactly these arguments and returns its output.
  static func output(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/\(getpid())/exe").resolvingSymlinksInPath()
    process.arguments = [argument] + arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchmarkFailure(description: "\(arguments) failed in a child process.")
    }
    return String(decoding: data, as: UTF8.self)
  }

  /// Runs a child: fills a directory's file, or times one operation on it.
  @MainActor
  static func main(_ arguments: [String]) async throws {
    if arguments.count == 2, arguments[0] == FavoritesLoad.childArgument {
      return try await FavoritesLoad.main(URL(filePath: arguments[1]))
    }
    if arguments.first == LiveWriter.childArgument {
      return try await LiveWriter.main(Array(arguments.dropFirst()))
    }
    guard arguments.count == 5, let side = Side(rawValue: arguments[1]),
      let shape = NoteShape(rawValue: arguments[3])
    else {
      throw BenchmarkFailure(description: "Only this program starts a child.")
    }
    let time =
      switch shape {
      case .flat: try await run(FlatNote.self, side, arguments)
      case .nested: try await run(NestedNote.self, side, arguments)
      }
    try print(time, ProcessMemory(of: getpid()).peak)
  }

  /// Runs the operation in the arguments; returns its duration in milliseconds.
  @MainActor
  private static func run<Note: BenchmarkNote>(
    _ note: Note.Type, _ side: Side, _ arguments: [String]
  ) async throws -> Double {
    let directory = URL(filePath: arguments[4])
    let pantry = PantryOperations<Note>(directory: directory)
    let plain = PlainOperations<Note>(directory: directory)
    if arguments[0] == "fill", let contents = StoreOperation.Contents(arguments[2]) {
      switch side {
      case .pantry: try await pantry.fill(contents)
      case .plain: try plain.fill(contents)
      }
    } else if let operation = StoreOperation(rawValue: arguments[2]) {
      switch side {
      case .pantry: return try await pantry.run(operation)
      case .plain: return try await plain.run(operation)
      }
    }
    return 0
  }
}

/// The reason why a benchmark has no figures.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
}
