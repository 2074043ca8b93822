internal import Glibc

/// What the tests were built with.
public enum Sanitizer {
  /// Whether a sanitizer of LLVM watches, whose shadow memory counts as the program's.
  public static let isOn = dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
}
