import { defineConfig } from 'rolldown';

// One file instead of two hundred: loading that many takes longer than loading zod.
export default defineConfig({
  input: ['src/index.ts', 'src/pipeline.ts'],
  external: [/^[^./]/],
  platform: 'neutral',
  output: {
    dir: 'dist',
    // Stacks lead to the sources, which are not part of the package.
    sourcemap: true,
    sourcemapExcludeSources: true,
    chunkFileNames: 'shared.js',
    // Names stay; white space and comments are half of what would have to be read.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  },
});
