/** One example of the protocol: a function's name, what it is given, and what must come back. */
export interface Vector {
  readonly id: string;
  readonly fn: string;
  readonly input: unknown;
  readonly expected: unknown;
}

/**
 * Runs one kind of vector against the real code.
 *
 * It answers in the shape of `expected`, so that comparing the two as JSON is the whole judgement;
 * where a vector leaves something out, so does the answer.
 */
export type Adapter = (input: never, expected: never) => unknown;

/**
 * Reads vectors out of the text of a file.
 *
 * @throws SyntaxError when it is not JSON; TypeError when it is not an array of vectors
 */
export function readVectors(json: string): readonly Vector[] {
  const parsed: unknown = JSON.parse(json);
  if (!Array.isArray(parsed)) throw new TypeError('expected an array of vectors {id, fn, input, expected}');
  const broken = parsed.findIndex((entry) => !isVector(entry));
  if (broken >= 0) throw new TypeError(`entry ${broken} is no vector: it needs id, fn, input and expected`);
  return parsed as readonly Vector[];
}

function isVector(entry: unknown): entry is Vector {
  if (typeof entry !== 'object' || entry === null) return false;
  const { id, fn } = entry as Partial<Vector>;
  return typeof id === 'string' && typeof fn === 'string' && 'input' in entry && 'expected' in entry;
}
