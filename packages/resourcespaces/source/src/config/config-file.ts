import { isDeepStrictEqual } from 'node:util';
import { findNearestName, ParameterError, ResourceError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import type { ConfigFormat } from './config-formats.ts';

/** A settings file of a package. */
export interface ConfigFile {
  /** Without its last ending: `package`, `tsconfig.build`, `vitest.config`. */
  readonly name: string;
  readonly path: string;
  /** Undefined for code, which can only be read. */
  readonly format: ConfigFormat | undefined;
}

interface ConfigTarget {
  readonly file: ConfigFile;
  /** Empty for the whole file. */
  readonly key: readonly string[];
}

const JSON_FILE = /^(?:package|(?:ts|js)config(?:\..+)?)\.json$/;
const YAML_FILE = /^pnpm-workspace\.ya?ml$/;
const CODE_FILE = /\.config\.[cm]?[jt]s$/;
/** Characters of a value, and keys, that are shown. */
const LONGEST_VALUE = 100;
const MOST_KEYS = 20;

/** The settings files in a folder below the root, sorted by name. */
export async function listConfigFiles(root: WorkspaceRoot, folder: string): Promise<readonly ConfigFile[]> {
  const names = await root.list(folder === '' ? '.' : folder);
  // Loaded when they are first needed, so that entering the space is fast.
  const { JSON_FORMAT, YAML_FORMAT } = await import('./config-formats.ts');
  return names.flatMap((name) => {
    const format = JSON_FILE.test(name) ? JSON_FORMAT : YAML_FILE.test(name) ? YAML_FORMAT : undefined;
    if (format === undefined && !CODE_FILE.test(name)) return [];
    return [{ name: name.replace(/\.[^.]+$/, ''), path: folder === '' ? name : `${folder}/${name}`, format }];
  });
}

/** Finds the file and the key for `package.scripts.test`; if several files have such a name, the longest name wins. */
export function findConfigTarget(files: readonly ConfigFile[], target: string): ConfigTarget {
  const file = files
    .filter(({ name }) => target === name || target.startsWith(`${name}.`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  if (file !== undefined) return { file, key: parseKeyPath(target.slice(file.name.length + 1)) };
  const names = files.map(({ name }) => name);
  const [wanted = ''] = target.split('.');
  const nearest = findNearestName(target, names) ?? findNearestName(wanted, names);
  const fact = `no settings file '${wanted}'. There is: ${names.join(', ') || 'none'}.`;
  throw new ResourceError(fact, [nearest === undefined ? '<R:>' : `<R:${nearest}>`]);
}

/** Reads and parses a settings file. */
export async function openConfig(root: WorkspaceRoot, { name, path, format }: ConfigFile) {
  if (format === undefined)
    throw new ResourceError(`${name} is code, not data: it has no keys and is changed by hand.`, [`<R:${name}>`]);
  const file = await root.readText(path);
  try {
    const data: unknown = format.parse(file.text);
    return { file, format, data };
  } catch (error) {
    const fact = `${name} cannot be read: ${(error as Error).message}.`;
    throw new ResourceError(`${fact} Mend it as a file first.`, ['@home()'], error);
  }
}

/** The value at a key as it stands in the file. */
export async function readConfig(root: WorkspaceRoot, target: ConfigTarget): Promise<string> {
  const { data, format } = await openConfig(root, target.file);
  const value = getValue(data, target.key);
  if (value === undefined) throw createMissingKeyError(target, data);
  return format.show(value);
}

/** A change of a key. */
export interface ConfigChange {
  readonly verb: 'write' | 'edit' | 'remove';
  readonly target: ConfigTarget;
  readonly value?: unknown;
}

/** Plans to change a key of a settings file; with the change comes the value that was there, if there was one. */
export async function planConfig(root: WorkspaceRoot, { verb, target, value }: ConfigChange) {
  const { file, format, data } = await openConfig(root, target.file);
  const { key } = target;
  const { name } = target.file;
  if (key.length === 0) throw new ResourceError(`${name} is a whole file; name a key in it.`, [`<R:${name}>`]);
  const address = formatTarget(target);
  const old = getValue(data, key);
  if (verb === 'write') {
    if (old !== undefined) {
      const fact = `${address} exists: ${abbreviate(old)}.`;
      throw new ResourceError(`${fact} Use edit to replace it.`, [`<E:${address}>value</E>`]);
    }
    refusePlace(target, data);
  } else if (old === undefined) throw createMissingKeyError(target, data);
  const after = format.apply(file.text, verb === 'remove' ? { path: key } : { path: key, value });
  // Elements behind a removed one of a list move up; everything else has to be as requested.
  if (verb !== 'remove' && !isDeepStrictEqual(getValue(format.parse(after), key), value)) {
    throw new ResourceError(`${address} cannot be set without touching other lines. Change the file itself.`, [
      '@home()',
    ]);
  }
  const draft = { expected: file.hash, action: `${verb} of a setting` };
  const change = await root.open(target.file.path).planWrite(after, draft);
  return { change, old };
}

/** The beginning of a value, as JSON. */
export function abbreviate(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function formatTarget({ file, key }: ConfigTarget): string {
  return key.length === 0 ? file.name : `${file.name}.${formatKeyPath(key)}`;
}

function createMissingKeyError({ file, key }: ConfigTarget, data: unknown): ResourceError {
  const { path, value } = findParentNode(data, key);
  const place = formatTarget({ file, key: path });
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const known = keys.length === 0 ? 'It has no keys.' : `It has: ${keys.slice(0, MOST_KEYS).join(', ')}.`;
  return new ResourceError(`no key '${key[path.length] ?? ''}' in ${place}. ${known}`, [`<R:${place}>`]);
}

function refusePlace({ file, key }: ConfigTarget, data: unknown): void {
  const { path, value } = findParentNode(data, key);
  const place = formatTarget({ file, key: path });
  if (Array.isArray(value)) {
    const next = String(value.length);
    if (key[path.length] === next) return;
    throw new ResourceError(`${place} is a list of ${next}; the next place is ${place}.${next}.`, [`<R:${place}>`]);
  }
  if (typeof value !== 'object' || value === null)
    throw new ResourceError(`${place} is a single value; nothing can be put into it.`, [`<R:${place}>`]);
}

function findParentNode(data: unknown, key: readonly string[]) {
  let path = key.slice(0, -1);
  while (path.length > 0 && getValue(data, path) === undefined) path = path.slice(0, -1);
  return { path, value: getValue(data, path) };
}

/** The value at a key; undefined when there is none. */
function getValue(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

/**
 * The parts of a dotted key: `scripts.test`, `exports."./pipeline".types`. A number is the place in a list, from 0.
 *
 * @throws ParameterError when a part is empty or a quote is open
 */
export function parseKeyPath(key: string): readonly string[] {
  if (key === '') return [];
  const parts: string[] = [];
  const pattern = /(?:"((?:[^"\\]|\\.)*)"|([^."]+))(\.|$)/gy;
  let isComplete = false;
  for (const [, quoted, plain, end] of key.matchAll(pattern)) {
    parts.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(.)/g, '$1'));
    isComplete = end === '';
  }
  if (isComplete) return parts;
  const fact = `'${key.slice(0, 80)}' is no key: its parts are separated by single dots.`;
  throw new ParameterError(`${fact} A part that has dots itself stands in quotes.`, [
    '<R:package.scripts.test>',
    '<R:package.exports."./index">',
  ]);
}

/** A key as it is written, with quotes where they are needed. */
export function formatKeyPath(parts: readonly string[]): string {
  return parts
    .map((part) => (/^[^."]+$/.test(part) ? part : `"${part.replaceAll(/["\\]/g, String.raw`\$&`)}"`))
    .join('.');
}
