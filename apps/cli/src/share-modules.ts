import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { getPathKind } from './config/disk.ts';

/**
 * Makes plugins import the packages of bae from the bundle of this program if both are the same copy of bae, so that
 * they share error classes and state.
 */
export function shareModules(): void {
  const dist = new URL('.', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isOwn = context.parentURL?.startsWith(dist) === true;
      // Chunks are where the bundler has put them: to look for them takes longer than to read them.
      if (isOwn && specifier.startsWith('./'))
        return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true };
      const found = nextResolve(specifier, context);
      if (!specifier.startsWith('@bae/') || isOwn) return found;
      const bundled = new URL(`./${specifier.replaceAll('/', '-')}.js`, dist);
      if (getPathKind(fileURLToPath(bundled)) !== 'file') return found;
      const own = nextResolve(specifier, { ...context, parentURL: import.meta.url });
      return own.url === found.url ? { ...found, url: bundled.href } : found;
    },
  });
}
