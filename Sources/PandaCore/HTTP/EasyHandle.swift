internal import CCurl

/// Wraps a CURL easy handle in typed calls, each of which throws what libcurl answers.
///
/// Not Sendable: a handle belongs to the thread that made it.
struct EasyHandle: ~Copyable {
  /// The handle, which `deinit` frees.
  ///
  /// It must have left its multi handle by then.
  let pointer: UnsafeMutableRawPointer
  private let curl: CurlLibrary
  private let errorBuffer: UnsafeMutableBufferPointer<CChar>
  private var headers: UnsafeMutablePointer<curl_slist>?
  private let context: CurlContext

  /// Makes a handle (curl_easy_init).
  ///
  /// - Parameters:
  ///   - curl: the library whose handle it is.
  ///   - context: what the errors of the other calls say.
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
    // First: it may still write its last words into the buffer.
    curl.functions.easy_cleanup(pointer)
    errorBuffer.deallocate()
    curl.functions.slist_free_all(headers)
  }

  /// Lets libcurl say what goes wrong in `words`.
  func collectWords() throws(HTTPError) {
    try set(CURLOPT_ERRORBUFFER, errorBuffer.baseAddress)
  }

  /// libcurl's own words about what went wrong, more precise than the text of its code.
  var words: String { String(cString: errorBuffer.baseAddress!) }

  /// Sends a header line too, which must not have an end of line in it.
  mutating func add(header line: String) throws(HTTPError) {
    // A failed append leaves the list as it was.
    guard let longer = curl.functions.slist_append(headers, line) else {
      throw HTTPError(.system, host: context.host, detail: "curl_slist_append returned NULL")
    }
    headers = longer
    try set(CURLOPT_HTTPHEADER, longer)
  }

  func set(_ option: CURLoption, _ value: Int) throws(HTTPError) {
    try curl.check(panda_curl_set_long(curl.table, pointer, option, value), context)
  }

  /// libcurl copies the text.
  ///
  /// Text with a NUL would end there, so it is refused.
  func set(_ option: CURLoption, _ value: String) throws(HTTPError) {
    guard !value.utf8.contains(0) else {
      throw HTTPError(.system, host: context.host, detail: "an option of curl contains a NUL")
    }
    try curl.check(panda_curl_set_string(curl.table, pointer, option, value), context)
  }

  /// libcurl keeps the pointer, which must outlive the handle.
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

  /// Allows http and https only.
  func allowHTTP() throws(HTTPError) {
    try curl.check(panda_curl_allow_http(curl.table, pointer), context)
  }

  /// Lets the handle go without waiting for its name lookup, where libcurl can (7.87).
  func abandonLookups() throws(HTTPError) {
    try curl.check(panda_curl_abandon_lookups(curl.table, pointer), context)
  }

  /// A number that libcurl knows, or 0.
  ///
  /// The call fails only for an unknown name.
  func number(_ info: CURLINFO) -> Int {
    var value: curl_off_t = 0
    _ = panda_curl_get_offset(curl.table, pointer, info, &value)
    return Int(value)
  }

  /// A `long` that libcurl knows, or 0.
  ///
  /// The call fails only for an unknown name.
  func long(_ info: CURLINFO) -> Int {
    var value = 0
    _ = panda_curl_get_long(curl.table, pointer, info, &value)
    return value
  }
}
