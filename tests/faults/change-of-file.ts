import type { OpenFiles } from './open-files.ts';

/** Changes of a file that may be interrupted. */
export const CHANGES = ['write', 'create', 'edit', 'edit-text'] as const;

export type Change = (typeof CHANGES)[number];

/** The file of a change, what is in it before, and what afterwards. */
export interface ChangedFile {
  readonly path: string;
  /** Null when there is none. */
  readonly old: string | null;
  readonly now: string;
}

const LINES = Array.from({ length: 2000 }, (_, line) => `line ${line + 1}\n`).join('');

export function fileOf(change: Change): ChangedFile {
  const whole = LINES.replaceAll('line', 'other');
  if (change === 'create') return { path: 'new/folder/a.txt', old: null, now: whole };
  const now = change === 'write' ? whole : LINES.replace('line 1000\n', 'changed\n');
  return { path: 'a.txt', old: LINES, now };
}

/** Has looked at the file, as one does before a change. */
export async function prepare(files: OpenFiles, change: Change): Promise<void> {
  const { path, old } = fileOf(change);
  if (old !== null) await files.call('read', { target: path }, [999, 1001]);
}

export async function makeChange(files: OpenFiles, change: Change): Promise<void> {
  const { path, now } = fileOf(change);
  if (change === 'edit') await files.call('edit', { target: path, content: 'changed' }, [1000, 1000]);
  else if (change === 'edit-text') await files.call('edit', { target: path, old: 'line 1000\n', new: 'changed\n' });
  else await files.call('write', { target: path, content: now });
}
