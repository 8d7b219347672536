import { findProgram } from './find-program.ts';
import type { Isolation } from './platform/isolation.ts';
import { getPlatform } from './platform/this-platform.ts';

let found: Promise<Isolation> | undefined;

/** Returns the isolation that this machine supports, which is tested once. */
export function findIsolation(): Promise<Isolation> {
  return (found ??= getPlatform().findIsolation((name) => findProgram(name, { folder: process.cwd() })));
}
