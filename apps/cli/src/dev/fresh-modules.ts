import { createRequire, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

type Exports = Readonly<Record<string, unknown>>;

/** Longest time that a module may take to be loaded, in milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Loads the modules of one folder again and again, each time as if for the first time. Node keeps every module that
 * it has loaded by its address; so each time all modules of the folder, but not what is in `node_modules`, get
 * another one.
 */
export class FreshModules implements Disposable {
  readonly #folder: string;
  readonly #hooks;
  #time = 0;

  /** @param folder absolute, without links in its path */
  constructor(folder: string) {
    this.#folder = folder;
    const own = pathToFileURL(`${folder}/`).href;
    const isOwn = (url: string): boolean => url.startsWith(own) && !url.slice(own.length).includes('node_modules/');
    this.#hooks = registerHooks({
      resolve: (specifier, context, nextResolve) => {
        const found = nextResolve(specifier, context);
        const isImported = isOwn(found.url) && !context.conditions.includes('require');
        return isImported ? { ...found, url: withTime(found.url, this.#time) } : found;
      },
      load: (url, context, nextLoad) => {
        const isCommon = context.format === 'commonjs' && !context.conditions.includes('require');
        return isOwn(url) && isCommon
          ? { format: 'module', shortCircuit: true, source: asModule(url) }
          : nextLoad(url, context);
      },
    });
  }

  /**
   * Runs a module of the folder, and all others of the folder that it imports, anew.
   *
   * @throws whatever the module throws; Error when it is not loaded in time
   */
  async load(path: string): Promise<Exports> {
    this.#time++;
    forgetRequired(this.#folder);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      const error = new Error(
        `it was not loaded within ${PATIENCE_MS / 1000} s: it waits for something at its top level`,
      );
      timer = setTimeout(() => reject(error), PATIENCE_MS);
    });
    try {
      const url = withTime(pathToFileURL(path).href, this.#time);
      return await Promise.race([import(url) as Promise<Exports>, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose](): void {
    this.#hooks.deregister();
  }
}

function withTime(url: string, time: number): string {
  const fresh = new URL(url);
  fresh.searchParams.set('loaded', String(time));
  return fresh.href;
}

/** What a CommonJS module exports now, as a module: imported a second time, it would export nothing. */
function asModule(url: string): string {
  const path = JSON.stringify(fileURLToPath(url));
  const exports = createRequire(url)(fileURLToPath(url)) as unknown;
  const names = Object.keys(Object(exports) as object).filter((name) => /^(?!default$)[A-Za-z_$][\w$]*$/.test(name));
  return [
    `import { createRequire } from 'node:module';`,
    `const all = createRequire(${JSON.stringify(url)})(${path});`,
    'export { all as default };',
    ...names.map(
      (name, index) => `const one${index} = all[${JSON.stringify(name)}]; export { one${index} as ${name} };`,
    ),
  ].join('\n');
}

/** CommonJS modules are kept by their path, whatever else their address says. */
function forgetRequired(folder: string): void {
  const { cache } = createRequire(pathToFileURL(`${folder}/`));
  for (const path of Object.keys(cache)) {
    if (path.startsWith(`${folder}/`) && !path.slice(folder.length).includes('/node_modules/')) delete cache[path];
  }
}
