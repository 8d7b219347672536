import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allowAll, asModelText, createAgent, type Agent, type ToolResult } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { provideWorkspace } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  COSTLY_EXPRESSIONS,
  COSTLY_FILE_PATTERNS,
  hostileTexts,
  ODD_EXPRESSIONS,
  UNUSABLE_EXPRESSIONS,
} from './hostile-patterns.ts';
import { StallWatch } from './stall-watch.ts';
import { guardAgainstHanging } from './watchdog.ts';

/** Longest time to an answer, and longest time in which nothing else can happen, in milliseconds. */
const PATIENCE = 2000;
const STALL = 50;
/** A busy machine is slow once, a bad pattern every time. */
const TRIES = 4;

const ENGINES = [
  ['ripgrep', undefined],
  ['the engine that replaces it', null],
] as const;

function agentOver(files: Readonly<Record<string, string | Uint8Array>>, ripgrep: string | null | undefined): Agent {
  const folder = mkdtempSync(join(tmpdir(), 'bae-patterns-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  const options = ripgrep === undefined ? {} : { ripgrep };
  return createAgent({ home: FilesystemSpace, provide: [provideWorkspace(folder, options)], approver: allowAll });
}

interface Answer {
  readonly result: ToolResult;
  /** How long it took, and the longest time in which nothing else could happen, in milliseconds. */
  readonly ms: number;
  readonly stall: number;
}

async function answerTo(agent: Agent, name: string, parameters: Readonly<Record<string, unknown>>): Promise<Answer> {
  const watch = await StallWatch.start();
  const start = performance.now();
  // A session of its own: no answer is cut short because it was given before.
  const session = agent.session(`call-${performance.now().toString().replace('.', '-')}`);
  const { calls } = await session.run(asModelText(JSON.stringify({ name, arguments: parameters })));
  const ms = performance.now() - start;
  const stall = await watch.end();
  await session.close();
  return { result: calls[0]!.result, ms, stall };
}

/** What is wrong with how a call is answered, even at the best of several tries. */
async function slowness(call: () => Promise<Answer>): Promise<string | undefined> {
  let last: Answer | undefined;
  for (let tries = 0; tries < TRIES; tries++) {
    last = await call();
    if (last.ms <= PATIENCE && last.stall <= STALL) return undefined;
  }
  return `${last?.ms.toFixed()} ms, stood still for ${last?.stall.toFixed()} ms: ${last?.result.text.slice(0, 200)}`;
}

async function slowOnes(
  patterns: readonly string[],
  call: (pattern: string) => Promise<Answer>,
): Promise<readonly string[]> {
  const slow: string[] = [];
  await call('warm up');
  for (const pattern of patterns) {
    const problem = await slowness(() => call(pattern));
    if (problem !== undefined) slow.push(`${pattern.slice(0, 80)}: ${problem}`);
  }
  return slow;
}

describe.each(ENGINES)('hostile expressions with %s', (_name, ripgrep) => {
  it('are answered at once, and nothing else has to wait', async () => {
    guardAgainstHanging();
    // What ripgrep does in a moment takes the other one half a minute.
    const agent = agentOver(hostileTexts(ripgrep === undefined ? 8 : 1), ripgrep);
    expect(new Set(COSTLY_EXPRESSIONS).size).toBeGreaterThanOrEqual(100);
    const patterns = [...COSTLY_EXPRESSIONS, ...UNUSABLE_EXPRESSIONS, ...ODD_EXPRESSIONS];
    expect(await slowOnes(patterns, (pattern) => answerTo(agent, 'grep', { pattern, path: '.' }))).toEqual([]);
  });

  it('are answered with rows or in words', async () => {
    const agent = agentOver({ 'a.txt': 'aaab\n-e --help\n' }, ripgrep);
    for (const pattern of [...COSTLY_EXPRESSIONS, ...ODD_EXPRESSIONS]) {
      const { result } = await answerTo(agent, 'grep', { pattern, path: '.' });
      expect(result.stack).toBeUndefined();
      if (!result.ok)
        expect(result.text).toMatch(/^(PatternError|TimeoutError|ParameterError): .+\nTry: (?:<Grep:|\{)/s);
    }
  });

  it('that are none are refused in words', async () => {
    const agent = agentOver({ 'a.txt': 'aaa\n' }, ripgrep);
    for (const pattern of UNUSABLE_EXPRESSIONS) {
      const { result } = await answerTo(agent, 'grep', { pattern, path: '.' });
      expect(result.text.slice(0, 400)).toMatch(/^(PatternError|ParameterError): .+\nTry: (?:<Grep:|\{)/s);
      if (/\(\?<?[=!]/.test(pattern)) expect(result.text).toContain('look-around');
      if (/\\[12k]/.test(pattern)) expect(result.text).toContain('a back-reference');
    }
  });

  it('that look like options are expressions', async () => {
    const agent = agentOver(
      { 'a.txt': `${ODD_EXPRESSIONS.filter((text) => text.startsWith('-')).join('\n')}\n` },
      ripgrep,
    );
    for (const pattern of ODD_EXPRESSIONS.filter((text) => text.startsWith('-'))) {
      const { result } = await answerTo(agent, 'grep', { pattern, path: '.' });
      expect(result.text).toContain(`: ${pattern}`);
    }
  });
});

describe('hostile file patterns', () => {
  it.each(['glob', 'grep'])('are answered at once, and nothing else has to wait: %s', async (name) => {
    guardAgainstHanging();
    const many = Object.fromEntries(
      Array.from({ length: 3000 }, (_, n) => [
        `${'a'.repeat(n % 200)}/${'aa'.repeat(n % 100)}${n}.txt`.replace(/^\//, ''),
        'a\n',
      ]),
    );
    const agent = agentOver({ ...hostileTexts(), ...many }, undefined);
    const call = (pattern: string) =>
      answerTo(agent, name, name === 'glob' ? { pattern } : { pattern: 'zzz', path: pattern });
    expect(await slowOnes(COSTLY_FILE_PATTERNS, call)).toEqual([]);
  });

  it('are answered at once from a list of what to ignore', async () => {
    guardAgainstHanging();
    const rules = COSTLY_FILE_PATTERNS.map((pattern) => pattern.replaceAll('\n', '')).join('\n');
    const agent = agentOver({ ...hostileTexts(), '.gitignore': rules, [`${'a'.repeat(250)}.txt`]: 'a' }, null);
    expect(await slowness(() => answerTo(agent, 'glob', { pattern: '**' }))).toBeUndefined();
  });
});

describe('the measurement', () => {
  it('notices an engine that tries one way after the other', async () => {
    const agent = agentOver({ 'a.txt': 'a' }, null);
    const busy = async (): Promise<Answer> => {
      const watch = await StallWatch.start();
      // The very thing that must not be done.
      /(a+)+$/.test(`${'a'.repeat(24)}!`);
      const stall = await watch.end();
      return { ...(await answerTo(agent, 'grep', { pattern: 'a', path: '.' })), stall };
    };
    expect(await slowness(busy)).toMatch(/stood still for \d{2,} ms/);
  });
});
