internal import Foundation
internal import FuzzedParsers
internal import Glibc

/// The parser that PANDA_FUZZ_PARSER names.
private let parser: FuzzedParser = {
  let name = ProcessInfo.processInfo.environment["PANDA_FUZZ_PARSER"] ?? ""
  guard let parser = FuzzedParser(rawValue: name) else {
    let names = FuzzedParser.allCases.map(\.rawValue).joined(separator: ", ")
    FileHandle.standardError.write(
      Data("panda-fuzz: set PANDA_FUZZ_PARSER to one of \(names)\n".utf8))
    exit(2)
  }
  // Of the widths of characters, the C locale knows none but ASCII's.
  setlocale(LC_CTYPE, "C.UTF-8")
  return parser
}()

/// Parses one input of libFuzzer, which calls this on the main thread.
///
/// An error ends the process, so that libFuzzer keeps the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func parse(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = Array(UnsafeBufferPointer(start: bytes, count: count))
  return MainActor.assumeIsolated {
    var hasEnded = false
    // A parser that does not wait has ended when this returns.
    Task.immediate {
      do {
        try await parser.parse(input)
      } catch {
        fatalError("\(parser): \(error)")
      }
      hasEnded = true
    }
    while !hasEnded { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    return 0
  }
}
