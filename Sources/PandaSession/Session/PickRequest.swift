/// What `panda pick` chooses from, and prints.
package struct PickRequest: Sendable {
  /// A directory and a filter, files, or a filter alone, as typed.
  package var words: [String]
  package let takesOne: Bool
  /// Whether IDs are printed in place of paths.
  package let printsIDs: Bool
  package let isNullTerminated: Bool

  package init(
    words: [String], takesOne: Bool = false, printsIDs: Bool = false, isNullTerminated: Bool = false
  ) {
    self.words = words
    self.takesOne = takesOne
    self.printsIDs = printsIDs
    self.isNullTerminated = isNullTerminated
  }
}
