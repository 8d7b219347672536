import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GitSpace, ScriptsSpace, TerminalSpace } from '@bae/commands';
import { asModelText, createAgent, type Agent, type ToolDefinition } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { MemorySpace, provideMemory } from '@bae/memory';
import { provideCommandAccess } from '@bae/project';
import { Sandbox } from '@bae/sandbox';
import { provideSearch, SearchSpace } from '@bae/search';
import { provideSkills, SkillsSpace } from '@bae/skills';
import { SourceSpace } from '@bae/source';
import { provideTasks, TasksSpace } from '@bae/tasks';
import { provideWorkspace } from '@bae/workspace';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listSpoiltCalls, WRITERS } from './spoilt-calls.ts';

const FILES: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "sample", "type": "module", "scripts": { "test": "node --test", "build": "true" } }\n',
  'a.md': 'one\ntwo\nthree\n',
  'src/app.ts': 'export class App {\n  start() {\n    return 1;\n  }\n}\n',
};

/** Runs a text and returns the first error that it was answered with; empty if there is none. */
async function findError(session: Agent, text: string): Promise<string> {
  const { calls, runs, problems } = await session.run(asModelText(text));
  const failed = calls.find(({ result }) => !result.ok)?.result.text ?? runs.find(({ ok }) => !ok)?.output;
  const problem = problems[0] && `[Parse problem] ${problems[0].message}`;
  return failed ?? problem ?? (calls.length + runs.length === 0 ? 'nothing ran' : '');
}

/** The calls that an error suggests, each with the lines of its body. */
function listSuggested(error: string): readonly string[] {
  return error
    .split(/^Try: /m)
    .slice(1)
    .map((one) => one.trim());
}

const folder = mkdtempSync(join(tmpdir(), 'bae-suggested-'));
const sandbox = new Sandbox();
const agent: Agent = createAgent({
  home: FilesystemSpace,
  spaces: [SourceSpace, MemorySpace, ScriptsSpace, GitSpace, SearchSpace, TasksSpace, TerminalSpace, SkillsSpace],
  provide: [
    provideWorkspace(folder),
    provideTasks({ file: join(folder, '.bae/tasks.db'), caller: 'agent' }),
    provideCommandAccess({ isOpen: true, remedy: '' }),
    provideSkills([]),
    provideMemory({ openStore: () => Promise.resolve(undefined), getKey: () => new Uint8Array(32) }),
    provideSearch(() => agent.tree),
  ],
  // A call that changes something is bound once someone is asked about it.
  approver: { approve: () => ({ allow: false, reason: 'not now' }) },
  codeRunner: sandbox,
});

beforeAll(() => {
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  execFileSync('git', ['init', '-q'], { cwd: folder });
});
afterAll(async () => {
  await agent.close();
  await sandbox.dispose();
  rmSync(folder, { recursive: true, force: true });
});

/** Tools of every place, by the dotted name of the place. */
function listTools(): readonly (readonly [place: string, definition: ToolDefinition])[] {
  const { tree } = agent;
  const below = (path: readonly string[]): readonly (readonly string[])[] =>
    tree.below(path).flatMap(({ name }) => [[...path, name], ...below([...path, name])]);
  return [[], ...below([])].flatMap((path) =>
    Object.values(tree.at(path)?.tools ?? {}).map((one) => [path.join('.') || 'home', one] as const),
  );
}

/** What a second call answers that was not bound at all. */
const UNBOUND =
  /ParameterError|SyntaxError|ReferenceError|TypeError|Parse problem|nothing ran|does not support|no space /;

/** Counts what became of every `step`th spoilt call, and lists the suggested calls that do not run. */
async function judge(way: string, step: number) {
  const counts = { refused: 0, suggested: 0 };
  const wrong: string[] = [];
  let number = 0;
  const session = agent.session(`${way.replaceAll(' ', '-')}-${step}`);
  for (const [place, definition] of listTools()) {
    for (const call of listSpoiltCalls(place, definition)) {
      if (number++ % step > 0) continue;
      const sent = WRITERS[way]!(call);
      const error = await findError(session, sent);
      if (!error.includes('Error: ') || error.startsWith('ApprovalError')) continue;
      counts.refused++;
      const suggested = listSuggested(error);
      if (suggested.length === 0) wrong.push(`${call.what}: ${sent}\n${error}\n=> nothing suggested`);
      for (const one of suggested) {
        counts.suggested++;
        const second = await findError(session, way.startsWith('code') ? `<run>\nawait ${one}\n</run>` : one);
        if (!UNBOUND.test(second) || second.includes('fill in ')) continue;
        wrong.push(`${call.what}: ${sent}\n${error}\n=> ${second}`);
      }
    }
  }
  return { ...counts, wrong };
}

describe.each(Object.keys(WRITERS))('a spoilt call of every tool: %s', (way) => {
  const isAnswered = async (step: number) => {
    const { refused, suggested, wrong } = await judge(way, step);
    expect(refused).toBeGreaterThan(300 / step);
    expect(wrong.slice(0, wrong.length / suggested <= 0.01 ? 0 : 5)).toEqual([]);
  };
  it('is answered with calls that can be pasted', () => isAnswered(11));
  it('is answered with calls that can be pasted, each', { tags: ['long'], timeout: 600_000 }, () => isAnswered(1));
});
