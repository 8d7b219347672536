import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'rolldown';

const license = readFileSync(join(import.meta.dirname, 'node_modules/tsyringe/LICENSE'), 'utf8');

// One file instead of two hundred: loading that many takes longer than loading zod.
export default defineConfig({
  input: ['src/index.ts', 'src/pipeline.ts'],
  // tsyringe is forty files in CommonJS, which take a fifth of the time that core needs to load.
  external: /^(?!tsyringe|tslib)[^./]/,
  platform: 'neutral',
  resolve: { alias: { tsyringe: 'tsyringe/dist/esm2015/index.js' }, mainFields: ['module', 'main'] },
  output: {
    dir: 'dist',
    sourcemap: true,
    banner: ({ name }) => (name === 'shared' ? `/*! tsyringe: ${license.trim()} */` : ''),
    chunkFileNames: 'shared.js',
    // Names stay; white space and comments are half of what would have to be read.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  },
});
