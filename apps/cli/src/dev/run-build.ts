import { spawn } from 'node:child_process';
import { delimiter, dirname, join } from 'node:path';
import type { DevPackage } from './dev-package.ts';

/**
 * Makes a package from its sources, as `npm run build` does.
 *
 * @returns what it printed when it failed, undefined when all is well
 */
export function runBuild({ build, folder }: DevPackage, signal: AbortSignal): Promise<string | undefined> {
  if (build === undefined) return Promise.resolve(undefined);
  const PATH = [...programFolders(folder), process.env['PATH'] ?? ''].join(delimiter);
  const env = { ...process.env, PATH };
  const child = spawn(build, { cwd: folder, env, shell: true, signal, stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code) => resolve(code === 0 ? undefined : printed.trim() || `${build} ended with ${code}`));
  });
}

/** Where packages put their programs: also those of the project that a package lies in. */
function programFolders(folder: string): readonly string[] {
  const above = dirname(folder);
  const own = join(folder, 'node_modules/.bin');
  return above === folder ? [own] : [own, ...programFolders(above)];
}
