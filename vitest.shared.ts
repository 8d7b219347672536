import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Explicit, because Vite reads a tsconfig.json only for the files it includes,
  // and Vitest's module cache does not notice when a tsconfig.json changes.
  oxc: { decorator: { legacy: true } },
  // Generous, because a loaded machine is no defect.
  test: { include: ['src/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
});
