import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Writer } from './journal.ts';

/** A journal of another machine counts as being written for this long after its last operation. */
const ELSEWHERE_MS = 10 * 60 * 1000;

/** What this process is known by in its journal. */
export function thisProcess(): Writer {
  return { pid: process.pid, birth: birthOf(process.pid), host: hostname() };
}

/**
 * True when the process that writes a journal lives.
 *
 * @param lastSeen when it last wrote, in milliseconds since 1970
 */
export function isLiving({ pid, birth, host }: Writer, lastSeen: number): boolean {
  if (host !== hostname()) return Date.now() - lastSeen < ELSEWHERE_MS;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  // The number may have been given to another process.
  return birthOf(pid) === birth;
}

/** When a process began, as Linux counts; empty where that cannot be known. */
function birthOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in brackets, may contain anything.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}
