import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the journals in a workspace. */
export function journalsIn(folder: string): readonly string[] {
  return readdirSync(join(folder, '.bae/journal')).filter((name) => name !== '.gitignore');
}

/** Files of the one journal in a workspace, sorted. */
export function journalFiles(folder: string): readonly string[] {
  return readdirSync(join(folder, '.bae/journal', journalsIn(folder)[0] ?? '')).toSorted();
}

/** The log of the one journal in a workspace. */
export function logIn(folder: string): string {
  return join(folder, '.bae/journal', journalsIn(folder)[0] ?? '', 'log.jsonl');
}

/** Makes the journals of a workspace look like those of processes that have ended; changes their text as well. */
export function endProcesses(folder: string, change: (log: string) => string = (log) => log): void {
  for (const name of journalsIn(folder)) {
    const path = join(folder, '.bae/journal', name, 'log.jsonl');
    const log = readFileSync(path, 'utf8').replace(/"pid":\d+/, '"pid":999999999');
    writeFileSync(path, change(log));
  }
}

/** A log without the record of what became of its last operation: its process was killed right there. */
export function withoutLastEnd(log: string): string {
  return log.slice(0, log.lastIndexOf('\n{"type":"end"'));
}

/** Adds half a record, as a process that is killed while it writes does. */
export function tear(folder: string): void {
  appendFileSync(logIn(folder), '\n{"type":"end","id":"2026');
}
