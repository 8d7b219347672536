import type { Operation } from '@bae/workspace';

/** An edit of a file, but for what is changed about it. */
export function sampleOperation(changes: Partial<Operation> = {}): Operation {
  return {
    id: '20261120T102105123Z-1f2e3d4c/1',
    session: 's',
    time: '2026-11-20T10:21:05.123Z',
    action: 'edit',
    path: 'docs/a.md',
    lines: [2, 3],
    folders: [],
    kept: true,
    ...changes,
  };
}
