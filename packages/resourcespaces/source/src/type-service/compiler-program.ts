import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { TypeServiceError } from './type-service-error.ts';

/**
 * Path of the TypeScript compiler that is installed with this package, a native program.
 *
 * A project's own compiler is never started: reading a project would then run code of the project.
 *
 * @throws TypeServiceError when there is none for this machine
 */
export function findCompiler(): string {
  const { platform, arch } = process;
  const name = `@typescript/typescript-${platform}-${arch}/package.json`;
  try {
    const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
    const folder = dirname(createRequire(typescript).resolve(name));
    return join(folder, 'lib', platform === 'win32' ? 'tsc.exe' : 'tsc');
  } catch (cause) {
    const message = `no TypeScript compiler is installed for ${platform} on ${arch}`;
    throw new TypeServiceError('not-installed', message, { cause });
  }
}

const VARIABLES = ['HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'USERPROFILE'];

/**
 * The environment of the compiler: no secrets, and no PATH, so that it can start no other program.
 * Without a PATH there is no npm for it to fetch type packages with.
 */
export function makeEnvironment(): NodeJS.ProcessEnv {
  const variables = VARIABLES.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(variables) as NodeJS.ProcessEnv), PATH: '' };
}
