import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent } from '@bae/core';
import { SourceSpace } from '@bae/source';
import { provideWorkspace } from '@bae/workspace';
import { parseSync } from 'oxc-parser';
import { codeFiles, type CodeFiles } from './code-files.ts';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';

const ROUNDS = 5;
/** A name that no module declares: to say so, all of them have to be looked into. */
const UNKNOWN = '<R:NoSuchSymbolAnywhere>';

/** Looking into a whole project takes hardly longer than parsing it; looking again takes next to nothing. */
export async function sourceIndex(): Promise<readonly Measurement[]> {
  using project = codeFiles();
  const first = await mediansInTurn(
    { parser: () => timeOf(() => parseAll(project)), index: () => timeOfIndex(project) },
    ROUNDS,
  );
  const { unchanged, afterChange } = await timesOfReading(project);
  return [
    { name: 'index of all modules ÷ oxc-parser', value: first.index / first.parser, unit: 'x', limit: { atMost: 2 } },
    { name: 'the same, unchanged ÷ oxc-parser', value: unchanged / first.parser, unit: 'x', limit: { atMost: 0.5 } },
    { name: 'read after one file changed', value: afterChange, unit: 'ms', limit: { atMost: 50 } },
  ];
}

async function timeOfIndex(project: CodeFiles): Promise<number> {
  const agent = openAgent(project);
  // The space itself, and what it is loaded from, is no part of it.
  await agent.run(asModelText('<R:m0.f0>'));
  const time = await timeOf(() => agent.run(asModelText(UNKNOWN)));
  await agent.close();
  return time;
}

async function timesOfReading(project: CodeFiles): Promise<Readonly<Record<'unchanged' | 'afterChange', number>>> {
  const agent = openAgent(project);
  await agent.run(asModelText(UNKNOWN));
  const times = await mediansInTurn(
    {
      unchanged: () => timeOf(() => agent.run(asModelText(UNKNOWN))),
      afterChange: () => {
        writeFileSync(join(project.folder, 'm0.ts'), `export function f0() { return ${Math.random()}; }\n`);
        return timeOf(() => agent.run(asModelText('<R:m0.f0>')));
      },
    },
    ROUNDS,
  );
  await agent.close();
  return times;
}

function openAgent({ folder }: CodeFiles) {
  return createAgent({ home: SourceSpace, provide: [provideWorkspace(folder)], approver: allowAll });
}

/** The parser alone, over the same texts: with the program that it makes, since without that nothing is known. */
function parseAll({ folder, paths }: CodeFiles): void {
  for (const path of paths) {
    const { program } = parseSync(path, readFileSync(join(folder, path), 'utf8'));
    if (program.body.length === 0) throw new Error(`${path} is not parsed`);
  }
}
