internal import Glibc

/// The functions of a C library that is loaded on first use, so that a program which does not need
/// it starts sooner and can run without it.
///
/// `Table` is a C structure of pointers to functions, with the types that the library's own headers
/// declare. A value is the only way to call them, and proves that the library is loaded; for any
/// thread.
package struct LoadedLibrary<Table>: @unchecked Sendable {
  /// The pointers, which stay valid: the library is never unloaded, and they are never freed.
  package let table: UnsafePointer<Table>

  /// The functions, such as `functions.easy_init()`.
  package var functions: Table { table.pointee }

  /// Loads a library and looks up its functions.
  ///
  /// - Parameters:
  ///   - name: the file name, which the dynamic loader looks up in its usual directories.
  ///   - symbols: the names of the functions in the order of the table, then a null pointer.
  /// - Throws: the dynamic loader's message.
  package init(
    _ name: String, _ symbols: UnsafePointer<UnsafePointer<CChar>?>
  ) throws(LibraryError) {
    guard let library = dlopen(name, RTLD_NOW | RTLD_LOCAL) else { throw LibraryError() }
    let count = MemoryLayout<Table>.size / MemoryLayout<UnsafeRawPointer>.size
    let table = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<Table>.size, alignment: MemoryLayout<Table>.alignment)
    for place in 0..<count {
      guard let symbol = symbols[place], let function = dlsym(library, symbol) else {
        table.deallocate()
        throw LibraryError()
      }
      table.storeBytes(
        of: function, toByteOffset: place * MemoryLayout<UnsafeRawPointer>.size,
        as: UnsafeMutableRawPointer.self)
    }
    precondition(symbols[count] == nil, "the table of \(name) has a different number of functions")
    self.table = UnsafePointer(table.bindMemory(to: Table.self, capacity: 1))
  }
}

package struct LibraryError: Error {
  /// The dynamic loader's message, without a period.
  package let reason: String

  fileprivate init() { reason = dlerror().map { String(cString: $0) } ?? "it has no such function" }
}
