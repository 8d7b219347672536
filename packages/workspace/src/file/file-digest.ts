import { createHash } from 'node:crypto';

/** Everything about a file's content that is known without keeping it. */
export interface FileDigest {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  readonly size: number;
  /** Lines; a last line without a line break counts. */
  readonly lines: number;
  readonly binary: boolean;
}

const LINE_FEED = 10;
/** Bytes at the start of a file that decide whether it is binary. */
export const BINARY_PROBE = 8192;

export class DigestBuilder {
  readonly #hash = createHash('sha256');
  #size = 0;
  #breaks = 0;
  #last = LINE_FEED;
  #binary = false;

  add(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#hash.update(bytes);
    if (this.#size < BINARY_PROBE) this.#binary ||= bytes.subarray(0, BINARY_PROBE - this.#size).includes(0);
    this.#size += bytes.length;
    for (let index = 0; index < bytes.length; index++) if (bytes[index] === LINE_FEED) this.#breaks++;
    this.#last = bytes.at(-1) as number;
  }

  get breaks(): number {
    return this.#breaks;
  }

  finish(): FileDigest {
    const lines = this.#breaks + (this.#last === LINE_FEED ? 0 : 1);
    return { hash: this.#hash.digest('hex'), size: this.#size, lines, binary: this.#binary };
  }
}

export function computeFileDigest(bytes: Uint8Array): FileDigest {
  const builder = new DigestBuilder();
  builder.add(bytes);
  return builder.finish();
}

/** True when one of the first 8192 bytes is NUL. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_PROBE).includes(0);
}
