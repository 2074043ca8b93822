internal import FoundationEssentials

/// Finds the module that contains a program's entry point.
///
/// SwiftPM names the entry point of an executable target `MODULE_main` and links `main` to the same
/// address, in every configuration, so the module is in the executable's symbol table, whatever the
/// executable is called. In a test runner, a stripped executable, or one that another build system
/// linked, it is unknown.
enum ProgramModule {
  /// The module of this program; nil if it is unknown.
  static let current = name(ofExecutable: "/proc/self/exe")

  /// Returns the module of the executable at `path`; nil if it is unknown.
  ///
  /// - Complexity: O(n) in the global symbols: about a millisecond for 50,000.
  static func name(ofExecutable path: String) -> String? {
    // An executable that cannot be read has no known module.
    let file = try? Data(contentsOf: URL(filePath: path), options: .mappedIfSafe)
    guard let file else { return nil }
    return file.withUnsafeBytes { ELFSymbols($0)?.nameOfMain }
  }
}

/// The symbol table of a 64-bit ELF file (elf(5)), in the byte order of this machine.
private struct ELFSymbols {
  private let file: UnsafeRawBufferPointer
  private let symbols: Range<Int>
  private let names: Range<Int>
  private static let symbolSize = 24

  init?(_ file: UnsafeRawBufferPointer) {
    self.file = file
    func number<Number: FixedWidthInteger & BitwiseCopyable>(
      _ type: Number.Type, at offset: Int
    ) -> Int? {
      guard offset >= 0, offset <= file.count - MemoryLayout<Number>.size else { return nil }
      return Int(exactly: file.loadUnaligned(fromByteOffset: offset, as: type))
    }
    func range(_ section: Int) -> Range<Int>? {
      guard let start = number(UInt64.self, at: section + 24),
        let size = number(UInt64.self, at: section + 32), start <= file.count,
        size <= file.count - start
      else { return nil }
      return start..<start + size
    }
    // EI_CLASS is ELFCLASS64.
    guard file.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2]),
      let sections = number(UInt64.self, at: 40), sections <= file.count,
      let size = number(UInt16.self, at: 58), let count = number(UInt16.self, at: 60)
    else { return nil }
    for section in (0..<count).map({ sections + $0 * size }) {
      let symtab = 2
      guard number(UInt32.self, at: section + 4) == symtab else { continue }
      // sh_link is the section of the names, and sh_info the number of local symbols.
      guard let all = range(section), let link = number(UInt32.self, at: section + 40),
        let local = number(UInt32.self, at: section + 44), local <= all.count / Self.symbolSize,
        let names = range(sections + link * size)
      else { return nil }
      symbols = (all.lowerBound + local * Self.symbolSize)..<all.upperBound
      self.names = names
      return
    }
    return nil
  }

  /// The part before `_main` of the symbol at the address of `main`.
  var nameOfMain: String? {
    var main: UInt64?
    var entries: [(name: Int, address: UInt64)] = []
    for symbol in stride(from: symbols.lowerBound, to: symbols.upperBound - 23, by: 24) {
      let name = Int(file.loadUnaligned(fromByteOffset: symbol, as: UInt32.self))
      let address = file.loadUnaligned(fromByteOffset: symbol + 8, as: UInt64.self)
      guard name < names.count, address != 0 else { continue }
      let text = file[(names.lowerBound + name)..<names.upperBound].prefix { $0 != 0 }
      guard text.suffix(4).elementsEqual("main".utf8) else { continue }
      if text.count == 4 { main = address }
      if text.count > 5, text.dropLast(4).last == UInt8(ascii: "_") {
        entries.append((name, address))
      }
    }
    guard let main, let entry = entries.first(where: { $0.address == main }) else { return nil }
    let text = file[(names.lowerBound + entry.name)..<names.upperBound].prefix { $0 != 0 }
    return String(decoding: text.dropLast(5), as: UTF8.self)
  }
}
