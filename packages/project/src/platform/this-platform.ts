import type { Platform } from './platform.ts';
import { POSIX } from './posix.ts';
import { createWindows } from './windows.ts';

const THIS: Platform = process.platform === 'win32' ? createWindows() : POSIX;

/** Returns the rules of the system that bae runs on: the only place that decides this. */
export function getPlatform(): Platform {
  return THIS;
}
