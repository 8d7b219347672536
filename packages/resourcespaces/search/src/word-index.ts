/** Saturation of word frequency, and influence of a field's length on the weight of its words. */
const SATURATION = 1.6;
const LENGTH_SHARE = 0.75;

/** Words of a document by field. */
export type FieldWords<Field extends string> = Readonly<Record<Field, readonly string[]>>;

/**
 * Index of documents that consist of fields, ranked with BM25F: how often a word occurs is added up over the fields,
 * each with its own weight and compared with its usual length, before it saturates.
 */
export class WordIndex<Field extends string> {
  readonly #count: number;
  /**
   * By word: each document that contains it, followed by the frequency of the word there, weighted by the fields and
   * their lengths. Plain numbers, because an object for each would take most of the time of indexing.
   */
  readonly #postings = new Map<string, number[]>();

  constructor(documents: readonly FieldWords<Field>[], weights: Readonly<Record<Field, number>>) {
    this.#count = documents.length;
    const fields = (Object.entries(weights) as [Field, number][]).map(([field, weight]) => {
      const usual = average(documents.map((words) => words[field].length)) || 1;
      return { field, weight, usual };
    });
    for (const [document, words] of documents.entries()) {
      for (const { field, weight, usual } of fields) {
        const share = weight / (1 - LENGTH_SHARE + (LENGTH_SHARE * words[field].length) / usual);
        for (const word of words[field]) this.#add(word, document, share);
      }
    }
  }

  #add(word: string, document: number, share: number): void {
    const postings = this.#postings.get(word);
    if (postings === undefined) this.#postings.set(word, [document, share]);
    else if (postings[postings.length - 2] === document) postings[postings.length - 1]! += share;
    else postings.push(document, share);
  }

  /** Words of all documents. */
  words(): Iterable<string> {
    return this.#postings.keys();
  }

  /** Tests whether a document contains a word. */
  has(word: string): boolean {
    return this.#postings.has(word);
  }

  /** Returns how much a word tells documents apart: about 0 if it is in all of them. */
  measureRarity(word: string): number {
    const holders = (this.#postings.get(word)?.length ?? 0) / 2;
    return Math.log(1 + (this.#count - holders + 0.5) / (holders + 0.5));
  }

  /** Lists the documents that contain a word, and how much each has of it: from 0 to `SATURATION + 1`. */
  find(word: string): readonly { readonly document: number; readonly strength: number }[] {
    const postings = this.#postings.get(word) ?? [];
    return Array.from({ length: postings.length / 2 }, (_, index) => {
      const frequency = postings[2 * index + 1]!;
      return { document: postings[2 * index]!, strength: (frequency * (SATURATION + 1)) / (frequency + SATURATION) };
    });
  }
}

function average(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0) / Math.max(1, numbers.length);
}
