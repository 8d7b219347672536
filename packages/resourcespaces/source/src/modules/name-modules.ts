import type { CodeModule, CodePackage } from './code-module.ts';

/** Endings of modules; where two files would have one name, the one whose ending comes first gets it. */
const ENDINGS = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'] as const;

const MODULE = /^(.+)\.([cm]?[jt]s|[jt]sx)$/s;

/** File pattern for everything that names and packages of modules follow from. */
export const PROJECT_FILES = `**/{package.json,pnpm-workspace.yaml,*.{${ENDINGS.join(',')}}}`;

/** The name of a module's file, taken apart. */
export interface CodeFileName {
  /** Without the ending: `router.test` of `router.test.ts`. */
  readonly stem: string;
  /** Without the dot. */
  readonly ending: string;
  /** How it stands among others with the same stem, the best first. */
  readonly rank: number;
}

/** Understands the last part of a path; undefined for what is no module. */
export function codeFileName(name: string): CodeFileName | undefined {
  const [, stem, ending] = MODULE.exec(name) ?? [];
  if (stem === undefined || ending === undefined) return undefined;
  return { stem, ending, rank: ENDINGS.indexOf(ending as (typeof ENDINGS)[number]) };
}

/** True for a file that only declares types of something else. */
export function isDeclarationFile(path: string): boolean {
  return /\.d(\.[^./]+)?\.[cm]?ts$/.test(path);
}

/** More than every other rank. */
const HIDDEN = 100;

/** A file and the names it may have, the shortest first. */
interface Nameless extends Omit<CodeModule, 'name'> {
  readonly rank: number;
  readonly candidates: readonly string[];
}

/**
 * Gives every module of a project a name of its own.
 *
 * It is made of the package's label and the path below `src` without ending, and an index is called like its folder.
 * Where several files would have one name, the first of them has it: TypeScript before JavaScript, a file before
 * an index, what is below `src` before what is not, and last what a dot hides. For the others what was left out comes
 * back, in this order: `index`, the ending, `src`; at last a number.
 *
 * @param paths of files; those that are no modules are left out
 * @param packages the one at the root last
 */
export function nameModules(paths: readonly string[], packages: readonly CodePackage[]): readonly CodeModule[] {
  const packageOf = packageFinder(packages);
  let nameless = paths.flatMap((path) => candidatesOf(path, packageOf(path)) ?? []);
  nameless.sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1));
  const named = new Map<string, CodeModule>();
  for (let round = 0; nameless.length > 0; round++) {
    nameless = nameless.filter((one) => {
      const { candidates, rank: _, ...module } = one;
      const name = candidates[round] ?? `${candidates.at(-1)}~${round - candidates.length + 2}`;
      if (named.has(name)) return true;
      named.set(name, { name, ...module });
      return false;
    });
  }
  return [...named.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Other names that a file may be asked for by: longer ones, and its path written with dots. */
export function otherNames({ path, package: owner }: CodeModule): readonly string[] {
  const dotted = path.replaceAll('/', '.');
  const { stem = '' } = codeFileName(dotted) ?? {};
  return [...(candidatesOf(path, owner)?.candidates ?? []), stem, dotted];
}

function candidatesOf(path: string, owner: CodePackage): Nameless | undefined {
  const below = owner.folder === '' ? path : path.slice(owner.folder.length + 1);
  const parts = below.split('/');
  const file = codeFileName(parts.pop() as string);
  if (file === undefined) return undefined;
  const { stem, ending } = file;
  const isIndex = stem === 'index';
  const inSource = parts[0] === 'src';
  const folder = dotted([owner.label, ...(inSource ? parts.slice(1) : parts)]);
  const long = dotted([folder, stem]);
  const longest = dotted([owner.label, ...parts, stem]);
  const candidates = [
    isIndex && folder !== '' ? folder : long,
    long,
    `${long}.${ending}`,
    longest,
    `${longest}.${ending}`,
  ];
  const isHidden = /(?:^|\/)\./.test(below);
  const rank = (isHidden ? HIDDEN : 0) + file.rank * 4 + (isIndex ? 2 : 0) + (inSource ? 0 : 1);
  return { candidates, folder, path, package: owner, isIndex, declares: isDeclarationFile(path), rank };
}

/**
 * Names of folders and files with dots between them. One that begins with a dot is called what comes behind it, since
 * no address has an empty name: `github.scripts` for `.github/scripts`.
 */
export function dotted(parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/^\.+(?=[^.])/, ''))
    .filter((part) => part !== '')
    .join('.');
}

/** Finds the package that a file is in: of those around it the innermost. */
function packageFinder(packages: readonly CodePackage[]): (path: string) => CodePackage {
  const byFolder = new Map(packages.map((one) => [one.folder, one]));
  return (path) => {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const found = byFolder.get(path.slice(0, end));
      if (found !== undefined) return found;
    }
    return byFolder.get('') as CodePackage;
  };
}
