import { dirname, join } from 'node:path';
import type { AgentOptions, Hook } from '@bae/core';
import { getPathKind, readTextFile } from './disk.ts';
import { writeSlashes } from './path-spelling.ts';

/** Instructions of a folder below the root. */
export interface NestedInstructions {
  /** The folder, as a path below the root. */
  readonly below: string;
  /** Text for a session that works there. */
  readonly message: string;
}

/** What is known of a call before it is made. */
interface StartedCall {
  readonly space: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/**
 * Creates the hook that appends the instructions of the folders that a session has reached to its next message, once.
 *
 * @param resume the session that is resumed: what is in its conversation is not told again
 */
export function tellNested(
  nested: readonly NestedInstructions[],
  { root, resume }: { readonly root: string; readonly resume?: AgentOptions['resume'] },
): Hook {
  const folders = nested.map((one) => ({ ...one, addresses: listAddresses(one.below, root) }));
  const sessions = new Map<string, { readonly left: Set<(typeof folders)[number]>; due: string[] }>();
  if (resume !== undefined) {
    const isTold = (message: string) => resume.messages.some(({ text }) => text.includes(message));
    sessions.set(resume.label, { left: new Set(folders.filter(({ message }) => !isTold(message))), due: [] });
  }
  return {
    name: 'instructions',
    onEvent: (event) => {
      if (event.type !== 'call-start') return;
      const session = sessions.get(event.label) ?? { left: new Set(folders), due: [] };
      sessions.set(event.label, session);
      for (const folder of session.left) {
        if (!reaches(event, folder)) continue;
        session.left.delete(folder);
        session.due.push(folder.message);
      }
    },
    beforeSend: (_message, label) => sessions.get(label)?.due.splice(0).join('\n\n'),
  };
}

/** Tests whether a call names something in a folder: by a path, or in the source space by an address. */
function reaches(
  { space, arguments: args }: StartedCall,
  { below, addresses }: { readonly below: string; readonly addresses: readonly string[] },
): boolean {
  const names = Object.entries(args)
    // A text that is written only speaks of folders.
    .flatMap(([key, value]) => (typeof value === 'string' && key !== 'body' ? [value, ...value.split(/[\s,]+/)] : []))
    // What is `path=pkg/src` in a tag is one word.
    .map((word) => writeSlashes(word.replace(/^[A-Za-z]\w*=/, '').replaceAll(/^["']|["']$/g, '')))
    .map((word) => word.replace(/^(?:\.\/)+/, '').replace(/\/+$/, ''));
  const isSource = /^source(?:\.|$)/.test(space);
  return names.some(
    (name) =>
      name === below ||
      name.startsWith(`${below}/`) ||
      (isSource && addresses.some((one) => name === one || name.startsWith(`${one}.`) || name.startsWith(`${one}#`))),
  );
}

/**
 * Lists the addresses of a folder in the source space: the package that it is in by its name without scope, then the
 * path below its sources.
 */
function listAddresses(below: string, root: string): readonly string[] {
  const parts = below.split('/');
  for (let count = parts.length; count >= 0; count--) {
    const folder = parts.slice(0, count).join('/');
    const name = readPackageName(join(root, folder, 'package.json'));
    if (name === undefined) continue;
    const rest = parts.slice(count);
    const inside = [rest, rest[0] === 'src' ? rest.slice(1) : rest];
    // The addresses of a project that is a single package begin at its folders.
    const start = count === 0 ? [] : [name];
    return [...new Set(inside.map((one) => [...start, ...one].join('.')))].filter((one) => one !== '');
  }
  return [parts.join('.')];
}

function readPackageName(path: string): string | undefined {
  if (getPathKind(path) !== 'file') return undefined;
  try {
    const { name } = JSON.parse(readTextFile(path)) as { readonly name?: unknown };
    return typeof name === 'string' ? name.replace(/^@[^/]*\//, '') : writeSlashes(dirname(path)).split('/').at(-1);
  } catch {
    return undefined;
  }
}
