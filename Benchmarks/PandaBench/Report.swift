internal import Foundation

/// Prints what was measured: a table for people, or one JSON object a line for programs.
struct Report {
  let printsJSON: Bool

  /// A line that only people need.
  func note(_ text: String) {
    if !printsJSON { print(text) }
  }

  /// Names the columns of the rows that follow.
  func header(_ columns: [String]) {
    if !printsJSON { print(row("", columns)) }
  }

  /// One row: a name, then figures in the order of the header.
  ///
  /// - Parameters:
  ///   - benchmark: which subcommand it belongs to.
  ///   - figures: each with its name and how many decimals the table shows.
  func row(
    _ name: String, of benchmark: String,
    _ figures: [(name: String, value: Double, decimals: Int)]
  ) {
    // Whoever reads along gets each line at once.
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
