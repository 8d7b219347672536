import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** What is told of calls that change something on disk. Throwing from `before` makes the call fail. */
export interface DiskObserver {
  readonly before?: (name: string) => void;
  readonly after?: (name: string) => void;
}

type AnyFunction = (...args: unknown[]) => unknown;

const PROMISED = ['open', 'mkdir', 'rename', 'unlink', 'link', 'rmdir', 'writeFile'];
const AT_ONCE = ['openSync', 'mkdirSync', 'renameSync', 'unlinkSync', 'linkSync', 'rmdirSync', 'writeFileSync'];
const OF_HANDLES = ['writeFile', 'write', 'chmod', 'chown', 'sync', 'datasync', 'truncate'];

/**
 * Tells of every call of this process that may change something on disk, between program and system: nothing in
 * the program knows of it.
 *
 * @returns makes everything as it was
 */
export async function watchDisk(observer: DiskObserver): Promise<() => void> {
  const handle = await fs.promises.open('/dev/null');
  const handles = Object.getPrototypeOf(handle) as object;
  await handle.close();
  const restore = [
    ...PROMISED.map((name) => wrap(fs.promises, name, observer)),
    ...AT_ONCE.map((name) => wrap(fs, name, observer)),
    ...OF_HANDLES.map((name) => wrap(handles, name, observer)),
  ];
  syncBuiltinESMExports();
  return () => {
    for (const undo of restore) undo();
    syncBuiltinESMExports();
  };
}

function wrap(object: object, name: string, { before, after }: DiskObserver): () => void {
  const record = object as Record<string, AnyFunction>;
  const original = record[name]!;
  const tellAfter = (): void => after?.(name);
  record[name] = function (this: unknown, ...args: unknown[]): unknown {
    if (isHarmless(name, args)) return original.apply(this, args);
    const failsAtOnce = name.endsWith('Sync');
    try {
      before?.(name);
    } catch (error) {
      if (failsAtOnce) throw error;
      return Promise.reject(error);
    }
    const result = original.apply(this, args);
    if (!(result instanceof Promise)) tellAfter();
    return result instanceof Promise ? result.finally(tellAfter) : result;
  };
  return () => void (record[name] = original);
}

/** Opening changes something only where it creates. */
function isHarmless(name: string, [, flags]: readonly unknown[]): boolean {
  if (!name.startsWith('open')) return false;
  return typeof flags !== 'number' || (flags & fs.constants.O_CREAT) === 0;
}
