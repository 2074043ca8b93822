extension HTTPClient {
  /// The version of libcurl that the program runs with, such as 7.88.1, or why there is none.
  ///
  /// Loads libcurl.
  package static var libraryVersion: String {
    do throws(HTTPError) {
      return try CurlLibrary.shared().version
    } catch {
      return error.message
    }
  }
}
