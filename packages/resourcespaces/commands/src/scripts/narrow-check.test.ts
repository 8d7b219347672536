import { chmodSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allowAll, type Approver, asModelText, createAgent } from '@bae/core';
import { provideWorkspace, WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EditorSpace } from '../../test/editor-space.ts';
import { type Files, temporaryFolder } from '../../test/open-commands.ts';
import { TerminalSpace } from '../commands-space.ts';
import { narrowCheck } from './narrow-check.ts';
import { ScriptsSpace } from './scripts-space.ts';

/** The folder with oxlint and oxfmt. */
const MODULES = fileURLToPath(new URL('../../../../../node_modules', import.meta.url));

const GOOD = 'export const one = 1;\n';
const BAD = 'debugger;\n';

function project(scripts: Readonly<Record<string, string>>, files: Files = {}): string {
  const folder = temporaryFolder({
    'package.json': JSON.stringify({ scripts }),
    '.gitignore': 'made.ts\nnode_modules\n',
    '.oxlintrc.json': '{"ignorePatterns": ["left-out/**"]}',
    '.oxfmtrc.json': '{"ignorePatterns": ["left-out/**"], "singleQuote": true}',
    'src/fine.ts': GOOD,
    'src/old.ts': `${BAD}\n${GOOD}`,
    ...files,
  });
  symlinkSync(MODULES, join(folder, 'node_modules'));
  return folder;
}

function open(folder: string, approver: Approver = allowAll) {
  const spaces = [ScriptsSpace, EditorSpace, TerminalSpace];
  const agent = createAgent({ spaces, provide: [provideWorkspace(folder)], approver });
  onTestFinished(() => agent.close());
  /** The text of the last result, without times. */
  return async (tags: string): Promise<string> => {
    const { calls } = await agent.run(asModelText(tags));
    return calls.at(-1)!.result.text.replaceAll(/\d+\.\d s/g, '0 s');
  };
}

describe('a check by a known tool', () => {
  it(
    'looks only at the files that the session has changed, and at all of them with all=true',
    { tags: ['long'] },
    async () => {
      const run = open(project({ lint: 'oxlint --deny-warnings', 'format:check': 'oxfmt --check src' }));
      const text = await run(`<editor.touch:src/new.ts>${GOOD}</touch>\n<scripts.check:>`);
      expect(text).toBe(
        [
          'ok format:check (exit 0, 0 s) with oxfmt over the 1 file changed in this session',
          'ok lint (exit 0, 0 s) with oxlint over the 1 file changed in this session',
          'All files: <scripts.check:all=true>',
        ].join('\n'),
      );
      const all = await run('<scripts.check:all=true>');
      expect(all).toMatch(/^ok format:check \(exit 0, 0 s\)\nFAILED lint \(exit 1, 0 s\)\n1 failure\n--- lint\n/);
      expect(all).toContain('src/old.ts');
      expect(all).not.toContain('All files:');
    },
  );

  it('finds what is wrong in them', async () => {
    const run = open(project({ lint: 'oxlint --deny-warnings src' }));
    const text = await run(`<editor.touch:src/new.ts>${BAD}</touch>\n<scripts.check:>`);
    expect(text).toMatch(
      /^FAILED lint \(exit 1, 0 s\) with oxlint over the 1 file changed in this session\n1 failure\n/,
    );
    expect(text).toContain('src/new.ts:1:1');
    expect(text).not.toContain('src/old.ts');
  });

  it(
    'looks at everything while nothing is changed, and is compared with that afterwards',
    { tags: ['long'] },
    async () => {
      const run = open(project({ lint: 'oxlint --deny-warnings' }));
      expect(await run('<scripts.check:>')).toMatch(/^FAILED lint \(exit 1, 0 s\)\n1 failure, there before you\n/);
      expect(await run(`<editor.touch:src/new.ts>${GOOD}</touch>\n<scripts.check:>`)).toBe(
        'ok lint (exit 0, 0 s) with oxlint over the 1 file changed in this session\nAll files: <scripts.check:all=true>',
      );
      expect(await run(`<editor.touch:src/new.ts>${BAD}</touch>\n<scripts.check:>`)).toMatch(
        /in this session, failed before; 1 line is new\n1 failure, not there before you\nAll files: .*\n--- lint: what is new\n.*src\/new\.ts:1:1\]\n/,
      );
      await run(`<editor.touch:src/old.ts>${BAD}\n${GOOD}// A comment.</touch>\n<editor.drop:src/new.ts>`);
      expect(await run('<scripts.check:>')).toMatch(
        /over the 1 file changed in this session, failed before in the same way\n1 failure, there before you\n/,
      );
    },
  );

  it('is shown with the files before it runs, under the names that rules use for both commands', async () => {
    const asked: string[] = [];
    const approve: Approver['approve'] = async ({ tool, touches, preview }) => {
      if (tool !== 'check') return { allow: true };
      asked.push(`${touches?.join(', ')}\n${await preview?.()}`);
      return { allow: false, reason: 'no' };
    };
    const run = open(project({ lint: 'oxlint src' }), { approve });
    await run(`<editor.touch:src/new.ts>${GOOD}</touch>\n<scripts.check:>`);
    expect(asked).toEqual([
      [
        'command:npm run lint --, command:oxlint --no-error-on-unmatched-pattern src/new.ts',
        'runs oxlint --no-error-on-unmatched-pattern src/new.ts, over the 1 file changed in this session',
        '  lint: oxlint src',
        'changed in this session: src/new.ts',
      ].join('\n'),
    ]);
  });

  it('leaves out what it leaves out otherwise: ignored files, other places, other kinds of files', async () => {
    const run = open(project({ lint: 'oxlint --deny-warnings src left-out' }));
    for (const path of ['made.ts', 'src/made.ts', 'other/a.ts', 'src/a.md', 'left-out/a.ts'])
      await run(`<editor.touch:${path}>${BAD}</touch>`);
    const text = await run('<scripts.check:>');
    expect(text).toMatch(/^ok lint \(exit 0, 0 s\) with oxlint over the 1 file changed in this session$/m);
  });

  it(
    'counts the files that programs have changed, and looks at everything while they are not known',
    { tags: ['long'] },
    async () => {
      const run = open(project({ lint: 'oxlint --deny-warnings', copy: 'cp src/old.ts src/new.ts' }));
      expect(await run('<scripts.run_script:copy>\n<scripts.check:>')).toMatch(/with oxlint over the 1 file changed/);
      expect(await run('<terminal.exec:cp src/old.ts src/newer.ts>\n<scripts.check:>')).toMatch(
        /with oxlint over the 2 files changed/,
      );
      expect(await run('<terminal.exec:env sleep 100 background=true>\n<scripts.check:>')).toMatch(
        /^FAILED lint \(exit 1, 0 s\)\n/,
      );
    },
  );
});

describe('a check runs as it is', () => {
  /** Returns the command that runs instead of a script in a project. */
  function opened() {
    const root = new WorkspaceRoot(project({}));
    onTestFinished(() => root[Symbol.dispose]());
    return async (line: string, changed: readonly string[] = ['src/old.ts']) =>
      (await narrowCheck({ line, file: 'package.json' }, { root, folder: '', changed }))?.words.join(' ');
  }

  it('unless its script is one call of a tool, with options that are known', async () => {
    const narrow = opened();
    expect(await narrow('oxlint')).toBe('oxlint --no-error-on-unmatched-pattern src/old.ts');
    expect(await narrow(`oxlint -c x.json --format=unix 'src/**/*.ts'`)).toBe(
      'oxlint -c x.json --format=unix --no-error-on-unmatched-pattern src/old.ts',
    );
    for (const line of [
      'oxlint && tsc',
      'oxlint | cat',
      'CI=1 oxlint',
      'npx oxlint',
      'oxlint --type-check',
      'oxlint -- src',
      'oxlint ../src',
      'oxlint lib',
      'oxlint src/*.js',
      'tsc src',
      'vitest run src',
      'unknown src',
    ])
      expect(await narrow(line), line).toBeUndefined();
  });

  it('unless it is Stylelint, which leaves out what its settings say, also files that are named', async () => {
    const place = temporaryFolder({
      'src/a.css': '',
      'src/b.scss': '',
      'src/c.ts': '',
      'node_modules/.bin/stylelint': '#!/bin/sh\n',
    });
    chmodSync(join(place, 'node_modules/.bin/stylelint'), 0o755);
    using there = new WorkspaceRoot(place);
    const request = { root: there, folder: '', changed: ['src/a.css', 'src/b.scss', 'src/c.ts'] };
    const narrow = async (line: string, changed = request.changed) =>
      (await narrowCheck({ line, file: 'package.json' }, { ...request, changed }))?.words.join(' ');
    expect(await narrow(`stylelint 'src/**/*.css' --max-warnings 0`)).toBe(
      'stylelint --max-warnings 0 --allow-empty-input src/a.css',
    );
    expect(await narrow(`stylelint 'src/**/*.{css,scss}' --allow-empty-input`)).toBe(
      'stylelint --allow-empty-input src/a.css src/b.scss',
    );
    // Its value is a file with patterns, for which other paths may be given.
    expect(await narrow('stylelint src --ignore-path x')).toBeUndefined();
    expect(await narrow('stylelint src', ['src/a.css', '.stylelintrc.json'])).toBeUndefined();
  });

  it('when its settings are changed, or files that may be gone', async () => {
    const narrow = opened();
    for (const path of ['package.json', '.oxlintrc.json', 'packages/a/tsconfig.json', '.gitignore'])
      expect(await narrow('oxlint', ['src/old.ts', path]), path).toBeUndefined();
    expect(await narrow('oxlint', ['src/gone.ts'])).toBeUndefined();
    expect(await narrow('oxlint', [])).toBeUndefined();
  });

  it('with an ESLint that would complain about files that its settings leave out', async () => {
    const version = (number: string) =>
      temporaryFolder({
        'src/a.js': '',
        'node_modules/.bin/eslint': '#!/bin/sh\n',
        'node_modules/eslint/package.json': `{"version": "${number}"}`,
      });
    const [old, flat] = ['8.57.1', '9.0.0'].map(version);
    const words = async (place: string) => {
      chmodSync(join(place, 'node_modules/.bin/eslint'), 0o755);
      using there = new WorkspaceRoot(place);
      const request = { root: there, folder: '', changed: ['src/a.js'] };
      return (await narrowCheck({ line: 'eslint .', file: 'package.json' }, request))?.words;
    };
    expect(await words(old!)).toBeUndefined();
    expect(await words(flat!)).toEqual(['eslint', '--no-warn-ignored', 'src/a.js']);
  });
});

describe('a check of a package', () => {
  it('runs in its folder, with a tool of the folders above', async () => {
    const folder = project(
      {},
      {
        'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
        'packages/shop/package.json': '{"name": "shop", "scripts": {"lint": "oxlint --deny-warnings src"}}',
        'packages/shop/src/old.ts': BAD,
      },
    );
    writeFileSync(join(folder, 'pnpm-lock.yaml'), '');
    const run = open(folder);
    await run(`<editor.touch:packages/shop/src/new.ts>${GOOD}</touch>\n<editor.touch:src/new.ts>${BAD}</touch>`);
    expect(await run('<scripts.check:shop>')).toBe(
      'ok lint (exit 0, 0 s) with oxlint over the 1 file changed in this session\nAll files: <scripts.check:shop all=true>',
    );
  });
});
