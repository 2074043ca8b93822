internal import CNcurses

/// Reads the terminal database, terminfo(5), before ncurses starts.
package enum TerminalDatabase {
  /// Returns a terminal's number of colors; nil if it is not in the database.
  ///
  /// A direct-color entry (`RGB`, user_caps(5)) has 2^24.
  package static func colors(of name: String, on descriptor: Int32) -> Int? {
    let count = panda_terminfo_colors(name, descriptor)
    return count == Int32.min ? nil : Int(count)
  }

  /// The version of ncurses for display, `ncurses 6.4.20221231`.
  package static var libraryVersion: String { String(cString: curses_version()) }
}
