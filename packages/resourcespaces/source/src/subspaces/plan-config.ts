import { isDeepStrictEqual } from 'node:util';
import { ResourceError } from '@bae/core';
import type { TextFile, WorkspaceRoot } from '@bae/workspace';
import { valueAt, type ConfigFormat } from './config-edit.ts';
import type { ConfigTarget } from './config-file.ts';
import { showKeyPath } from './key-path.ts';

/** What is wanted of a key. */
export interface ConfigOrder {
  readonly verb: 'write' | 'edit' | 'remove';
  readonly target: ConfigTarget;
  readonly value?: unknown;
}

/** A change that is ready to be made, or to be shown. */
export interface PlannedConfig {
  readonly before: TextFile;
  readonly after: string;
  /** The value that was there; undefined when there was none. */
  readonly old: unknown;
}

/** A settings file that can be changed, with what it says. */
export interface OpenConfig {
  readonly file: TextFile;
  readonly format: ConfigFormat;
  readonly data: unknown;
}

/**
 * Reads a settings file.
 *
 * @throws ResourceError when it makes no sense, or is code
 */
export async function openConfig(root: WorkspaceRoot, { file }: ConfigTarget): Promise<OpenConfig> {
  const { name, path, format } = file;
  if (format === undefined) {
    throw new ResourceError(`${name} is code, not data: it has no keys and is changed by hand.`, [`<R:${name}>`]);
  }
  const text = await root.readText(path);
  try {
    return { file: text, format, data: format.parse(text.text) };
  } catch (error) {
    const fact = `${name} cannot be read: ${(error as Error).message}.`;
    throw new ResourceError(`${fact} Mend it as a file first.`, ['@home()'], error);
  }
}

/**
 * Works out what an order makes of a settings file, and changes nothing.
 *
 * @throws ResourceError when the key is there and should not be, or the other way round
 */
export async function planConfig(root: WorkspaceRoot, order: ConfigOrder): Promise<PlannedConfig> {
  const { target, verb, value } = order;
  const { file, format, data } = await openConfig(root, target);
  const { key } = target;
  const shown = `${target.file.name}.${showKeyPath(key)}`;
  if (key.length === 0)
    throw new ResourceError(`${target.file.name} is a whole file; name a key in it.`, [`<R:${target.file.name}>`]);
  const old = valueAt(data, key);
  if (verb === 'write' && old !== undefined) throw exists(shown, old);
  if (verb !== 'write' && old === undefined) throw missing(target, data);
  if (verb === 'write') refusePlace(target, data);
  const after = format.apply(file.text, verb === 'remove' ? { path: key } : { path: key, value });
  const now = valueAt(format.parse(after), key);
  // Elements behind a removed one of a list move up; everything else has to be as asked for.
  if (verb !== 'remove' && !isDeepStrictEqual(now, value)) {
    throw new ResourceError(`${shown} cannot be set without touching other lines. Change the file itself.`, [
      '@home()',
    ]);
  }
  return { before: file, after, old };
}

function exists(shown: string, old: unknown): ResourceError {
  return new ResourceError(`${shown} exists: ${JSON.stringify(old).slice(0, 100)}. Use edit to replace it.`, [
    `<E:${shown}>value</E>`,
  ]);
}

function missing({ file, key }: ConfigTarget, data: unknown): ResourceError {
  const depth = key.findIndex((_, index) => valueAt(data, key.slice(0, index + 1)) === undefined);
  const parent = key.slice(0, depth);
  const place = [file.name, ...(parent.length > 0 ? [showKeyPath(parent)] : [])].join('.');
  const value = valueAt(data, parent);
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const known = keys.length === 0 ? 'It has no keys.' : `It has: ${keys.slice(0, 20).join(', ')}.`;
  return new ResourceError(`no key '${key[depth] ?? ''}' in ${place}. ${known}`, [`<R:${place}>`]);
}

/** A key can be put into an object, or at the end of a list. */
function refusePlace({ file, key }: ConfigTarget, data: unknown): void {
  for (let length = key.length - 1; length >= 0; length--) {
    const parent = valueAt(data, key.slice(0, length));
    if (parent === undefined) continue;
    const fits = Array.isArray(parent) ? key[length] === String(parent.length) : typeof parent === 'object';
    if (fits && parent !== null) return;
    const place = [file.name, ...(length > 0 ? [showKeyPath(key.slice(0, length))] : [])].join('.');
    const fact = Array.isArray(parent)
      ? `${place} is a list of ${parent.length}; the next place is ${place}.${parent.length}.`
      : `${place} is a single value; nothing can be put into it.`;
    throw new ResourceError(fact, [`<R:${place}>`]);
  }
}
