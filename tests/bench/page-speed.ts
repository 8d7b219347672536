import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { provideWorkspace, WorkspaceRoot } from '@bae/workspace';
import { mediansInTurn, processorTimeOf, type Measurement } from './measure.ts';

const ROUNDS = 15;
const CALLS = 100;
const FOLDER = 'packages/core/src/router';
const LINE = '  const found = await this.lookUp(path, options); // the usual line\n';
/** Kilobytes, and the limit: in the middle, the digest takes as long as reading, which has become cheap there. */
const SIZES = [[10, 1.3], [100, 1.6], [1000, 1.3]] as const; // prettier-ignore
/** As many characters as a page of the usual length needs. */
const PAGE = 20_000;
const LINES = 150;
/** What a call may cost beyond reading its file, in milliseconds: about the text that it shows, not about the file. */
const LIMIT = 1;

/** A page of a file costs hardly more than reading the file, which is read as a whole for its digest. */
export async function pageSpeed(): Promise<readonly Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bae-bench-pages-'));
  mkdirSync(join(folder, FOLDER), { recursive: true });
  using workspace = new WorkspaceRoot(folder);
  const agent = createAgent({ home: FilesystemSpace, provide: [provideWorkspace(folder)], approver: allowAll });
  const found: Measurement[] = [];
  try {
    for (const [kilobytes, atMost] of SIZES) {
      const path = `${FOLDER}/file-${kilobytes}.ts`;
      writeFileSync(join(folder, path), LINE.repeat(Math.ceil((1000 * kilobytes) / LINE.length)));
      let call = 0;
      const works = {
        file: () => readFile(join(folder, path), 'utf8'),
        page: () => workspace.readWindow(path, { line: 1, column: 1, chars: PAGE }),
        // No call is like the one before it, which would be answered in a line.
        tool: () => agent.run(asModelText(`<R:${path}:1-${LINES - (call++ % 2)}>`)),
      };
      const { file, page, tool } = await mediansInTurn(
        { file: () => repeat(works.file), page: () => repeat(works.page), tool: () => repeat(works.tool) },
        ROUNDS,
      );
      found.push(
        { name: `a page of ${kilobytes} kB ÷ readFile`, value: page / file, unit: 'x', limit: { atMost } },
        { name: `150 lines of ${kilobytes} kB − page`, value: tool - page, unit: 'ms', limit: { atMost: LIMIT } },
      );
    }
  } finally {
    await agent.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return found;
}

async function repeat(work: () => Promise<unknown>): Promise<number> {
  const time = await processorTimeOf(async () => {
    for (let call = 0; call < CALLS; call++) await work();
  });
  return time / CALLS;
}
