internal import CCurl

/// Wraps a CURL easy handle in typed calls that throw libcurl's errors.
///
/// Not Sendable: a handle belongs to the thread that created it.
struct EasyHandle: ~Copyable {
  /// The handle, which `deinit` frees.
  ///
  /// It must have been removed from its multi handle by then.
  let pointer: UnsafeMutableRawPointer
  private let curl: CurlLibrary
  private let errorBuffer: UnsafeMutableBufferPointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let context: CurlContext

  /// Creates a handle (curl_easy_init).
  ///
  /// - Parameters:
  ///   - curl: the library that the handle belongs to.
  ///   - context: the context for errors of the other calls.
  init(_ curl: CurlLibrary, _ context: CurlContext) throws(HTTPError) {
    guard let pointer = curl.functions.easy_init() else {
      throw HTTPError(.system, host: context.host, detail: "curl_easy_init returned NULL")
    }
    self.pointer = pointer
    self.curl = curl
    self.context = context
    errorBuffer = .allocate(capacity: panda_curl_error_size)
    errorBuffer.initialize(repeating: 0)
  }

  deinit {
    // First, because it may still write to the error buffer.
    curl.functions.easy_cleanup(pointer)
    errorBuffer.deallocate()
    curl.functions.slist_free_all(headers)
  }

  /// Makes libcurl report errors in `errorMessage`.
  func collectErrors() throws(HTTPError) {
    try set(CURLOPT_ERRORBUFFER, errorBuffer.baseAddress)
  }

  /// libcurl's description of the last error, more precise than the text of its code.
  var errorMessage: String { String(cString: errorBuffer.baseAddress!) }

  /// Adds a header line to the request; it must not contain a line end.
  mutating func add(header line: String) throws(HTTPError) {
    // A failed append leaves the list unchanged.
    guard let longer = curl.functions.slist_append(headers, line) else {
      throw HTTPError(.system, host: context.host, detail: "curl_slist_append returned NULL")
    }
    headers = longer
    try set(CURLOPT_HTTPHEADER, longer)
  }

  func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try curl.check(panda_curl_set_long(curl.table, pointer, option, value), context)
  }

  /// Sets an option to a text, which libcurl copies.
  ///
  /// Text with a NUL would be cut there, so it is refused.
  func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
    guard !value.utf8.contains(0) else {
      throw HTTPError(.system, host: context.host, detail: "an option of curl contains a NUL")
    }
    try curl.check(panda_curl_set_string(curl.table, pointer, option, value), context)
  }

  /// Sets an option to a pointer, which libcurl keeps: it must outlive the handle.
  func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) throws(HTTPError) {
    try curl.check(panda_curl_set_pointer(curl.table, pointer, option, value), context)
  }

  func set(_ option: CURLoption, _ value: curl_write_callback) throws(HTTPError) {
    try curl.check(panda_curl_set_receiver(curl.table, pointer, option, value), context)
  }

  func setOpenSocket(_ value: curl_opensocket_callback) throws(HTTPError) {
    try curl.check(panda_curl_set_opensocket(curl.table, pointer, value), context)
  }

  func setBeforeRequest(_ value: curl_prereq_callback) throws(HTTPError) {
    try curl.check(panda_curl_set_prereq(curl.table, pointer, value), context)
  }

  /// Restricts the handle to http and https.
  func allowHTTP() throws(HTTPError) {
    try curl.check(panda_curl_allow_http(curl.table, pointer), context)
  }

  /// Lets the handle be freed without waiting for its name lookup, if libcurl can (7.87).
  func abandonLookups() throws(HTTPError) {
    try curl.check(panda_curl_abandon_lookups(curl.table, pointer), context)
  }

  /// Returns a `curl_off_t` fact about the transfer, or 0.
  ///
  /// The call fails only for an unknown name.
  func number(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    _ = panda_curl_get_offset(curl.table, pointer, info, &value)
    return Int(value)
  }

  /// Returns a `long` fact about the transfer, or 0.
  ///
  /// The call fails only for an unknown name.
  func long(_ info: CURLINFO) -> Int {
    var value = 0
    _ = panda_curl_get_long(curl.table, pointer, info, &value)
    return value
  }
}
