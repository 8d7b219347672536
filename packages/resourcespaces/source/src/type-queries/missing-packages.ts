import { isBuiltin } from 'node:module';
import { posix, relative, sep } from 'node:path';
import { readFields } from '@bae/project';
import { formatQuantity, type WorkspaceRoot } from '@bae/workspace';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { SourceDiagnostic } from '../type-service/compiler-session.ts';
import type { DiagnosticReport } from '../type-service/find-diagnostics.ts';

/** Errors that an import cannot be found: of a module, of its types, of what JSX needs. */
const NOT_FOUND = new Set([2307, 2792, 2875, 7016]);
/** Errors that something has the type `any`, as all of a package that is missing has. */
const IMPLICIT_ANY = new Set([2347, 7005, 7006, 7019, 7031, 7034]);
/** Fields of a manifest that list packages. */
const LISTS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
/** Maximum number of packages that are named. */
const MOST_NAMED = 20;

/** A report without the errors of packages that are not installed, and what these are. */
interface SeparatedReport {
  readonly report: DiagnosticReport;
  /** Errors that packages are missing, and those that follow from it. */
  readonly missing: readonly SourceDiagnostic[];
  /** One line that names the packages and how they are installed; absent if none is missing. */
  readonly line?: string;
}

/**
 * Separates the errors that would be gone if the packages of a project were installed: that an import or the types of a
 * listed package are missing, and in the same modules those of an implicit `any`. A package that no manifest lists is an
 * error of the code.
 */
export async function separateMissing(
  all: DiagnosticReport,
  { root, catalog }: { readonly root: WorkspaceRoot; readonly catalog: CodeCatalog },
): Promise<SeparatedReport> {
  const packages = new InstalledPackages(root, catalog);
  const names = new Map<object, string>();
  for (const one of [...all.diagnostics, ...all.problems]) {
    const path = relative(catalog.root, one.file).split(sep).join('/');
    const name = await packages.findMissing(path, namePossiblePackages(one));
    if (name !== undefined) names.set(one, name);
  }
  if (names.size === 0) return { report: all, missing: [] };
  const direct = all.diagnostics.filter((one) => names.has(one));
  const files = new Set(direct.map(({ file }) => file));
  const isFollowing = ({ file, code }: SourceDiagnostic): boolean => files.has(file) && IMPLICIT_ANY.has(code);
  const following = all.diagnostics.filter((one) => !names.has(one) && isFollowing(one));
  const missing = all.diagnostics.filter((one) => names.has(one) || isFollowing(one));
  const rest = all.diagnostics.filter((one) => !missing.includes(one));
  const report = {
    ...all,
    diagnostics: rest,
    total: rest.length,
    problems: all.problems.filter((one) => !names.has(one)),
  };
  const sorted = [...new Set(names.values())].toSorted();
  const more = sorted.length > MOST_NAMED ? ` and ${sorted.length - MOST_NAMED} more` : '';
  const where = files.size === 0 ? 'in settings' : `in ${formatQuantity(files.size, 'module')}`;
  const any = following.length === 0 ? '' : `, and ${following.length} of an implicit any there`;
  const errors = `${formatQuantity(names.size, 'error')} ${where}${any}`;
  const line = `not installed: ${sorted.slice(0, MOST_NAMED).join(', ')}${more} (${errors}). Install them: <source.deps.install:>`;
  return { report, missing, line };
}

/** Lists the packages of which any may be what an error misses. */
function namePossiblePackages({ code, message }: Pick<SourceDiagnostic, 'code' | 'message'>): readonly string[] {
  const [, quoted = ''] = /'([^']+)'/.exec(message) ?? [];
  const advised = Array.from(message.matchAll(/@types\/[\w-]+/g), ([name]) => name);
  if (code === 2503 && quoted === 'NodeJS') return ['@types/node'];
  if (code === 2688) return [takePackage(quoted), `@types/${quoted}`];
  if (!NOT_FOUND.has(code)) return message.startsWith('Cannot find name ') ? advised : [];
  if (isBuiltin(quoted)) return ['@types/node'];
  return code === 7016 ? advised : [takePackage(quoted)];
}

/** Returns the name of the package in the name of a module: `@a/b` of `@a/b/c`. */
function takePackage(specifier: string): string {
  return /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*/.exec(specifier)?.[0] ?? '';
}

/** The packages that manifests of a project list, and whether they are there. */
class InstalledPackages {
  readonly #root: WorkspaceRoot;
  readonly #folders: readonly string[];
  readonly #listed = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #missing = new Map<string, Promise<boolean>>();

  constructor(root: WorkspaceRoot, { packages }: CodeCatalog) {
    this.#root = root;
    this.#folders = packages.map(({ folder }) => folder).toSorted((a, b) => b.length - a.length);
  }

  /** Returns the first of some packages that is listed for a file and not installed; undefined if one is installed. */
  async findMissing(path: string, names: readonly string[]): Promise<string | undefined> {
    if (names.length === 0) return undefined;
    const places = this.#folders.filter((folder) => folder === '' || path.startsWith(`${folder}/`));
    const listed = await Promise.all(places.map((folder) => this.#list(folder)));
    for (const name of names) {
      if (name === '' || !listed.some((some) => some.has(name))) continue;
      const isMissing = await Promise.all(places.map((folder) => this.#lacks(folder, name)));
      return isMissing.every(Boolean) ? name : undefined;
    }
    return undefined;
  }

  #list(folder: string): Promise<ReadonlySet<string>> {
    const known = this.#listed.get(folder) ?? this.#readLists(folder);
    this.#listed.set(folder, known);
    return known;
  }

  async #readLists(folder: string): Promise<ReadonlySet<string>> {
    const fields = await readFields(this.#root, posix.join(folder, 'package.json'));
    return new Set(LISTS.flatMap((list) => Object.keys(Object(fields[list]))));
  }

  #lacks(folder: string, name: string): Promise<boolean> {
    const path = posix.join(folder, 'node_modules', name);
    const known = this.#missing.get(path) ?? this.#root.exists(path).then((exists) => !exists);
    this.#missing.set(path, known);
    return known;
  }
}
