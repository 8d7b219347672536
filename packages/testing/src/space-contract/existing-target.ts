import { firstParam } from './example-arguments.ts';
import type { OpenSpace } from './open-space.ts';
import { writeChange } from './write-change.ts';

/** Most things that are tried before the author is asked. */
const MOST_TRIES = 8;

const found = new WeakMap<OpenSpace, Promise<string | number | undefined>>();

/** Something that `read` finds: the sample, the example of its parameter, a word of a listing, or a text written for it. */
export function existingTarget(open: OpenSpace): Promise<string | number | undefined> {
  const known = found.get(open) ?? find(open);
  found.set(open, known);
  return known;
}

async function find(open: OpenSpace): Promise<string | number | undefined> {
  const { samples, definition } = open;
  const { read } = definition.tools;
  const first = read && firstParam(read);
  if (samples.existing !== undefined || first === undefined) return samples.existing;
  const example = first.example as string | number | undefined;
  const candidates = [...(example === undefined ? [] : [example]), ...(await listedWords(open))];
  for (const candidate of candidates.slice(0, MOST_TRIES)) {
    const { result } = await open.read(candidate);
    if (isAnswer(result)) return candidate;
  }
  return writtenTarget(open);
}

/** What was written just to be read. */
async function writtenTarget(open: OpenSpace): Promise<string | number | undefined> {
  const change = open.samples.write === undefined ? writeChange(open) : undefined;
  if (change === undefined || !(await open.call({ tool: 'write', args: change.args })).result.ok) return undefined;
  return (await open.read(change.readAs)).result.ok ? change.readAs : undefined;
}

/** The words that lines of a listing begin with: most often something that can be read. */
async function listedWords(open: OpenSpace): Promise<readonly string[]> {
  const { read, glob } = open.definition.tools;
  const listings = [
    ...(glob === undefined ? [] : [{ tool: 'glob', args: { [firstParam(glob)?.name ?? '']: '**/*' } }]),
    ...(read !== undefined && 'default' in (firstParam(read) ?? {}) ? [{ tool: 'read', args: {} }] : []),
  ];
  const words: string[] = [];
  for (const listing of listings) {
    const { result } = await open.call(listing);
    if (!isAnswer(result)) continue;
    const lines = result.text.split('\n').slice(0, MOST_TRIES);
    words.push(...lines.flatMap((line) => /[\p{L}\p{N}][\p{L}\p{N}./_-]*/u.exec(line)?.[0] ?? []));
  }
  return [...new Set(words)];
}

function isAnswer({ ok, text }: { readonly ok: boolean; readonly text: string }): boolean {
  return ok && text.trim() !== '' && text !== '(no output)';
}
