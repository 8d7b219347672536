import { join } from 'node:path';
import { readTextFile, writeUserFile } from '../config/disk.ts';
import { locateUserFolder } from '../user-key.ts';

/** History of lines typed at the prompt, newest first, which is kept across restarts. */
export interface TypedHistory {
  read(): readonly string[];
  write(lines: readonly string[]): void;
}

const MOST_LINES = 500;
/** Maximum length of a kept line, in characters; longer lines are assumed to be pasted. */
const LONGEST_LINE = 2000;

/** Opens the user's history, in a file that no other user can read. */
export function openHistory(env: Readonly<Record<string, string | undefined>>): TypedHistory {
  const file = join(locateUserFolder(env), 'history');
  return {
    read: () => {
      try {
        return readTextFile(file)
          .split('\n')
          .filter((line) => line !== '')
          .slice(0, MOST_LINES);
      } catch {
        return [];
      }
    },
    write: (lines) => {
      const kept = lines.filter((line) => line.length <= LONGEST_LINE && !line.includes('\n')).slice(0, MOST_LINES);
      writeUserFile(file, `${kept.join('\n')}\n`);
    },
  };
}
