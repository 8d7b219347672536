import { createHash } from 'node:crypto';
import { registerHooks } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { readBytes, tryParseJson } from '../disk.ts';
import { importInTime } from '../load/load-time.ts';
import { PluginError } from '../plugin-error.ts';
import { hashFolder } from './trust-subject.ts';
import type { KnownLoads, TrustStore } from './trust-store.ts';

/** Code that a person trusts. */
export interface TrustedCode {
  readonly name: string;
  /** What the decision was about: a file or a folder, absolute. */
  readonly path: string;
  /** SHA-256 in hexadecimal of each file that the decision was about, by absolute path. */
  readonly files: ReadonlyMap<string, string>;
  readonly trust: Pick<TrustStore, 'loadsOf' | 'addLoads' | 'addWanted'>;
}

/** Trusted code asked for a file that was not part of the decision, or has changed since. The file was not run. */
export class UntrustedFileError extends PluginError {}

/**
 * Runs a module that a person trusts. It loads, now and whenever it imports something later, only files that belong to
 * the decision, as they were then: the files that were shown, and packages as they were when they were first loaded.
 * Any other file is not run, and is remembered so that the person can be asked about it.
 *
 * What trusted code does without the module loader (`fs`, `eval`, workers, other programs) is its own affair.
 *
 * @param url of the module
 * @throws UntrustedFileError at another file; what the module throws; PluginError when it takes too long
 */
export async function importTrusted(code: TrustedCode, url: string): Promise<Readonly<Record<string, unknown>>> {
  guard ??= new ModuleGuard();
  return guard.import(code, url);
}

let guard: ModuleGuard | undefined;

/** Modules of bae itself may be loaded by everybody. */
const OWN_FOLDER = new URL('.', import.meta.url).href;

/** A module that trusted code has asked for. Node loads it once, whoever asks. */
interface GuardedModule {
  readonly askers: Set<GuardedImport>;
  /** URLs of what it imports. */
  readonly imports: Set<string>;
  /** SHA-256 of what was loaded; undefined until then. */
  digest?: string;
}

/** Knows for each module which trusted code asked for it. */
class ModuleGuard {
  /** By URL. */
  readonly #modules = new Map<string, GuardedModule>();
  /** The last import of each code, by its path. */
  readonly #askers = new Map<string, GuardedImport>();
  #attempt = 0;

  constructor() {
    registerHooks({
      resolve: (specifier, context, nextResolve) => {
        const found = nextResolve(specifier, context);
        const parent = this.#modules.get(context.parentURL ?? '');
        const [first] = parent?.askers ?? [];
        if (first === undefined || !found.url.startsWith('file:') || found.url.startsWith(OWN_FOLDER)) return found;
        const url = context.conditions.includes('require') ? found.url : first.addAttempt(found.url);
        parent!.imports.add(url);
        for (const asker of parent!.askers) this.#add(url, asker);
        return { ...found, url };
      },
      load: (url, context, nextLoad) => {
        const loaded = nextLoad(url, context);
        const module = this.#modules.get(url);
        if (module === undefined) return loaded;
        const path = fileURLToPath(url);
        const bytes = loaded.source instanceof Uint8Array ? loaded.source : (readBytes(path) ?? Buffer.alloc(0));
        const digest = createHash('sha256').update(bytes).digest('hex');
        for (const asker of module.askers) asker.check(path, digest);
        module.digest = digest;
        return loaded;
      },
    });
  }

  /**
   * Notes that code asks for a module, and for all that it imports if it is loaded already: in another process this code
   * may be the first to load it.
   *
   * @throws UntrustedFileError when that was not trusted for this code
   */
  #add(url: string, asker: GuardedImport): void {
    const module = this.#modules.get(url) ?? { askers: new Set<GuardedImport>(), imports: new Set<string>() };
    this.#modules.set(url, module);
    if (module.askers.has(asker)) return;
    if (module.digest !== undefined) asker.check(fileURLToPath(url), module.digest);
    module.askers.add(asker);
    for (const imported of module.imports) this.#add(imported, asker);
  }

  async import(code: TrustedCode, url: string): Promise<Readonly<Record<string, unknown>>> {
    const last = this.#askers.get(code.path);
    const asking = last?.isFor(code, this.#attempt) === true ? last : new GuardedImport(code, this.#attempt);
    this.#askers.set(code.path, asking);
    const entry = asking.addAttempt(url);
    try {
      this.#add(entry, asking);
      return await importInTime(code.name, entry);
    } catch (error) {
      // Node remembers a module that failed by its URL.
      this.#attempt++;
      throw error;
    } finally {
      asking.save();
    }
  }
}

/** What one import of trusted code may load, and has loaded. */
class GuardedImport {
  readonly #code: TrustedCode;
  readonly #attempt: number;
  /** Of the package that the code belongs to: its other files are named one by one. */
  readonly #folder: string | undefined;
  /** What is known from earlier; undefined when the code runs for the first time since the decision. */
  readonly #known: KnownLoads | undefined;
  /** Packages as they are now, by folder: read once, so that what is loaded later must be the same. */
  readonly #packages = new Map<string, ReturnType<typeof hashFolder>>();
  #isSaved = false;
  #added: KnownLoads = { files: {}, packages: {} };

  constructor(code: TrustedCode, attempt: number) {
    this.#code = code;
    this.#attempt = attempt;
    this.#folder = findOwningPackage(join(code.path, 'package.json'));
    this.#known = code.trust.loadsOf(code.path);
  }

  /** True when importing the code once more needs no other checks: it is as it was, and so is the decision. */
  isFor({ path, files, trust }: TrustedCode, attempt: number): boolean {
    const isSame = attempt === this.#attempt && isDeepStrictEqual(files, this.#code.files);
    return isSame && trust.loadsOf(path) !== undefined;
  }

  addAttempt(url: string): string {
    if (this.#attempt === 0) return url;
    const again = new URL(url);
    again.searchParams.set('attempt', String(this.#attempt));
    return again.href;
  }

  /** @throws UntrustedFileError when a file of this content was not trusted */
  check(path: string, digest: string): void {
    if (this.#code.files.get(path) === digest || this.#known?.files[path] === digest) return;
    const folder = findOwningPackage(path);
    const isOther = folder !== undefined && folder !== this.#folder;
    if (isOther && this.#checkPackage(folder, path, digest)) return;
    const wanted = isOther ? folder : path;
    this.#code.trust.addWanted(this.#code.path, wanted);
    const { name } = this.#code;
    const fact = `${name} loads ${wanted}, which was not there or was different when you trusted ${name}`;
    throw new UntrustedFileError(`${fact}: it was not run. Look at it and decide again.`, [
      `bae trust ${this.#code.path}`,
    ]);
  }

  #checkPackage(folder: string, path: string, digest: string): boolean {
    if (!this.#packages.has(folder)) this.#packages.set(folder, hashFolder(folder));
    const now = this.#packages.get(folder)!;
    if (now.files.get(path) !== digest) return false;
    const before = this.#known === undefined ? now.digest : this.#known.packages[folder];
    if (before !== now.digest) return false;
    const { files, packages } = this.#added;
    this.#added = { files: { ...files, [path]: digest }, packages: { ...packages, [folder]: now.digest } };
    if (this.#isSaved) this.save();
    return true;
  }

  /** Stores what was loaded so far; from then on at each further file. */
  save(): void {
    const isNew = this.#known === undefined && !this.#isSaved;
    this.#isSaved = true;
    if (isNew || Object.keys(this.#added.files).length > 0) this.#code.trust.addLoads(this.#code.path, this.#added);
    this.#added = { files: {}, packages: {} };
  }
}

/** The folder of the package that a file belongs to; undefined when it is in none. */
function findOwningPackage(path: string): string | undefined {
  const installed = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+(?=[/\\])/s.exec(path)?.[0];
  if (installed !== undefined) return installed;
  const folder = dirname(path);
  // A file without a name only says how the files beside it are read.
  const { name } = Object(tryParseJson(readBytes(join(folder, 'package.json')))) as Record<string, unknown>;
  if (typeof name === 'string') return folder;
  return folder === path ? undefined : findOwningPackage(folder);
}
