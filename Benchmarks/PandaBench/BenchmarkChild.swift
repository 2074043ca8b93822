internal import Foundation

/// This program started again for one operation: its peak memory is that operation's own.
enum BenchmarkChild {
  /// The first argument of a child.
  static let argument = "--child"

  /// Starts a child in `directory` and returns what it measured.
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

  /// Starts a child in `directory` and returns what it prints.
  static func output(_ arguments: [String], in directory: URL) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/\(getpid())/exe").resolvingSymlinksInPath()
    process.arguments = [argument] + arguments + [directory.path(percentEncoded: false)]
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

  /// What the child does: fills a directory's file, or times one operation on it.
  @MainActor
  static func main(_ arguments: [String]) async throws {
    if arguments.count == 2, arguments[0] == FavoritesLoad.childArgument {
      return try await FavoritesLoad.main(URL(filePath: arguments[1]))
    }
    if arguments.first == LiveWriter.childArgument {
      return try await LiveWriter.main(Array(arguments.dropFirst()))
    }
    guard arguments.count == 4, let side = Side(rawValue: arguments[1]) else {
      throw BenchmarkFailure(description: "A child is started by this program only.")
    }
    let directory = URL(filePath: arguments[3])
    var time = 0.0
    if arguments[0] == "fill", let contents = StoreOperation.Contents(arguments[2]) {
      switch side {
      case .pantry: try await PantryOperations(directory: directory).fill(contents)
      case .plain: try PlainOperations(directory: directory).fill(contents)
      }
    } else if let operation = StoreOperation(rawValue: arguments[2]) {
      switch side {
      case .pantry: time = try await PantryOperations(directory: directory).run(operation)
      case .plain: time = try await PlainOperations(directory: directory).run(operation)
      }
    }
    try print(time, ProcessMemory(of: getpid()).peak)
  }
}

/// Why a benchmark gave no figures.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
}
