import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ApprovalRequest } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EditorSpace } from '../../test/editor-space.ts';
import { openPlace, temporaryFolder } from '../../test/open-commands.ts';
import { findFix, leaveOutCovered } from './check-plan.ts';
import { chooseChecks } from './find-scripts.ts';
import type { Script } from './script.ts';
import { ScriptsSpace } from './scripts-space.ts';

/** A project whose scripts note that they ran, in a folder that no search looks at. */
function open(scripts: Readonly<Record<string, string>>, options: Parameters<typeof openPlace>[2] = {}) {
  const noting = Object.entries(scripts).map(([name, text]) => [name, `sh note.sh ${name} && ${text}`]);
  const folder = temporaryFolder({
    'package.json': JSON.stringify({ scripts: Object.fromEntries(noting) }),
    'note.sh': 'echo $1 >> dist/ran.txt\n',
    'dist/ran.txt': '',
  });
  const log = join(folder, 'dist/ran.txt');
  /** Names of the scripts that ran since the last call. */
  const listRuns = (): readonly string[] => {
    const names = readFileSync(log, 'utf8').split('\n');
    writeFileSync(log, '');
    return names.filter((name) => name !== '');
  };
  return { ...openPlace([ScriptsSpace, EditorSpace], folder, options), listRuns };
}

const KEPT = 'passed before, and nothing has changed since';

describe('a check that passed', () => {
  it('runs again once a file has changed, whoever changed it, or when all are wanted', { tags: ['long'] }, async () => {
    const { send, folder, listRuns } = open({ lint: 'true', test: 'true' });
    expect(await send('<scripts.check:>')).toMatch(/^ok lint \(.*\nok test \(.*$/);
    expect(listRuns()).toEqual(['lint', 'test']);
    expect(await send('<scripts.check:>')).toBe(
      `ok lint: ${KEPT}\nok test: ${KEPT}\nRun all again: <scripts.check:all=true>`,
    );
    expect(listRuns()).toEqual([]);
    await send('<scripts.check:all=true>');
    expect(listRuns()).toEqual(['lint', 'test']);
    writeFileSync(join(folder, 'a.js'), '1');
    await send('<scripts.check:>');
    expect(listRuns()).toEqual(['lint', 'test']);
  });

  it(
    'need not run again after a script that ran as a whole, but after another program',
    { tags: ['long'] },
    async () => {
      const { send, listRuns } = open({ lint: 'true', test: 'true', build: 'true' });
      await send('<scripts.run_script:test>');
      expect(await send('<scripts.check:>')).toMatch(
        new RegExp(`^ok test: ${KEPT}\nok lint \\(.*\nRun all again: <scripts\\.check:all=true>$`),
      );
      expect(listRuns()).toEqual(['test', 'lint']);
      await send('<scripts.run_script:build>');
      await send('<scripts.check:>');
      expect(listRuns()).toEqual(['build', 'lint', 'test']);
      await send('<editor.touch:a.js>1</touch>\n<scripts.run_script:test a.js>');
      expect(await send('<scripts.check:test>')).toMatch(/^ok test \(/);
    },
  );

  it(
    'is known from one look at the files, for which nobody is asked, and runs between two',
    { tags: ['long'] },
    async () => {
      const stamps = vi.spyOn(WorkspaceRoot.prototype, 'stamps');
      const keepFiles = vi.spyOn(WorkspaceRoot.prototype, 'keepFiles');
      onTestFinished(() => void [stamps.mockRestore(), keepFiles.mockRestore()]);
      const approve = vi.fn(() => Promise.resolve({ allow: true } as const));
      const { send } = open({ lint: 'true' }, { approver: { approve } });
      const countLooks = () => {
        const looks = stamps.mock.calls.filter(([{ pattern }]) => pattern === '**/*').length;
        const counts = [looks, keepFiles.mock.calls.length, approve.mock.calls.length];
        for (const mock of [stamps, keepFiles, approve]) mock.mockClear();
        return counts;
      };
      await send('<scripts.check:>');
      expect(countLooks()).toEqual([0, 1, 1]);
      expect(await send('<scripts.check:>')).toContain(KEPT);
      expect(countLooks()).toEqual([1, 0, 0]);
      await send('<editor.touch:a.js>1</touch>');
      countLooks();
      await send('<scripts.check:>');
      expect(countLooks()).toEqual([1, 1, 1]);
    },
  );

  it('runs again if it changed files itself, or failed', { tags: ['long'] }, async () => {
    const { send, listRuns } = open({ lint: 'echo 1 >> made.txt', test: 'false' });
    await send('<scripts.check:>');
    await send('<scripts.check:>');
    expect(listRuns()).toEqual(['lint', 'test', 'lint', 'test']);
  });

  it('is shown as one to run if something changes while a person is asked', { tags: ['long'] }, async () => {
    const shown: string[] = [];
    const at = { folder: '' };
    const approve = async ({ preview }: ApprovalRequest) => {
      shown.push((await preview?.())!);
      if (shown.length === 2) writeFileSync(join(at.folder, 'a.js'), '1');
      return { allow: true } as const;
    };
    const { send, folder, listRuns } = open({ lint: 'true', test: 'test -e a.js' }, { approver: { approve } });
    at.folder = folder;
    await send('<scripts.check:>');
    expect(listRuns()).toEqual(['lint', 'test']);
    await send('<scripts.check:>');
    expect(shown[1]).not.toContain('npm run lint');
    expect(shown[2]).toContain('npm run lint');
    expect(listRuns()).toEqual(['lint', 'test']);
  });
});

describe('a check that another one runs as well', () => {
  it('does not run twice', async () => {
    const { send, listRuns } = open({ lint: 'true', postlint: 'true', pretest: 'npm run lint', test: 'true' });
    expect(await send('<scripts.check:>')).toMatch(/^ok test \(exit 0, \d+\.\d s\), which runs lint: /);
    expect(listRuns()).toEqual(['pretest', 'lint', 'postlint', 'test']);
  });

  it.each([
    [{ lint: '', check: 'npm run -s lint && npm test', test: '' }, { check: ['lint', 'test'] }],
    [{ lint: '', check: 'run-s lint test', test: '' }, { check: ['lint', 'test'] }],
    [{ lint: '', all: 'yarn lint', check: 'pnpm run all' }, { check: ['lint'] }],
    [
      { lint: 'npm run check', check: 'npm run lint' },
      { lint: undefined, check: undefined },
    ],
    // Where the other one may pass without it, or with other words.
    [
      { lint: '', check: 'npm run lint || true', test: 'npm run lint -- a.js' },
      { lint: undefined, check: undefined, test: undefined },
    ],
  ])('is named by that: %j', (texts, expected) => {
    const all = makeScripts(texts);
    const found = leaveOutCovered(chooseChecks(all), { all, able: all });
    expect(Object.fromEntries(found.map(({ name, covers }) => [name, covers]))).toEqual(expected);
    // One that cannot run covers nothing.
    expect(leaveOutCovered(chooseChecks(all), { all, able: [] })).toEqual(chooseChecks(all));
  });
});

it.each([
  'format:check lint typecheck test',
  'check-format test:lint test:types tests',
  'lint:prettier eslint check:ts test:unit',
  'prettier:ci lint-check types:check pytest',
  'test:format vet test:typescript test-unit',
])('checks are found by their usual names: %s', (names) => {
  const all = makeScripts(
    Object.fromEntries(['build', 'test:dist:types', ...names.split(' ')].map((name) => [name, ''])),
  );
  expect(chooseChecks(all).map(({ name }) => name)).toEqual(names.split(' '));
});

describe('a linter or formatter that fails', () => {
  it('names the script that repairs what it finds', async () => {
    const { send } = open({ lint: 'false', 'lint:fix': 'true' });
    expect(await send('<scripts.check:>')).toContain('\nTo repair what can be: <scripts.run_script:lint:fix>\n');
  });

  it.each([
    ['lint', ['lint:fix', 'fix'], 'lint:fix'],
    ['lint', ['fix'], 'fix'],
    ['format:check', ['format'], 'format'],
    ['check:format', ['format:write'], 'format:write'],
    ['lint', ['test:fix'], undefined],
    ['test', ['test:fix', 'fix'], undefined],
  ])('%s is repaired, with %j, by %s', (check, others, fix) => {
    const all = makeScripts(Object.fromEntries([check, ...others].map((name) => [name, ''])));
    expect(findFix(all[0]!, all)).toBe(fix);
  });
});

function makeScripts(texts: Readonly<Record<string, string>>): readonly Script[] {
  return Object.entries(texts).map(([name, text]) => {
    return { name, file: 'package.json', steps: [{ name, text }], fingerprint: '', command: ['npm', 'run', name] };
  });
}
