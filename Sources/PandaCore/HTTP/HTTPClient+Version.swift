internal import CCurl

extension HTTPClient {
  /// The version of libcurl that the program runs with, such as 7.88.1.
  public static var libraryVersion: String {
    // CURLVERSION_NOW is a macro that Swift does not import; the first layout has the version.
    String(cString: curl_version_info(CURLVERSION_FIRST).pointee.version)
  }
}
