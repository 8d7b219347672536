import { resolve } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';

/** A workspace without its walls: every path is joined to the folder as the system joins paths, and all of the disk is inside. */
export function uncontainedRoot(folder: string): WorkspaceRoot {
  const disk = new WorkspaceRoot('/');
  const freed = (path: unknown): unknown =>
    typeof path === 'string' ? resolve(folder, path.replaceAll('\0', '')) : path;
  const freedQuery = (query: Readonly<Record<string, unknown>>) => ({
    ...query,
    ...('path' in query ? { path: freed(query['path']) } : { pattern: freed(query['pattern']) }),
  });
  return new Proxy(disk, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (first: unknown, ...rest: unknown[]): unknown => {
        const given =
          typeof first === 'object' && first !== null
            ? freedQuery(first as Readonly<Record<string, unknown>>)
            : freed(first);
        return Reflect.apply(member, target, [given, ...rest]);
      };
    },
  });
}
