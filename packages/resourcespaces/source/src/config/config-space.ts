import { isDeepStrictEqual } from 'node:util';
import {
  type Change,
  findNearestName,
  inject,
  ParameterError,
  ResourceError,
  resourcespace,
  type Resourcespace,
  tool,
  type ToolContext,
  type ToolOutput,
} from '@bae/core';
import { findPackageFolder } from '@bae/project';
import { WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import type { ConfigFormat } from './config-formats.ts';
import { inPackage } from '../params.ts';

const key = () => z.string().meta({ description: 'File and key', examples: ['package.scripts.test'] });
const value = () => z.string().describe('JSON, or plain text for a string');

const PARAMS = {
  read: () =>
    z.object({
      key: z
        .string()
        .default('')
        .meta({ description: 'File, and perhaps a key in it', examples: ['package.scripts'] }),
      package: inPackage(),
    }),
  change: () => z.object({ key: key(), value: value(), package: inPackage() }),
  remove: () => z.object({ key: key(), package: inPackage() }),
} as const;

type ChangeArgs = z.output<ReturnType<typeof PARAMS.change>>;
type ConfigVerb = 'write' | 'edit' | 'remove';

/** The settings of a project: package.json, tsconfig.json and others, by dotted key. */
@resourcespace({ name: 'config', description: 'Settings by key.' })
export class ConfigSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
  }

  async enter(): Promise<string> {
    const files = await listConfigFiles(this.#root, '');
    return files.length === 0 ? '(no settings files)' : files.map(({ name }) => name).join(', ');
  }

  @tool({
    description: 'Settings files with their keys, a whole file, or the value of a key.',
    params: PARAMS.read,
    seesDraft: true,
  })
  async read(
    { key, package: name }: z.output<ReturnType<typeof PARAMS.read>>,
    context: ToolContext,
  ): Promise<ToolOutput> {
    const files = await listConfigFiles(this.#root, await findPackageFolder(this.#root, name));
    if (key === '') {
      const rows = (await Promise.all(files.map((file) => this.#summarize(file)))).join('\n');
      return { text: rows || '(no settings files)', format: 'plain', whole: () => rows };
    }
    const target = findConfigTarget(files, key);
    context.files.add(target.file.path);
    if (target.key.length === 0) return { text: (await this.#root.readText(target.file.path)).text, format: 'code' };
    const { data, format } = await openConfig(this.#root, target.file);
    return { text: format.show(requireValue(target, data)), format: 'code' };
  }

  @tool({
    description: 'The key that was added. Adds a key with a value; never replaces one.',
    params: PARAMS.change,
    body: 'value',
    plan: true,
    seesDraft: true,
  })
  write(args: ChangeArgs) {
    return this.#plan('write', args);
  }

  @tool({
    description: 'The old and the new value. Replaces the value of a key; comments and layout stay.',
    params: PARAMS.change,
    body: 'value',
    plan: true,
    seesDraft: true,
  })
  edit(args: ChangeArgs) {
    return this.#plan('edit', args);
  }

  @tool({
    description: 'The value that was there. Removes a key.',
    params: PARAMS.remove,
    effect: 'write',
    plan: true,
    seesDraft: true,
  })
  remove(args: z.output<ReturnType<typeof PARAMS.remove>>) {
    return this.#plan('remove', args);
  }

  async #plan(verb: ConfigVerb, args: Omit<ChangeArgs, 'value'> & Partial<ChangeArgs>): Promise<Change> {
    const files = await listConfigFiles(this.#root, await findPackageFolder(this.#root, args.package));
    const target = findConfigTarget(files, args.key);
    const { file, format, data } = await openConfig(this.#root, target.file);
    const { key: path } = target;
    const value = args.value === undefined ? undefined : parseValue(args.value);
    const old = findOldValue(verb, target, data);
    const after = format.apply(file.text, { path, value });
    // Later elements of a list move up after a removal; everything else has to be as requested.
    if (verb !== 'remove' && !isDeepStrictEqual(getValue(format.parse(after), path), value)) {
      const fact = `${formatTarget(target)} cannot be set without touching other lines.`;
      throw new ResourceError(`${fact} Change the file itself.`, ['@home()']);
    }
    const draft = { expected: file.hash, action: `${verb} of a setting` };
    const change = await this.#root.open(target.file.path).planWrite(after, draft);
    return change.map(() => {
      if (verb === 'remove') return `Removed ${args.key} (was ${abbreviate(old)})`;
      return `Set ${args.key}: ${old === undefined ? '' : `${abbreviate(old)} -> `}${abbreviate(value)}`;
    });
  }

  async #summarize(file: ConfigFile): Promise<string> {
    if (file.format === undefined) return `${file.name} (code, read only)`;
    try {
      const { data } = await openConfig(this.#root, file);
      return `${file.name}: ${Object.keys(data ?? {}).join(', ')}`;
    } catch (error) {
      return `${file.name}: ${(error as Error).message}`;
    }
  }
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.trim();
  }
}

interface ConfigFile {
  /** Name without the last extension: `package`, `tsconfig.build`, `vitest.config`. */
  readonly name: string;
  readonly path: string;
  /** Undefined for code, which is read-only. */
  readonly format: ConfigFormat | undefined;
}

interface ConfigTarget {
  readonly file: ConfigFile;
  /** Key path; empty for the whole file. */
  readonly key: readonly string[];
}

const JSON_FILE = /^(?:package|(?:ts|js)config(?:\..+)?)\.json$/;
const YAML_FILE = /^pnpm-workspace\.ya?ml$/;
const CODE_FILE = /\.config\.[cm]?[jt]s$/;
const LONGEST_VALUE = 100;
const MOST_KEYS = 20;

/** Lists the settings files in a folder below the root, sorted by name. */
async function listConfigFiles(root: WorkspaceRoot, folder: string): Promise<readonly ConfigFile[]> {
  const names = await root.list(folder === '' ? '.' : folder);
  // Loaded on first use, so that entering the space is fast.
  const { JSON_FORMAT, YAML_FORMAT } = await import('./config-formats.ts');
  return names.flatMap((name) => {
    const format = JSON_FILE.test(name) ? JSON_FORMAT : YAML_FILE.test(name) ? YAML_FORMAT : undefined;
    if (format === undefined && !CODE_FILE.test(name)) return [];
    return [{ name: name.replace(/\.[^.]+$/, ''), path: folder === '' ? name : `${folder}/${name}`, format }];
  });
}

/** Finds the file and the key for `package.scripts.test`; if several file names match, the longest one is used. */
function findConfigTarget(files: readonly ConfigFile[], target: string): ConfigTarget {
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

async function openConfig(root: WorkspaceRoot, { name, path, format }: ConfigFile) {
  if (format === undefined)
    throw new ResourceError(`${name} is code, not data: it has no keys and is changed by hand.`, [`<R:${name}>`]);
  const file = await root.readText(path);
  try {
    const data: unknown = format.parse(file.text);
    return { file, format, data };
  } catch (error) {
    const fact = `${name} cannot be read: ${(error as Error).message}.`;
    throw new ResourceError(`${fact} Fix it as a file first.`, ['@home()'], error);
  }
}

/**
 * Returns the value at a key; throws a ResourceError unless it exists, or does not exist yet, as the change requires.
 */
function findOldValue(verb: ConfigVerb, target: ConfigTarget, data: unknown): unknown {
  const { name } = target.file;
  if (target.key.length === 0) throw new ResourceError(`${name} is a whole file; name a key in it.`, [`<R:${name}>`]);
  if (verb !== 'write') return requireValue(target, data);
  const old = getValue(data, target.key);
  if (old === undefined) return refusePlace(target, data);
  const address = formatTarget(target);
  const fact = `${address} exists: ${abbreviate(old)}.`;
  throw new ResourceError(`${fact} Use edit to replace it.`, [`<E:${address}>value</E>`]);
}

function abbreviate(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

function formatTarget({ file, key }: ConfigTarget): string {
  return key.length === 0 ? file.name : `${file.name}.${formatKeyPath(key)}`;
}

function requireValue({ file, key }: ConfigTarget, data: unknown): unknown {
  const found = getValue(data, key);
  if (found !== undefined) return found;
  const { path, value } = findParentNode(data, key);
  const place = formatTarget({ file, key: path });
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  const known = keys.length === 0 ? 'It has no keys.' : `It has: ${keys.slice(0, MOST_KEYS).join(', ')}.`;
  throw new ResourceError(`no key '${key[path.length] ?? ''}' in ${place}. ${known}`, [`<R:${place}>`]);
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

function getValue(data: unknown, path: readonly string[]): unknown {
  let value = data;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[part];
  }
  return value;
}

/**
 * Splits a dotted key into parts: `scripts.test`, `exports."./pipeline".types`. A number is an index of a list, from 0.
 *
 * @throws ParameterError when a part is empty or a quote is not closed
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
  const fact = `'${key.slice(0, 80)}' is not a key: its parts are separated by single dots.`;
  throw new ParameterError(`${fact} Put a part that contains dots in quotes.`, [
    '<R:package.scripts.test>',
    '<R:package.exports."./index">',
  ]);
}

/** Formats a key, with quotes if they are needed. */
export function formatKeyPath(parts: readonly string[]): string {
  return parts
    .map((part) => (/^[^."]+$/.test(part) ? part : `"${part.replaceAll(/["\\]/g, String.raw`\$&`)}"`))
    .join('.');
}
