import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { importInTime } from './load-time.ts';

/**
 * Loader that runs the modules of a folder again on each load. Node caches modules by URL, so each load gives all
 * modules of the folder new URLs, except those in `node_modules`.
 */
export class FreshModules implements Disposable {
  readonly #folder: string;
  readonly #hooks;
  #load = 0;

  /** @param folder absolute, without links in its path */
  constructor(folder: string) {
    this.#folder = folder;
    const own = pathToFileURL(`${folder}/`).href;
    const isOwn = (url: string): boolean => url.startsWith(own) && !url.slice(own.length).includes('node_modules/');
    this.#hooks = registerHooks({
      resolve: (specifier, context, nextResolve) => {
        const resolved = nextResolve(specifier, context);
        const isImported = isOwn(resolved.url) && !context.conditions.includes('require');
        return isImported ? { ...resolved, url: addVersion(resolved.url, this.#load) } : resolved;
      },
      load: (url, context, nextLoad) => {
        const isCommon = context.format === 'commonjs' && !context.conditions.includes('require');
        return isOwn(url) && isCommon
          ? { format: 'module', shortCircuit: true, source: wrapCommonJs(url) }
          : nextLoad(url, context);
      },
    });
  }

  /**
   * Runs a module and everything that it imports from the folder.
   *
   * @throws the error that it throws; PluginError when it takes too long
   */
  async load(path: string): Promise<Readonly<Record<string, unknown>>> {
    this.#load++;
    clearRequireCache(this.#folder);
    return importInTime('it', addVersion(pathToFileURL(path).href, this.#load));
  }

  [Symbol.dispose](): void {
    this.#hooks.deregister();
  }
}

function addVersion(url: string, load: number): string {
  const fresh = new URL(url);
  fresh.searchParams.set('loaded', String(load));
  return fresh.href;
}

/**
 * Creates an ES module with the current exports of a CommonJS module, which would export nothing on a second import.
 */
function wrapCommonJs(url: string): string {
  const path = fileURLToPath(url);
  const exports = createRequire(url)(path) as unknown;
  const names = Object.keys(Object(exports) as object).filter((name) => /^(?!default$)[A-Za-z_$][\w$]*$/.test(name));
  return [
    `import { createRequire } from 'node:module';`,
    `const all = createRequire(${JSON.stringify(url)})(${JSON.stringify(path)});`,
    'export { all as default };',
    ...names.map((name, at) => `const one${at} = all[${JSON.stringify(name)}]; export { one${at} as ${name} };`),
  ].join('\n');
}

/** Removes the folder's CommonJS modules from the cache, in which the path is the key regardless of the URL. */
function clearRequireCache(folder: string): void {
  const { cache } = createRequire(pathToFileURL(`${folder}/`));
  for (const path of Object.keys(cache)) {
    if (path.startsWith(`${folder}/`) && !path.slice(folder.length).includes('/node_modules/')) delete cache[path];
  }
}
