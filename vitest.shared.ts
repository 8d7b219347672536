import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** `pnpm faults` runs what has the tag `long`, `pnpm test` everything else. */
const isLong = process.env['BAE_FAULTS'] !== undefined;

const test = {
  // Modules are loaded once for all files: bae keeps no state in them.
  isolate: false,
  include: ['src/**/*.test.ts'],
  setupFiles: process.env['CI'] === undefined ? [] : [fileURLToPath(new URL('vitest.seed.ts', import.meta.url))],
  // All tests of a package may be long, or none.
  passWithNoTests: true,
  // Only there to end what hangs: how fast the machine is decides nothing.
  testTimeout: 300_000,
  hookTimeout: 300_000,
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
