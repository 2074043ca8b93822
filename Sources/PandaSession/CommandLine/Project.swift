/// The makers of Panda and their addresses: the one place to change before a release.
///
/// `Scripts/project` reads these for the packages, which refuse placeholders below `.example`.
package enum Project {
  /// The address where operators of servers can reach the project.
  ///
  /// Services such as Wikimedia's refuse clients without contact information.
  package static let contact = "https://panda.example/"
  /// The repository, without `.git`, where releases, issues and screenshots are.
  static let repository = "https://panda.example/panda"
  static let maintainer = "The Panda authors"
  static let mail = "maintainers@users.noreply.a-seed-6494f625.example"
  /// The identifier of the program in AppStream.
  static let appID = "org.panda_terminal.Panda"
}
