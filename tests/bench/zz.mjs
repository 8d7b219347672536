import { manyFiles } from './many-files.ts';
import { WorkspaceRoot } from '@bae/workspace';
import { performance } from 'node:perf_hooks';
const which = process.argv[2];
using tree = manyFiles();
const { WorkspaceRoot: W } = which ? await import(which) : { WorkspaceRoot };
const w = new W(tree.folder);
const t = [];
let r;
for (let i = 0; i < 41; i++) { const b = performance.now(); r = await w.grep({ pattern: 'TODO error handle' }); t.push(performance.now() - b); }
t.sort((a, b) => a - b); console.log(which ?? 'new', r.matches, r.files.length ?? r.files, r.rows.length, 'median', t[20].toFixed(1), 'min', t[0].toFixed(1));
