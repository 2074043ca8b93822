internal import Glibc

/// The words for an errno value.
func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }
