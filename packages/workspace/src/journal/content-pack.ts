import { closeSync, readSync, writeSync } from 'node:fs';

/** Closes the files of packs that are no longer referenced. */
const abandoned = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));

/** Size of the parts in which a content is read, in bytes. */
const CHUNK = 256 * 1024;

export interface PackedContent {
  readonly pack: ContentPack;
  readonly offset: number;
  readonly size: number;
}

/**
 * Contents of many files one after the other in one file: creating and removing a copy of each takes ten times as long.
 * The file is closed, and its room on the disk free, once nothing refers to the pack or its contents.
 */
export class ContentPack {
  readonly #descriptor: number;
  #size = 0;

  /** @param descriptor an empty file, open for reading and writing, which belongs to the pack from then on */
  constructor(descriptor: number) {
    this.#descriptor = descriptor;
    abandoned.register(this, descriptor);
  }

  /** Total size of the contents, in bytes. */
  get size(): number {
    return this.#size;
  }

  /** Adds a content; one at a time. If it fails, nothing was added. */
  async add(chunks: AsyncIterable<Uint8Array>): Promise<PackedContent> {
    const offset = this.#size;
    let end = offset;
    for await (const chunk of chunks) {
      for (let done = 0; done < chunk.length;)
        done += writeSync(this.#descriptor, chunk, done, chunk.length - done, end + done);
      end += chunk.length;
    }
    this.#size = end;
    return { pack: this, offset, size: end - offset };
  }

  /** Reads a content of this pack, in chunks. */
  *read({ offset, size }: PackedContent): Generator<Uint8Array> {
    for (let done = 0; done < size;) {
      const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size - done));
      const count = readSync(this.#descriptor, chunk, 0, chunk.length, offset + done);
      if (count === 0) throw new Error('the kept content ends early');
      yield chunk.subarray(0, count);
      done += count;
    }
  }
}
