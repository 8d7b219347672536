import { defineConfig } from 'rolldown';

// Their licenses ask for a notice in every copy.
const NOTICE =
  '/*! Contains tsyringe (MIT License) and reflect-metadata (Apache License 2.0), both Copyright (c) Microsoft Corporation. The licenses are in the packages of these names, which are installed with this one. */';

// One file instead of two hundred, and of the fifty of tsyringe: loading that many takes longer than loading zod. Zod
// stays outside, because a program that defines tools loads it anyway.
export default defineConfig({
  input: ['src/index.ts', 'src/pipeline.ts'],
  external: [/^(?:zod|node:)/],
  resolve: { mainFields: ['es2015', 'module', 'main'] },
  platform: 'neutral',
  output: {
    dir: 'dist',
    banner: ({ isEntry }) => (isEntry ? '' : NOTICE),
    // Stacks lead to the sources, which are not part of the package.
    sourcemap: true,
    sourcemapExcludeSources: true,
    // The runtime of the bundler has a name of its own until it is put into the only chunk.
    chunkFileNames: ({ name }) => (name === 'rolldown-runtime' ? 'runtime.js' : 'shared.js'),
    // Names stay; white space and comments are half of what would have to be read, and ASCII is read faster.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true, asciiOnly: true } },
  },
});
