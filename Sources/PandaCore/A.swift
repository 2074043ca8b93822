internal import CCurl
internal import CTurboJPEG
internal import CPNG
internal import Pantry
public func w() -> Int { _ = curl_multi_init(); return v() }
