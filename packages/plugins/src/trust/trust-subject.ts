import systemPath, { basename, dirname, join, type PlatformPath, resolve } from 'node:path';
import { createHash, type Hash } from 'node:crypto';
import { findRealPath, scanFolder, readBytes } from '../disk.ts';
import type { HookManifest, SpaceManifest, ToolManifest } from '../manifest/plugin-manifest.ts';
import type { Plugin } from '../package/read-plugin.ts';

/** Subject of a trust decision. None of its code runs until a person trusts it. */
export interface TrustSubject {
  readonly kind: 'configuration' | 'plugin' | 'server' | 'instructions';
  /** Name such as `bae.config.ts` or `bae-resourcespace-tickets`. */
  readonly name: string;
  /** Absolute path of the file or folder, without links. */
  readonly path: string;
  /** SHA-256 of everything that belongs to it. */
  readonly digest: string;
  /** Facts for the person who decides, line by line. */
  readonly about: readonly string[];
  /** SHA-256 of files and folders that it requested in its last run, by path; trusting it includes them. */
  readonly wanted?: Readonly<Record<string, string>>;
}

const EFFECTS: Readonly<Record<ToolManifest['effect'], string>> = {
  read: 'reads',
  write: 'writes',
  external: 'leaves this machine or costs money',
};

const HOOKS: Readonly<Record<HookManifest['parts'][number], string>> = {
  beforeCall: 'sees every call, refuses or changes it',
  afterCall: 'reads and changes every result',
  beforeSend: 'reads what the model is sent, and adds to it',
  onEvent: 'hears everything',
};

/** Describes a package by the effects of its tools, as declared in its manifest. */
export function pluginSubject({ name, version, folder, entry, manifest }: Plugin): TrustSubject {
  const isCurrent = codeDigest(entry) === manifest.code;
  const about = [
    `version ${version}`,
    ...manifest.spaces.flatMap((space) => describeEffects(space, '')),
    ...(manifest.hooks ?? []).map(
      ({ name: hook, parts }) => `hook ${hook}: ${parts.map((part) => HOOKS[part]).join(', ')}`,
    ),
    ...(isCurrent ? [] : ['its code was changed after this was written down: it may do something else']),
  ];
  return { kind: 'plugin', name, path: folder, digest: folderDigest(folder), about };
}

/**
 * Describes a configuration file, with every file of the project that it imports.
 *
 * @param file absolute
 * @param about its content, line by line
 */
export function configurationSubject(file: string, about: readonly string[]): TrustSubject {
  const path = findRealPath(file) ?? file;
  return { kind: 'configuration', name: basename(file), path, digest: codeDigest(file), about };
}

function describeEffects({ name, description, tools, children }: SpaceManifest, above: string): readonly string[] {
  const path = `${above}${name}`;
  const effects = Object.entries(EFFECTS).flatMap(([effect, verb]) => {
    const names = tools.filter((tool) => tool.effect === effect).map((tool) => tool.name);
    return names.length === 0 ? [] : [`  ${verb}: ${names.join(', ')}`];
  });
  const risky = tools.filter((tool) => tool.destructive === true).map((tool) => tool.name);
  const risks = risky.length === 0 ? [] : [`  may delete something that cannot be restored: ${risky.join(', ')}`];
  const costs = tools.flatMap((tool) => (tool.cost === undefined ? [] : [`  ${tool.name} costs ${tool.cost}`]));
  const below = children.flatMap((child) => describeEffects(child, `${path}.`));
  return [`${path}() -- ${description}`, ...effects, ...risks, ...costs, ...below];
}

/** Folders that may be inside a package's folder without belonging to it. */
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git']);

/** SHA-256, in hexadecimal, of the whole and of each of its files by absolute path. */
export interface Digests {
  readonly digest: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Computes the digest of every file of a folder from its path and its content, or the target of a link. */
export function hashFolder(folder: string): Digests {
  const files = new Map<string, string>();
  const digest = digestFolder(folder, (path, bytes) => files.set(join(folder, path), hashBytes(bytes)));
  return { digest, files };
}

/** Returns the SHA-256, in hexadecimal, of all files of a folder. */
export function folderDigest(folder: string): string {
  return digestFolder(folder, () => undefined);
}

function digestFolder(folder: string, onFile: (path: string, bytes: Buffer) => void): string {
  const hash = createHash('sha256');
  const add = (below: string): void => {
    for (const { name, kind, link = '' } of scanFolder(`${folder}/${below}`)) {
      const path = `${below}${name}`;
      if (SKIPPED.has(name)) continue;
      if (kind === 'folder') add(`${path}/`);
      else addPart(hash, `${path}\0${kind}\0${link}`);
      if (kind !== 'file' && kind !== 'link') continue;
      const bytes = readBytes(`${folder}/${path}`) ?? Buffer.alloc(0);
      addPart(hash, bytes);
      onFile(path, bytes);
    }
  };
  add('');
  return hash.digest('hex');
}

/** Returns the SHA-256 in hexadecimal. */
export function hashBytes(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Adds a part preceded by its length, so that two parts cannot be mistaken for one. */
function addPart(hash: Hash, part: string | Uint8Array): void {
  hash.update(`${Buffer.byteLength(part)}:`).update(part);
}

/** Relative path in an import, a re-export, `import()` or `require()`. */
const IMPORTED = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"`])(\.{1,2}\/[^'"`\n]+)\1/g;

/** Endings that complete an import without an extension. */
const ENDINGS = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.json', '/index.js', '/index.ts'];

/**
 * Lists a file and all files of the project that it imports, directly or indirectly, as sorted real paths. Packages and
 * paths computed at run time are not followed.
 */
export function listReachedFiles(entry: string): readonly string[] {
  // Links are resolved, because imports are relative to the real path.
  const reached = new Set([findRealPath(entry) ?? resolve(entry)]);
  for (const file of reached) {
    const text = String(readBytes(file) ?? '');
    for (const [, , path] of text.matchAll(IMPORTED)) {
      const target = resolveImport(join(dirname(file), path!));
      if (target !== undefined) reached.add(target);
    }
  }
  return [...reached].toSorted();
}

function resolveImport(path: string): string | undefined {
  const target = ENDINGS.map((ending) => `${path}${ending}`).find((candidate) => readBytes(candidate) !== undefined);
  return target === undefined ? undefined : findRealPath(target);
}

/** Computes the digest of a file and its imports from their content and their paths relative to the file. */
export function hashCode(entry: string): Digests {
  const folder = dirname(findRealPath(entry) ?? resolve(entry));
  const contents = new Map(listReachedFiles(entry).map((file) => [file, readBytes(file) ?? Buffer.alloc(0)]));
  const relatives = new Map(Array.from(contents, ([file, bytes]) => [nameBeside(folder, file), bytes]));
  const files = new Map(Array.from(contents, ([file, bytes]) => [file, hashBytes(bytes)]));
  return { digest: digestOfCode(relatives), files };
}

/** Returns the path of a file relative to a folder, with `/` on every system: a digest of it is compared elsewhere. */
export function nameBeside(folder: string, file: string, path: PlatformPath = systemPath): string {
  const name = path.relative(folder, file);
  return path.sep === '/' ? name : name.replaceAll(path.sep, '/');
}

/** Returns the SHA-256, in hexadecimal, of a file and its imports. */
export function codeDigest(entry: string): string {
  return hashCode(entry).digest;
}

/**
 * Computes the same digest for files that are not on disk yet.
 *
 * @param files content by path relative to the module that is imported first, which is one of them
 */
export function digestOfCode(files: ReadonlyMap<string, Uint8Array>): string {
  const hash = createHash('sha256');
  for (const [path, bytes] of [...files].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${path}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}
