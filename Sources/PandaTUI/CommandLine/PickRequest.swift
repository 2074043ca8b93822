struct PickRequest: Hashable, Sendable {
  /// The form in which a chosen picture is printed.
  enum Form: Hashable, Sendable {
    case path, id
  }

  /// A directory and a filter, or a filter alone, as typed.
  var words: [String]
  var takesOne = false
  var form = Form.path
  var isNullTerminated = false

  init(_ words: [String], _ values: LibraryRequest.Values) {
    self.words = words
    takesOne = values[.one] != nil
    form = values[.ids] != nil ? .id : .path
    isNullTerminated = values[.null] != nil
  }
}
