// Prints the source files whose functions a read of package.json executes: node files-of-one-read.mjs FOLDER
import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { SourceMap } from 'node:module';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAgent } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { provideWorkspace } from '@bae/workspace';

const agent = createAgent({ home: FilesystemSpace, provide: [provideWorkspace(process.argv[2])] });
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
await session.post('Profiler.takePreciseCoverage');
const { feedback } = await agent.run('<R:package.json>');
const { result } = await session.post('Profiler.takePreciseCoverage');
session.disconnect();
await agent.close();
const files = [...new Set(result.flatMap(listExecutedSources))];
process.stdout.write(JSON.stringify({ feedback, files }));

/** The source files of the functions of a built script that were called. */
function listExecutedSources({ url, functions }) {
  if (!/^file:.*\/dist\//.test(url) || url.includes('/node_modules/')) return [];
  const path = fileURLToPath(url);
  const lines = readFileSync(path, 'utf8').split('\n');
  const map = new SourceMap(JSON.parse(readFileSync(`${path}.map`, 'utf8')));
  return functions.flatMap(({ ranges: [whole] }) => {
    // The range from the start of the script is its top level.
    if (whole === undefined || whole.count === 0 || whole.startOffset === 0) return [];
    let column = whole.startOffset;
    let line = 0;
    while (column > lines[line].length) column -= lines[line++].length + 1;
    const entry = map.findEntry(line, column);
    // Helpers that the compiler adds have no source.
    return 'originalSource' in entry ? [resolve(path, '..', entry.originalSource)] : [];
  });
}
