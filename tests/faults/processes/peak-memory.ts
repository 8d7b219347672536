import { readFileSync } from 'node:fs';

/** Most memory that this process has taken, in megabytes; `maxRSS` begins with that of the process that started it. */
export function readPeakMemory(): number {
  const [, kilobytes = NaN] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
