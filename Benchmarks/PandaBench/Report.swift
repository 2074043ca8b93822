internal import Foundation

/// Prints measurements: a table for humans, or one JSON object per line for programs.
struct Report {
  let printsJSON: Bool

  /// Prints a line for humans only.
  func note(_ text: String) {
    if !printsJSON { print(text) }
  }

  /// Prints the column names of the following rows.
  func header(_ columns: [String]) {
    if !printsJSON { print(row("", columns)) }
  }

  /// Prints one row: a name, then figures in the order of the header.
  ///
  /// - Parameters:
  ///   - benchmark: the subcommand it belongs to.
  ///   - figures: each with its name and the number of decimals in the table.
  func row(
    _ name: String, of benchmark: String,
    _ figures: [(name: String, value: Double, decimals: Int)]
  ) {
    // Flush, so that each line is visible at once.
    defer { fflush(nil) }
    guard printsJSON else {
      print(row(name, figures.map { String(format: "%.\($0.decimals)f", $0.value) }))
      return
    }
    let values = figures.map { #""\#($0.name)":\#(String(format: "%.4f", $0.value))"# }
    let head = [#""benchmark":"\#(benchmark)""#, #""operation":"\#(name)""#]
    print("{" + (head + values).joined(separator: ",") + "}")
  }

  private func row(_ name: String, _ figures: [String]) -> String {
    let columns = figures.map { String(repeating: " ", count: max(1, 12 - $0.count)) + $0 }
    let padding = String(repeating: " ", count: max(1, 44 - name.count))
    return name + padding + columns.joined()
  }
}
