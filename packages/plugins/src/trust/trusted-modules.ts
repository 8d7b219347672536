import { createHash } from 'node:crypto';
import { registerHooks } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { getCallSites, isDeepStrictEqual } from 'node:util';
import { readBytes, tryParseJson } from '../disk.ts';
import { importInTime } from '../load/load-time.ts';
import { PluginError } from '../plugin-error.ts';
import { hashFolder } from './trust-subject.ts';
import type { KnownLoads, TrustStore } from './trust-store.ts';

/** Code that a person trusts. */
export interface TrustedCode {
  readonly name: string;
  /** Subject of the decision: a file or a folder, absolute. */
  readonly path: string;
  /** SHA-256, in hexadecimal, of each file included in the decision, by absolute path. */
  readonly files: ReadonlyMap<string, string>;
  readonly trust: Pick<TrustStore, 'loadsOf' | 'addLoads' | 'addWanted'>;
  /** True for code that the person has named, which may load anything: it is only recorded. Default: false. */
  readonly isNamed?: boolean | undefined;
}

/**
 * Error about a file that trusted code requested, but that was not part of the decision or has changed. It was not run.
 */
export class UntrustedFileError extends PluginError {}

/**
 * Runs a module that a person trusts. Its imports, now and later, may load only files that belong to the decision, with
 * unchanged content: the files that were shown, and packages as they were when they were first loaded. Any other file
 * is not run, and is recorded so that the person can be asked about it.
 *
 * Actions of trusted code without the module loader (`fs`, `eval`, workers, other programs), and loader hooks of its
 * own, are not restricted.
 *
 * @param url of the module
 * @throws UntrustedFileError at another file; the error of the module; PluginError when it takes too long
 */
export async function importTrusted(code: TrustedCode, url: string): Promise<Readonly<Record<string, unknown>>> {
  guard ??= new ModuleGuard();
  return guard.import(code, url);
}

let guard: ModuleGuard | undefined;

/** Folder of bae's own modules, which any code may load. */
const OWN_FOLDER = new URL('.', import.meta.url).href;

/** Frames of the call stack that are searched for trusted code; the most that Node returns. */
const MAX_FRAMES = 200;

/** Module requested by trusted code. Node loads it once for all requests. */
interface GuardedModule {
  readonly askers: Set<GuardedImport>;
  /** URLs of its imports. */
  readonly imports: Set<string>;
  /** SHA-256 of the loaded content; undefined until it is loaded. */
  digest?: string;
}

/** Tests whether a package of bae is the copy that runs already: other versions of it are not code of others. */
function isResolvedTo(url: string, resolve: () => string): boolean {
  try {
    return resolve() === url;
  } catch {
    return false;
  }
}

/** Guard that records, for each module, the trusted code that requested it. */
class ModuleGuard {
  /** Modules by URL. */
  readonly #modules = new Map<string, GuardedModule>();
  /** Last import of each trusted code, by path. */
  readonly #askers = new Map<string, GuardedImport>();
  #attempt = 0;

  constructor() {
    registerHooks({
      resolve: (specifier, context, nextResolve) => {
        const found = nextResolve(specifier, context);
        const findOwn = () => nextResolve(specifier, { ...context, parentURL: import.meta.url }).url;
        if (specifier.startsWith('@bae/') && isResolvedTo(found.url, findOwn)) return found;
        const parent = this.#modules.get(context.parentURL ?? '');
        const askers = parent?.askers ?? this.#findCallers();
        const [first] = askers;
        if (first === undefined || !/^(?:file|data):/.test(found.url) || found.url.startsWith(OWN_FOLDER)) return found;
        const url = context.conditions.includes('require') ? found.url : first.addAttempt(found.url);
        parent?.imports.add(url);
        for (const asker of askers) this.#add(url, asker);
        return { ...found, url };
      },
      load: (url, context, nextLoad) => {
        const loaded = nextLoad(url, context);
        if (!url.startsWith('file:') || url.startsWith(OWN_FOLDER)) return loaded;
        if (!this.#modules.has(url)) for (const asker of this.#findCallers()) this.#add(url, asker);
        const module = this.#modules.get(url);
        if (module === undefined) return loaded;
        const path = fileURLToPath(url);
        const bytes = loaded.source instanceof Uint8Array ? loaded.source : (readBytes(path) ?? Buffer.alloc(0));
        const digest = createHash('sha256').update(bytes).digest('hex');
        for (const asker of module.askers) {
          try {
            asker.check(path, digest);
          } catch (error) {
            // The person may decide again; the next import then asks, and this one no longer counts.
            module.askers.delete(asker);
            throw error;
          }
        }
        module.digest = digest;
        return loaded;
      },
    });
  }

  /**
   * Finds the trusted code that is running. A request may name a parent that was never loaded, such as the file given
   * to `createRequire()`, or none.
   */
  #findCallers(): ReadonlySet<GuardedImport> {
    // Without this function and the hook that called it.
    for (const { scriptName } of getCallSites(MAX_FRAMES).slice(2)) {
      const url = isAbsolute(scriptName) ? pathToFileURL(scriptName).href : scriptName;
      // Requests of bae are its own, even while it works for trusted code.
      if (url.startsWith(OWN_FOLDER)) break;
      const callers = this.#modules.get(url)?.askers;
      if (callers !== undefined) return callers;
    }
    return new Set();
  }

  /**
   * Records that code requests a module and, if that is already loaded, all its imports. In another process, this code
   * may be the first to load it.
   *
   * @throws UntrustedFileError when the module was not trusted for this code
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
      return await (code.isNamed === true ? import(entry) : importInTime(code.name, entry));
    } catch (error) {
      // Node caches the failure of a module by its URL.
      this.#attempt++;
      throw error;
    } finally {
      asking.save();
    }
  }
}

/** Permitted and actual loads of one import of trusted code. */
class GuardedImport {
  readonly #code: TrustedCode;
  readonly #attempt: number;
  /** Folder of the package that contains the code; its other files are listed individually. */
  readonly #folder: string | undefined;
  /** Loads known from earlier runs; undefined if the code runs for the first time since the decision. */
  readonly #known: KnownLoads | undefined;
  /** Current packages by folder. They are read once, so that later loads must have the same content. */
  readonly #packages = new Map<string, ReturnType<typeof hashFolder>>();
  #isSaved = false;
  #added: KnownLoads = { files: {}, packages: {} };

  constructor(code: TrustedCode, attempt: number) {
    this.#code = code;
    this.#attempt = attempt;
    this.#folder = findOwningPackage(join(code.path, 'package.json'));
    this.#known = code.trust.loadsOf(code.path);
  }

  /** Returns true if importing the code again needs no new checks, because neither it nor the decision has changed. */
  isFor({ path, files, trust }: TrustedCode, attempt: number): boolean {
    const isSame = attempt === this.#attempt && isDeepStrictEqual(files, this.#code.files);
    return isSame && trust.loadsOf(path) !== undefined;
  }

  addAttempt(url: string): string {
    if (this.#attempt === 0) return url;
    const again = new URL(url);
    // Unlike a query, a fragment never belongs to the content of a `data:` address.
    again.hash = `attempt-${this.#attempt}`;
    return again.href;
  }

  /** @throws UntrustedFileError when a file with this content was not trusted */
  check(path: string, digest: string): void {
    if (this.#code.isNamed === true) return this.#record(path, digest);
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

  #record(path: string, digest: string): void {
    const folder = findOwningPackage(path);
    const packages = folder === undefined || folder === this.#folder ? {} : { [folder]: '' };
    this.#code.trust.addLoads(this.#code.path, { files: { [path]: digest }, packages });
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

  /** Stores the loads so far; further ones are stored as they occur. */
  save(): void {
    if (this.#code.isNamed === true) return;
    const isNew = this.#known === undefined && !this.#isSaved;
    this.#isSaved = true;
    if (isNew || Object.keys(this.#added.files).length > 0) this.#code.trust.addLoads(this.#code.path, this.#added);
    this.#added = { files: {}, packages: {} };
  }
}

/** Returns the folder of the package that contains a file; undefined if there is none. */
function findOwningPackage(path: string): string | undefined {
  const installed = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+(?=[/\\])/s.exec(path)?.[0];
  if (installed !== undefined) return installed;
  const folder = dirname(path);
  // A package.json without a name only determines how neighbouring files are interpreted.
  const { name } = Object(tryParseJson(readBytes(join(folder, 'package.json')))) as Record<string, unknown>;
  if (typeof name === 'string') return folder;
  return folder === path ? undefined : findOwningPackage(folder);
}
