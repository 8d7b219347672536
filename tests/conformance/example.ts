/** One example of the protocol: a function's name, what it is given, and what must come back. */
export interface Example {
  readonly id: string;
  readonly fn: string;
  readonly input: unknown;
  readonly expected: unknown;
}

/**
 * Runs one kind of example against the real code.
 *
 * It answers in the shape of `expected`, so that comparing the two as JSON is the whole judgement;
 * where an example leaves something out, so does the answer.
 */
export type Adapter = (input: never, expected: never) => unknown;

/**
 * Reads examples out of the text of a file.
 *
 * @throws SyntaxError when it is not JSON; TypeError when it is not an array of examples
 */
export function readExamples(json: string): readonly Example[] {
  const parsed: unknown = JSON.parse(json);
  if (!Array.isArray(parsed)) throw new TypeError('expected an array of examples {id, fn, input, expected}');
  const broken = parsed.findIndex((entry) => !isExample(entry));
  if (broken >= 0) throw new TypeError(`entry ${broken} is no example: it needs id, fn, input and expected`);
  return parsed as readonly Example[];
}

function isExample(entry: unknown): entry is Example {
  if (typeof entry !== 'object' || entry === null) return false;
  const { id, fn } = entry as Partial<Example>;
  return typeof id === 'string' && typeof fn === 'string' && 'input' in entry && 'expected' in entry;
}
