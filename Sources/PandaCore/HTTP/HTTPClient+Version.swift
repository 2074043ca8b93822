extension HTTPClient {
  /// The version of the libcurl in use, such as 7.88.1, or the reason why there is none.
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
