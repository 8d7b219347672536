// The grammar comes from a development dependency: its package has the grammars of all languages, 22 MB.
import { copyFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const grammar = import.meta.resolve('@vscode/tree-sitter-wasm/wasm/tree-sitter-python.wasm');
copyFileSync(fileURLToPath(grammar), new URL('dist/tree-sitter-python.wasm', import.meta.url));
