import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { getPathKind } from './config/disk.ts';

/**
 * Lets plugins share the modules of bae. They import the packages of bae from files, and this program has them in its
 * bundle; where both are the same copy of bae, a plugin gets the modules of the bundle. So an error class or the files
 * that a session has seen are the same for both.
 */
export function shareModules(): void {
  const dist = new URL('.', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const found = nextResolve(specifier, context);
      if (!specifier.startsWith('@bae/') || context.parentURL?.startsWith(dist) === true) return found;
      const bundled = new URL(`./${specifier.replaceAll('/', '-')}.js`, dist);
      if (getPathKind(fileURLToPath(bundled)) !== 'file') return found;
      const own = nextResolve(specifier, { ...context, parentURL: import.meta.url });
      return own.url === found.url ? { ...found, url: bundled.href } : found;
    },
  });
}
