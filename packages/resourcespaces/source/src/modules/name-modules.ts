import type { CodeModule, CodePackage } from './code-module.ts';

/** Endings of modules; where two files would have one name, the one whose ending comes first gets it. */
const ENDINGS = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs'];

/** File pattern of all modules, and of the manifests that define packages. */
export const PROJECT_FILES = `**/{package.json,pnpm-workspace.yaml,*.{${ENDINGS.join(',')}}}`;

/** The name of a file without its ending, and the ending: `router.test` and `ts`. Undefined when it is no module. */
export function splitFileName(name: string) {
  const [, stem, ending] = /^(.+)\.([cm]?[jt]s|[jt]sx)$/s.exec(name) ?? [];
  return stem === undefined || ending === undefined ? undefined : { stem, ending };
}

/** More than every other rank. */
const HIDDEN = 100;

/** A module that has no name yet. */
interface UnnamedModule extends Omit<CodeModule, 'name'> {
  /** Of several modules, the one with the lowest rank gets a name first. */
  readonly rank: number;
  /** The names it may get, the shortest first. */
  readonly candidates: readonly string[];
}

/**
 * Gives every module of a project a unique name.
 *
 * It consists of the package's label and the path below `src` without the ending; an index is named like its folder.
 * Of several files with the same name, the first gets it: TypeScript before JavaScript, a file before an index, files
 * below `src` before others, and hidden files last. To the others the omitted parts are added, in this order: `index`,
 * the ending, `src`; at last a number.
 *
 * @param paths of all files, also of those that are no modules
 * @param packages the one at the root last
 */
export function nameModules(paths: readonly string[], packages: readonly CodePackage[]): readonly CodeModule[] {
  const packageOf = makePackageFinder(packages);
  let unnamed = paths.flatMap((path) => listCandidateNames(path, packageOf(path)) ?? []);
  unnamed.sort((a, b) => a.rank - b.rank || (a.path < b.path ? -1 : 1));
  const named = new Map<string, CodeModule>();
  for (let round = 0; unnamed.length > 0; round++) {
    unnamed = unnamed.filter((one) => {
      const { candidates, rank: _, ...module } = one;
      const name = candidates[round] ?? `${candidates.at(-1)}~${round - candidates.length + 2}`;
      if (named.has(name)) return true;
      named.set(name, { name, ...module });
      return false;
    });
  }
  return [...named.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Other names that a module is found by: longer ones, and its path with dots. */
export function listOtherNames({ path, package: owner }: CodeModule): readonly string[] {
  const dotted = path.replaceAll('/', '.');
  const { stem = '' } = splitFileName(dotted) ?? {};
  return [...(listCandidateNames(path, owner)?.candidates ?? []), stem, dotted];
}

function listCandidateNames(path: string, owner: CodePackage): UnnamedModule | undefined {
  const below = owner.folder === '' ? path : path.slice(owner.folder.length + 1);
  const parts = below.split('/');
  const file = splitFileName(parts.pop() as string);
  if (file === undefined) return undefined;
  const { stem, ending } = file;
  const isIndex = stem === 'index';
  const inSource = parts[0] === 'src';
  const folder = formatModulePath([owner.label, ...(inSource ? parts.slice(1) : parts)]);
  const long = formatModulePath([folder, stem]);
  const longest = formatModulePath([owner.label, ...parts, stem]);
  const candidates = [
    isIndex && folder !== '' ? folder : long,
    long,
    `${long}.${ending}`,
    longest,
    `${longest}.${ending}`,
  ];
  const isHidden = /(?:^|\/)\./.test(below);
  const rank = (isHidden ? HIDDEN : 0) + ENDINGS.indexOf(ending) * 4 + (isIndex ? 2 : 0) + (inSource ? 0 : 1);
  return { candidates, folder, path, package: owner, isIndex, declares: /\.d(\.[^./]+)?\.[cm]?ts$/.test(path), rank };
}

/**
 * Joins names of folders and files with dots. A dot at the beginning of a name is omitted, since no address has an empty
 * name: `github.scripts` for `.github/scripts`.
 */
export function formatModulePath(parts: readonly string[]): string {
  return parts
    .map((part) => part.replace(/^\.+(?=[^.])/, ''))
    .filter((part) => part !== '')
    .join('.');
}

/** Makes a function that finds the innermost package around a file. */
function makePackageFinder(packages: readonly CodePackage[]): (path: string) => CodePackage {
  const byFolder = new Map(packages.map((one) => [one.folder, one]));
  return (path) => {
    let folder = path;
    do folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0));
    while (folder !== '' && !byFolder.has(folder));
    return byFolder.get(folder) as CodePackage;
  };
}
