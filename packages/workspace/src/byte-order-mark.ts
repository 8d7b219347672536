const MARK = Buffer.from('\ufeff');

/** A text's bytes without the mark that says that they are UTF-8. */
export function withoutMark(bytes: Uint8Array): Uint8Array {
  return MARK.equals(bytes.subarray(0, MARK.length)) ? bytes.subarray(MARK.length) : bytes;
}
