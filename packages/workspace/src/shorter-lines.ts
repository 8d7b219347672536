const LINE_FEED = 10;
/** Bytes of a line that are kept. */
const LONGEST = 1024 * 1024;

/** Cuts lines that are so long that a search would have to keep too much in memory; takes pieces of a text. */
export class ShorterLines {
  /** Bytes since the last line break. */
  #length = 0;

  /** @param bytes at most as many as a line may have */
  take(bytes: Uint8Array): readonly Uint8Array[] {
    const first = bytes.indexOf(LINE_FEED);
    const end = first === -1 ? bytes.length : first;
    const kept = Math.min(end, LONGEST - this.#length);
    this.#length = first === -1 ? this.#length + kept : bytes.length - 1 - bytes.lastIndexOf(LINE_FEED);
    return kept === end ? [bytes] : [bytes.subarray(0, kept), bytes.subarray(end)];
  }
}
