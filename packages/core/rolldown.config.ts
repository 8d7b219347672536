import { defineConfig } from 'rolldown';

// One file instead of two hundred: loading that many takes longer than loading zod.
export default defineConfig({
  input: ['src/index.ts', 'src/pipeline.ts'],
  external: [/^[^./]/],
  platform: 'neutral',
  output: { dir: 'dist', sourcemap: true, chunkFileNames: 'shared.js' },
});
