import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent, type ModelText } from '@bae/core';
import { provideSource, SourceSpace } from '@bae/source';
import { provideWorkspace } from '@bae/workspace';
import { parseSync } from 'oxc-parser';
import { codeFiles } from './code-files.ts';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';
import type { MeasuredCode } from './measured-code.ts';

const ROUNDS = 5;
/** A name that nothing has: it is compared with the symbols of all modules, which have to be looked into. */
const UNKNOWN = '<R:export>';

/** Looking into a whole project takes hardly longer than parsing it; looking again takes next to nothing. */
export async function sourceIndex(): Promise<readonly Measurement[]> {
  using project = codeFiles();
  return await sourceIndexOf(project);
}

/** The same of any project. One of its files is changed by it. */
export async function sourceIndexOf(project: MeasuredCode): Promise<readonly Measurement[]> {
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

async function timeOfIndex(project: MeasuredCode): Promise<number> {
  const agent = openAgent(project);
  // The space itself, and what it is loaded from, is no part of it.
  await addressOf(oneOf(project), agent);
  const time = await timeOf(() => agent.run(asModelText(UNKNOWN)));
  const count = project.paths.length;
  if (agent.read < count)
    throw new Error(`Of ${count} modules, ${agent.read} are looked into. Measure a project of at most 3,000.`);
  await agent.close();
  return time;
}

async function timesOfReading(project: MeasuredCode): Promise<Readonly<Record<'unchanged' | 'afterChange', number>>> {
  const agent = openAgent(project);
  const path = oneOf(project);
  const file = join(project.folder, path);
  const text = readFileSync(file, 'utf8');
  const address = await addressOf(path, agent);
  await agent.run(asModelText(UNKNOWN));
  let changes = 0;
  const times = await mediansInTurn(
    {
      unchanged: () => timeOf(() => agent.run(asModelText(UNKNOWN))),
      afterChange: async () => {
        const name = `changed${++changes}`;
        writeFileSync(file, `${text}\nexport const ${name} = ${changes};\n`);
        let answer = '';
        const time = await timeOf(async () => (answer = await ask(agent, `<R:${address}.${name}>`)));
        if (!answer.includes(`export const ${name} = ${changes};`))
          throw new Error(`${path} is not read anew: ${answer}`);
        return time;
      },
    },
    ROUNDS,
  );
  await agent.close();
  return times;
}

type Agent = ReturnType<typeof openAgent>;

function openAgent({ folder }: MeasuredCode) {
  let read = 0;
  const onProgress = (_done: number, total: number): void => void (read = Math.max(read, total));
  const provide = [provideWorkspace(folder), provideSource({ onProgress })];
  const agent = createAgent({ home: SourceSpace, provide, approver: allowAll });
  return {
    run: (text: ModelText) => agent.run(text),
    close: () => agent.close(),
    /** Number of modules that were looked into for the question that needed most of them. */
    get read() {
      return read;
    },
  };
}

async function ask(agent: Agent, tag: string): Promise<string> {
  return (await agent.run(asModelText(tag))).feedback;
}

/** The address of a file: what its outline begins with. */
async function addressOf(path: string, agent: Agent): Promise<string> {
  const answer = await ask(agent, `<R:./${path}>`);
  const [, address] = /^(\S+) -- /m.exec(answer) ?? [];
  if (address === undefined) throw new Error(`${path} has no address: ${answer}`);
  return address;
}

function oneOf({ paths }: MeasuredCode): string {
  return paths[Math.floor(paths.length / 2)] as string;
}

/** The parser alone, over the same texts: with the program that it makes, since without that nothing is known. */
function parseAll({ folder, paths }: MeasuredCode): void {
  for (const path of paths) {
    const { program } = parseSync(path, readFileSync(join(folder, path), 'utf8'));
    if (program.type !== 'Program') throw new Error(`${path} is not parsed`);
  }
}
