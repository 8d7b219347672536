import { accessSync, constants, readFileSync, statfsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `pnpm faults` runs what has the tag `long`, `pnpm test` everything else. */
const isLong = process.env['BAE_FAULTS'] !== undefined;

/** A folder in memory is four times as fast as one on a disk, and nothing waits for it. */
const MEMORY = '/dev/shm';
/** In bytes: containers often have 64 MB, which a test of large files fills. */
const ROOM = 2 ** 32;

/** Whether temporary folders can be in memory: there is room, and programs in them can be started. */
function hasMemoryFolder(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK);
    const mount = new RegExp(`^\\S+ ${MEMORY} .*`, 'm').exec(readFileSync('/proc/mounts', 'utf8'))?.[0];
    const { bavail, bsize } = statfsSync(MEMORY);
    return mount !== undefined && !/\bnoexec\b/.test(mount) && bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}

const test = {
  // What kills programs in the middle of a change does it on a disk.
  env: !isLong && process.env['TMPDIR'] === undefined && hasMemoryFolder() ? { TMPDIR: MEMORY } : {},
  // Modules are loaded once for all files: bae keeps no state in them.
  isolate: false,
  include: ['src/**/*.test.ts'],
  setupFiles: process.env['CI'] === undefined ? [] : [fileURLToPath(new URL('vitest.seed.ts', import.meta.url))],
  // All tests of a package may be long, or none.
  passWithNoTests: true,
  // Only there to end what hangs: how fast the machine is decides nothing.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  tags: [{ name: 'long', description: 'The whole count of random tests, and what takes long.' }],
  // Vitest reads it here too, though its types know it from the command line only.
  tagsFilter: [isLong ? 'long' : '!long'],
};

export default defineConfig({
  // Explicit, because Vite reads a tsconfig.json only for the files it includes,
  // and Vitest's module cache does not notice when a tsconfig.json changes.
  oxc: { decorator: { legacy: true } },
  test,
});
