import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  allowAll,
  approvalPolicy,
  asModelText,
  createAgent,
  type Agent,
  type ApprovalRequest,
  type Approver,
  type SpaceSource,
  defineResourcespace,
  tool,
} from '@bae/core';
import { provideCommandAccess } from '@bae/project';
import { provideWorkspace } from '@bae/workspace';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { EditorSpace } from '../../test/editor-space.ts';
import { chooseShownScript } from './find-scripts.ts';
import { TerminalSpace } from '../commands-space.ts';
import { ScriptsSpace } from './scripts-space.ts';

const agents = new Set<Agent>();
const folders = new Set<string>();
afterEach(async () => {
  for (const agent of agents) await agent.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  agents.clear();
  folders.clear();
});

const NODE = JSON.stringify(process.execPath);
const SCRIPTS = {
  prebuild: 'echo before',
  build: `${NODE} -e "require('fs').writeFileSync('out.txt','1');console.log('built',process.argv.slice(1).join('|'))" --`,
  lint: `${NODE} -e "process.exit(require('fs').existsSync('bad.txt') ? 3 : 0)"`,
  typecheck: 'echo types are fine',
  notices: `${NODE} -e "console.log('notices:' + process.env.npm_config_update_notifier)"`,
  env: `${NODE} -e "console.log('variables:' + Object.keys(process.env).filter((n) => /TOKEN/.test(n)).join())"`,
  database: `${NODE} -e "const u = process.env.SHOP_DATABASE_URL; console.log(u, new URL(u).password, u.length)"`,
  red: `${NODE} -e "console.log('\\u001b[31mred\\u001b[0m')"`,
};

function open(
  files: Readonly<Record<string, string>> = {},
  approver: Approver = allowAll,
  more: readonly SpaceSource[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'bae-scripts-'));
  folders.add(folder);
  const all = { 'package.json': JSON.stringify({ name: 'shop', scripts: SCRIPTS }), ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const agent = createAgent({ spaces: [ScriptsSpace, ...more], provide: [provideWorkspace(folder)], approver });
  agents.add(agent);
  const run = async (tag: string): Promise<string> => {
    const { calls } = await agent.run(asModelText(tag));
    return calls[0]!.result.text;
  };
  return { run, folder, agent };
}

describe('the scripts of a project', () => {
  it('get the passwords in URLs of the environment, which the model does not see', { tags: ['long'] }, async () => {
    const password = 'l1ttle-r3d-h3n';
    const url = `postgres://shop:${password}@db.example:5432/shop`;
    vi.stubEnv('SHOP_DATABASE_URL', url);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { run } = open();
    const text = await run('<scripts.run_script:database>');
    expect(text).toContain(`postgres://shop:‹masked password›@db.example:5432/shop ‹masked password› ${url.length}`);
    expect(text).not.toContain(password);
  });

  it('are listed with what they run', async () => {
    const { run } = open();
    expect(await run('@scripts()')).toContain('Checks: lint, typecheck (<check:> runs all, <run_script:lint> one).');
    expect(await run('<scripts.R:>')).toContain('typecheck: echo types are fine  (package.json)');
    expect(await run('<scripts.R:build>')).toMatch(/^build: echo before && /);
    expect(await run('<scripts.R:nothing>')).toContain("no script 'nothing'");
  });

  it('have checks with an example that runs', { tags: ['long'] }, async () => {
    const { run } = open();
    expect(await run('<scripts.help:check>')).toMatch(/\nExample: <scripts.check:>$/);
    await run('@scripts()');
    expect(await run('<check:>')).toMatch(/^ok lint \(exit 0, /);
  });

  it('are said to have failed in the header of the call', { tags: ['long'] }, async () => {
    const { agent } = open({ 'bad.txt': '' });
    const { feedback } = await agent.run(
      asModelText('<scripts.run_script:lint>\n<scripts.check:>\n<scripts.run_script:env>\n<scripts.check:typecheck>'),
    );
    expect(Array.from(feedback.matchAll(/^#.*\[scripts\] (.*)$/gm), ([, status]) => status)).toEqual([
      'failed',
      'failed',
      'ok',
      'ok',
    ]);
  });

  it('have checks that run one by one, by their names', { tags: ['long'] }, async () => {
    const { run } = open();
    expect(await run('<scripts.check:typecheck>')).toMatch(/^ok typecheck \(exit 0, [^\n]*$/);
    expect(await run('<scripts.check:build>')).toContain(
      "ResourceError: 'build' is a script and no check.\nTry: <scripts.run_script:build>\nTry: <scripts.check:>",
    );
    expect(await run('<scripts.check:nothing>')).toContain("no package 'nothing' in this project");
  });

  it('say of what they are made and how often they warned, when they pass', { tags: ['long'] }, async () => {
    const { run } = open({ 'package.json': '{"scripts": {"test": "echo 1 warning && echo 3 passing"}}' });
    expect(await run('<scripts.check:>')).toMatch(
      /^ok test \(exit 0, \d+\.\d s\): 3 passing; 1 warning \(<scripts\.run_script:test>\); echo 1 warning && echo 3 passing$/,
    );
    const inPackage = open({
      'package.json': '{"workspaces": ["packages/*"]}',
      'packages/shop/package.json': '{"name": "shop", "scripts": {"lint": "echo 2 warnings"}}',
    });
    expect(await inPackage.run('<scripts.check:shop>')).toContain(
      '2 warnings (<scripts.run_script:lint package=shop>)',
    );
    expect(await inPackage.run('<scripts.run_script:lint package=shop>')).toContain('\n2 warnings');
  });

  it('name the program that is missing when they cannot run', { tags: ['long'] }, async () => {
    const alone = open({ 'package.json': '{"scripts": {"lint": "no-such-linter ."}}' });
    const fact = "no-such-linter is not installed, and 'lint' calls it. The user can install it.";
    expect(await alone.run('<scripts.check:>')).toBe(`ResourceError: ${fact}`);
    expect(await alone.run('<scripts.run_script:lint>')).toMatch(
      /^FAILED lint \(exit 127, \d+\.\d s, no-such-linter is not installed/,
    );
    const none = open({ 'package.json': '{"scripts": {"lint": "no-such-linter .", "test": "no-such-tester"}}' });
    expect(await none.run('<scripts.check:>')).toBe(
      `ResourceError: ${fact}\nno-such-tester is not installed, and 'test' calls it. The user can install it.`,
    );
    const { run } = open({ 'package.json': '{"scripts": {"lint": "no-such-linter .", "test": "true"}}' });
    expect(await run('<scripts.check:>')).toMatch(new RegExp(`^ok test \\(.*\\)\nNOT RUN lint: ${fact}$`));
  });

  it(
    'say how the packages of the project are installed where one that they call is missing',
    { tags: ['long'] },
    async () => {
      const fields = {
        devDependencies: { 'no-such-linter': '1' },
        scripts: { lint: 'no-such-linter .', test: 'true' },
      };
      const { run } = open({ 'package.json': JSON.stringify(fields) });
      const sentence = '<source.deps.install:> installs what package.json names.';
      expect(await run('@scripts()')).toContain(`no-such-linter is not installed: lint cannot run. ${sentence} `);
      expect(await run('<scripts.run_script:lint>')).toMatch(/^FAILED lint .*\n<source\.deps\.install:> installs what/);
      expect(await run('<scripts.check:>')).toMatch(
        /\nNOT RUN lint: no-such-linter .* Instead: <source\.deps\.install:>$/,
      );
      const there = open({
        'package.json': JSON.stringify(fields),
        'node_modules/no-such-linter/package.json': '{"version": "1.0.0"}',
      });
      expect(await there.run('@scripts()')).not.toContain('install:');
    },
  );

  it('are not offered where they cannot run', async () => {
    const scripts = {
      lint: 'no-such-linter . && true',
      typecheck: 'MODE=1 no-such-types',
      test: 'cd src && true',
      dev: 'no-such-server --open',
    };
    const files = { 'package.json': JSON.stringify({ scripts }) };
    const { run } = open(files);
    expect(await run('@scripts()')).toContain(
      'Scripts: lint, typecheck, test, dev. Checks: test (<check:>). no-such-linter is not installed: lint cannot run. no-such-types is not installed: typecheck cannot run. ',
    );
    expect(await run('<scripts.R:>')).toBe(
      [
        'lint: no-such-linter . && true  (package.json, parts 1-2, no-such-linter is not installed)',
        'typecheck: MODE=1 no-such-types  (package.json, no-such-types is not installed)',
        'test: cd src && true  (package.json)',
        'dev: no-such-server --open  (package.json, no-such-server is not installed)',
        'Run one: <scripts.run_script:test>.',
      ].join('\n'),
    );
  });

  it('are offered where it is not certain that they cannot run', async () => {
    const packages = { 'package.json': '{"scripts": {"lint": "no-such-linter .", "test": "no-such-tester || true"}}' };
    expect(await open(packages).run('@scripts()')).toContain('Checks: test (<check:>).');
    expect(await open({ ...packages, '.pnp.cjs': '' }).run('@scripts()')).toContain('Checks: lint, test ');
    const { run, folder } = open({ ...packages, 'node_modules/.bin/no-such-linter': '' });
    chmodSync(join(folder, 'node_modules/.bin/no-such-linter'), 0o755);
    expect(await run('@scripts()')).toContain('Checks: lint, test ');
  });

  it('are those of makefiles and justfiles too', async () => {
    const justfile = `url := "http://a"\nalias g := greet\ngreet name:\n  echo {{name}}\nserve at="localhost:80" *more:\n  echo {{at}}\n`;
    const makefile = 'VERSION := 1\n.PHONY: all\nall: prepare\n\techo one\n\techo two\n\nprepare:\n\ttrue\n';
    const { run } = open({ 'package.json': '{}', Makefile: makefile, justfile });
    // Not every machine has make and just.
    const list = (await run('<scripts.R:>')).replaceAll(/, \w+ is not installed/g, '');
    expect(list.split('\n').slice(0, 4)).toEqual([
      'all: echo one && echo two  (Makefile)',
      'prepare: true  (Makefile)',
      'greet: echo {{name}}  (justfile)',
      'serve: echo {{at}}  (justfile)',
    ]);
  });

  it('of make stand for the targets that they need, and take variables', async () => {
    const makefile = 'all-checks: lint test\nlint:\n\ttrue\ntest:\n\t@echo $(MAKE) tests of ${names}\n';
    const { run } = open({ 'package.json': '{}', Makefile: makefile });
    const entry = await run('@scripts()');
    expect(entry).toContain('Variables are given by name: <run_script:test names=…>.');
    expect(entry).not.toContain('Arguments after a name');
    expect(await run('<R:all-checks>')).toBe('all-checks: make lint test  (Makefile)');
    expect(await run('<run_script:test names="a b">')).toMatch(/tests of a b/);
  });

  it('of make pass words to the one command that they run, which make would not do', async () => {
    const makefile =
      'quiet:\n\t@echo ran alone\nvia:\n\techo $(MAKE) it\nmany:\n\techo a\n\techo b\n.PHONY: quiet via many\n';
    const asked: string[] = [];
    const approver = {
      approve: async ({ preview, touches }: ApprovalRequest) => {
        asked.push(`${touches?.join()} ${await preview?.()}`);
        return { allow: true as const };
      },
    };
    const { run } = open({ 'package.json': '{}', Makefile: makefile }, approver);
    // `make quiet -q` would print nothing and run nothing.
    expect(await run('<scripts.run_script:quiet -q tests/a.py>')).toMatch(
      /^ok quiet \(exit 0, .*\) only echo ran alone -q tests\/a\.py\nran alone -q tests\/a\.py$/,
    );
    expect(asked[0]).toBe(
      'command:make quiet #part echo ran alone -q tests/a.py,command:echo ran alone -q tests/a.py,tests/a.py runs echo ran alone -q tests/a.py, part 1 of quiet',
    );
    expect(await run('<scripts.run_script:quiet via -j2 X=1>')).toContain('make it');
    for (const [name, runs] of [
      ['via', 'echo $(MAKE) it'],
      ['many', 'echo a && echo b'],
    ])
      expect(await run(`<scripts.run_script:${name} -q>`)).toMatch(
        `ParameterError: make reads what follows '${name}' itself and gives it to no command: -q. '${name}' runs ${runs}\nTry: <scripts.run_script:${name}>`,
      );
    const exporting = open({ 'package.json': '{}', Makefile: `export A = 1\n${makefile}` });
    expect(await exporting.run('<scripts.run_script:quiet -q>')).toContain('gives it to no command: -q');
  });

  it(
    'show what passing tests print where that is asked for, instead of only the totals',
    { tags: ['long'] },
    async () => {
      const code = 'for (let i = 0; i < 300; i++) console.log("tree", i, "x".repeat(i % 7)); console.log("12 passed")';
      const { run } = open({ 'package.json': '{"scripts": {"test": "node print.cjs"}}', 'print.cjs': code });
      expect(await run('<scripts.run_script:test>')).not.toContain('tree 20 ');
      const printed = await run('<scripts.run_script:test -s>');
      expect(printed).toContain('tree 20 xxxxxx\n');
      expect(printed).toContain('12 passed');
      expect(printed).toMatch(/lines left out: <R:result:\d+:\d+-\d+>\]/);
    },
  );

  it('run with what follows their name, and say which files they changed', async () => {
    const { run, folder } = open();
    const text = await run(`<scripts.run_script:build --mode 'a b' "c">`);
    expect(text).toMatch(/^ok build \(exit 0, \d+\.\d s\)\n/);
    expect(text).toContain('built --mode|a b|c');
    expect(text.split('\n').at(-1)).toBe('changed 1 file: out.txt');
    expect(existsSync(join(folder, 'out.txt'))).toBe(true);
  });

  it('are run with consent, which shows the whole of what runs', async () => {
    const asked: string[] = [];
    const approver = {
      approve: async ({ preview, touches }: ApprovalRequest) => {
        asked.push(`${touches?.join()} ${await preview?.()}`);
        return { allow: false as const, reason: 'no' };
      },
    };
    const { run, folder } = open({}, approver);
    expect(await run('<scripts.run_script:build -x>')).toContain('ApprovalError');
    expect(asked[0]).toMatch(
      /^command:npm run build -- -x runs npm run build -- -x\n {2}prebuild: echo before\n {2}build: /,
    );
    await run('<scripts.check:>');
    expect(asked[1]).toContain('runs npm run typecheck --\n  typecheck: echo types are fine');
    expect(existsSync(join(folder, 'out.txt'))).toBe(false);
  });

  it('are shown with the settings that make the package manager run something else, and asked about again with others', async () => {
    const asked: ApprovalRequest[] = [];
    const approver = {
      approve: (request: ApprovalRequest) => {
        asked.push(request);
        return { allow: false as const, reason: 'no' };
      },
    };
    const { run, folder } = open({ '.npmrc': 'registry=https://r.example\n' }, approver);
    const preview = async () => {
      await run('<scripts.run_script:typecheck>');
      return asked.at(-1)!.preview?.();
    };
    expect(await preview()).toBe('runs npm run typecheck --\n  typecheck: echo types are fine');
    writeFileSync(
      join(folder, '.npmrc'),
      '//r.example/:_authToken=x\nscript-shell=./evil.sh\n"node\\u002doptions" = -r a.cjs\n',
    );
    expect(await preview()).toBe(
      [
        'runs npm run typecheck --',
        '  .npmrc: script-shell=./evil.sh',
        '  .npmrc: "node\\u002doptions" = -r a.cjs',
        '  typecheck: echo types are fine',
      ].join('\n'),
    );
    expect(new Set(asked.map(({ target }) => target)).size).toBe(2);
  });

  it('are asked about again once the file says another thing', { tags: ['long'] }, async () => {
    const targets: string[] = [];
    const ask = async ({ target }: ApprovalRequest) => {
      targets.push(target);
      return { decision: 'allow', remember: 'target' } as const;
    };
    const { run, folder } = open({}, approvalPolicy({ ask }));
    for (let time = 0; time < 2; time++) expect(await run('<scripts.run_script:lint>')).toMatch(/^ok lint/);
    expect(targets).toEqual([expect.stringMatching(/^command:npm run lint -- #[0-9a-f]{16}$/)]);
    await run('<scripts.run_script:lint -x>');
    expect(targets).toHaveLength(2);
    const changed = { ...SCRIPTS, prelint: 'echo new' };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: changed }));
    await run('<scripts.run_script:lint>');
    expect(targets).toHaveLength(3);
  });

  it(
    'are asked about again once the model has written a file that they name, with the names of what it has changed',
    { tags: ['long'] },
    async () => {
      const questions: string[] = [];
      const ask = async ({ tool, preview }: ApprovalRequest) => {
        if (tool === 'run_script') questions.push((await preview?.())!);
        return { decision: 'allow', remember: 'target' } as const;
      };
      const scripts = { build: 'node scripts/build.js', all: 'npm run build', made: 'cp scripts/build.js made.js' };
      const files = { 'package.json': JSON.stringify({ scripts }), 'scripts/build.js': 'console.log("one")' };
      const { run, folder } = open(files, approvalPolicy({ ask }), [EditorSpace]);
      for (let time = 0; time < 2; time++) expect(await run('<scripts.run_script:all>')).toMatch(/^one$/m);
      await run('<editor.touch:src/other.js>1</touch>');
      await run('<scripts.run_script:made>');
      await run('<scripts.run_script:made>');
      // Neither a file that no script names, nor what a program has written.
      await run('<scripts.run_script:all>');
      expect(questions).toHaveLength(2);
      await run('<editor.touch:scripts/build.js>console.log("two")</touch>');
      for (let time = 0; time < 2; time++) expect(await run('<scripts.run_script:all>')).toMatch(/^two$/m);
      expect(questions).toHaveLength(3);
      expect(questions[0]).toBe('runs npm run all --\n  all: npm run build');
      expect(questions[2]).toBe(
        [
          'runs npm run all --',
          '  all: npm run build',
          'changed in this session: scripts/build.js (named by a script), made.js, src/other.js',
        ].join('\n'),
      );
      writeFileSync(join(folder, 'scripts/build.js'), 'console.log("three")');
      await run('<scripts.run_script:all>');
      expect(questions).toHaveLength(4);
    },
  );

  it(
    'are asked about again once a command of the model, also one in the background, has written a file that they name',
    { tags: ['long'] },
    async () => {
      const questions: string[] = [];
      const ask = async ({ tool, preview }: ApprovalRequest) => {
        if (tool === 'run_script') questions.push((await preview?.())!);
        return { decision: 'allow', remember: 'target' } as const;
      };
      const files = {
        'package.json': JSON.stringify({ scripts: { build: 'node build.js' } }),
        'build.js': 'console.log("one")',
      };
      const { run } = open(files, approvalPolicy({ ask }), [TerminalSpace]);
      const runTwice = async () => {
        for (let time = 0; time < 2; time++) await run('<scripts.run_script:build>');
        return questions.length;
      };
      expect(await runTwice()).toBe(1);
      await run(`<terminal.sh:echo 'console.log("two")' > build.js>`);
      expect(await runTwice()).toBe(2);
      expect(questions[1]).toContain('\nchanged in this session: build.js (named by a script)');
      await run(`<terminal.sh:echo 'console.log("three")' > build.js; echo written; sleep 1000 background=true>`);
      await vi.waitUntil(async () => (await run('<terminal.tail:1>')).endsWith('\nwritten'), { timeout: 60_000 });
      await run('<terminal.stop:1>');
      expect(await runTwice()).toBe(3);
    },
  );

  it('are not what was shown when the file changes while a person is asked: then that is shown', async () => {
    const shown: string[] = [];
    const folderOf: { path?: string } = {};
    const ask = async ({ preview }: ApprovalRequest) => {
      shown.push((await preview?.())!);
      const scripts = { lint: 'echo other' };
      writeFileSync(join(folderOf.path!, 'package.json'), JSON.stringify({ scripts }));
      return { decision: 'allow' } as const;
    };
    const { run, folder } = open({}, approvalPolicy({ ask }));
    folderOf.path = folder;
    expect(await run('<scripts.run_script:lint>')).toContain('\nother');
    expect(shown).toHaveLength(2);
    expect(shown[1]).toContain('lint: echo other');
  });

  it(
    'get no secrets, no settings of colours that are not the user’s, and print no terminal codes',
    { tags: ['long'] },
    async () => {
      process.env['SHOP_TOKEN'] = '1';
      try {
        const { run } = open();
        expect(await run('<scripts.run_script:env>')).toMatch(/^variables:$/m);
        expect(await run('<scripts.run_script:red>')).toMatch(/^red$/m);
      } finally {
        delete process.env['SHOP_TOKEN'];
      }
    },
  );

  it(
    'that check the project run one after the other, compared with how it was before',
    { tags: ['long'] },
    async () => {
      const { run, folder } = open();
      expect(await run('<scripts.check:>')).toMatch(/^ok lint \(exit 0, .*\)\nok typecheck \(exit 0, .*\)$/);
      writeFileSync(join(folder, 'bad.txt'), '');
      const text = await run('<scripts.check:>');
      expect(text).toMatch(/^FAILED lint \(exit 3, .*\), passed before\nok typecheck/);
      expect(text).toContain('--- lint');
    },
  );

  it('that failed before say what is new, wherever it stands now', { tags: ['long'] }, async () => {
    const { run, folder } = open({ 'package.json': '{"scripts": {"lint": "cat found.txt; exit 1"}}' });
    const find = (...lines: readonly string[]) => writeFileSync(join(folder, 'found.txt'), `${lines.join('\n')}\n`);
    find('a.js:3: no semicolon', 'b.js:9: unused x');
    expect(await run('<scripts.check:>')).toMatch(
      /^FAILED lint \(exit 1, [^)]*\)\n1 failure, there before you\n--- lint\n/,
    );
    find('a.js:12: no semicolon', 'b.js:19: unused x');
    expect(await run('<scripts.check:>')).toMatch(
      /^FAILED lint \(.*\), failed before in the same way\n1 failure, there before you\n--- lint\n/,
    );
    find('a.js:12: no semicolon', 'c.js:1: unused y');
    expect(await run('<scripts.check:>')).toMatch(
      /^FAILED lint \(.*\), failed before; 1 line is new\n1 failure, not there before you\n--- lint: what is new\nc\.js:1: unused y\n--- lint\n/,
    );
  });

  it(
    'that fail are counted, with how many of them were there before the session changed anything',
    { tags: ['long'] },
    async () => {
      const makefile = 'lint:\n\ttest ! -e lint.txt\ntypecheck:\n\ttest ! -e types.txt\ntest:\n\ttest ! -e test.txt\n';
      const files = { 'package.json': '{}', Makefile: makefile, 'lint.txt': '', 'types.txt': '' };
      const { run } = open(files, allowAll, [EditorSpace]);
      const count = async () => (await run('<scripts.check:>')).split('\n').find((line) => /^\d failure/.test(line));
      expect(await count()).toBe('2 failures, both there before you');
      await run('<editor.touch:test.txt>');
      expect(await count()).toBe('3 failures, 2 of them there before you');
      await run('<editor.drop:lint.txt>\n<editor.drop:types.txt>');
      expect(await count()).toBe('1 failure, not there before you');
    },
  );

  it('that are first run after the session has changed something are not said to have failed before it', async () => {
    const { run } = open({ 'package.json': '{}', Makefile: 'lint:\n\t@exit 1\ngo:\n\ttrue\n' });
    await run('<scripts.run_script:go>');
    expect(await run('<scripts.check:>')).toMatch(/^FAILED lint \(.*\) running make lint\n1 failure\n--- lint/);
    expect(await run('<scripts.check:>')).toMatch(/failed before in the same way\n1 failure\n--- lint/);
  });

  it('that are not there, or whose program is not, are errors with what to do', async () => {
    const { run } = open({ Makefile: 'all:\n\ttrue\n', 'composer.json': '{"scripts": {"lint-php": "true"}}' });
    expect(await run('<scripts.run_script:biuld>')).toContain('Did you mean build?');
    const missing = open({ justfile: 'greet:\n  true\n' });
    expect(await missing.run('<scripts.run_script:greet>')).toMatch(/just is not installed|ok greet/);
    const none = open({ 'package.json': '{"scripts": {"start": "true"}}' });
    expect(await none.run('<scripts.check:>')).toContain('no script is named like a check');
    // Type errors are known without a script.
    const typed = open({ 'package.json': '{"scripts": {"build": "tsc -b"}}', 'tsconfig.json': '{}' });
    expect(await typed.run('<scripts.check:>')).toContain('Try: <source.diagnostics:>\n');
    expect(await typed.run('<scripts.run_script:tsc --noEmit>')).toContain('Try: <source.diagnostics:>\n');
    expect(await none.run('<scripts.run_script:tsc --noEmit>')).not.toContain('diagnostics');
  });

  it('are none in a project of another language, and the place says at once what could run programs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bae-scripts-'));
    folders.add(folder);
    const commands = provideCommandAccess({ isOpen: false, remedy: 'start bae with --allow-commands' });
    const agent = createAgent({ spaces: [ScriptsSpace], provide: [provideWorkspace(folder), commands] });
    agents.add(agent);
    const { calls } = await agent.run(asModelText('@scripts()\n<R:>'));
    for (const { result } of calls)
      expect(result.text).toContain('runner. Commands are off: start bae with --allow-commands.');
  });

  it('are said to come with tests, in a project of Python that has none yet', async () => {
    const { run } = open({ 'package.json': '{}', 'shop/cart.py': '' });
    const text = await run('@scripts()');
    expect(text).toContain('No scripts: there is no package.json with scripts,');
    expect(text).toContain('Once there is a tests/test_NAME.py, <scripts.check:> runs pytest.');
  });

  it('are told from files that a program runs', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'bae-scripts-'));
    folders.add(folder);
    writeFileSync(join(folder, 'package.json'), '{"scripts": {"start": "true"}}');
    const commands = provideCommandAccess({ isOpen: true, remedy: 'start bae with --allow-commands' });
    const agent = createAgent({ spaces: [ScriptsSpace], provide: [provideWorkspace(folder), commands] });
    agents.add(agent);
    const { calls } = await agent.run(asModelText('<scripts.run_script:tools/a.mjs -v>\n<scripts.run_script:b.py>'));
    expect(calls.map(({ result }) => result.text)).toEqual([
      expect.stringContaining('Try: <terminal.exec:node tools/a.mjs -v>\nTry: <home.R:tools/a.mjs>'),
      expect.stringContaining('Try: <terminal.exec:python3 b.py>\nTry: <home.R:b.py>'),
    ]);
  });

  it.each([
    ['python3 -m pytest -k a', 'pytest -k a'],
    ['uv run pytest "a b"', "pytest 'a b'"],
    ['npx pytest', 'pytest'],
  ])('are told from the command of a shell that runs one: %s', async (command, script) => {
    const { run } = open({ 'package.json': '{"scripts": {"pytest": "true"}}' });
    expect(await run(`<scripts.run_script:${command}>`)).toContain(
      `but 'pytest'.\nTry: <scripts.run_script:${script}>`,
    );
  });

  it('are told with what checks types, where TypeScript has settings', async () => {
    const { run } = open({ 'package.json': '{"scripts": {"start": "true"}}', 'tsconfig.json': '{}' });
    expect(await run('@scripts()')).toContain('Types: <source.diagnostics:>.');
    expect(await open().run('@scripts()')).not.toContain('diagnostics');
  });

  it('of a program that is not installed are no checks, and it is named', async () => {
    const { run } = open({ 'package.json': '{"scripts": {"test": "true"}}', justfile: 'lint:\n  ruff check\n' });
    const programs = mkdtempSync(join(tmpdir(), 'bae-programs-'));
    folders.add(programs);
    writeFileSync(join(programs, 'npm'), '', { mode: 0o755 });
    vi.stubEnv('PATH', programs);
    onTestFinished(() => void vi.unstubAllEnvs());
    const text = await run('@scripts()');
    expect(text).toContain('Checks: test (<check:>).');
    expect(text).toContain('just is not installed: it runs lint.');
  });

  it('that are checks say how many tests passed', { tags: ['long'] }, async () => {
    const scripts = { lint: 'echo no problems', test: 'echo "  12 passing (3s)"' };
    const { run } = open({ 'package.json': JSON.stringify({ scripts }) });
    const [lint, test] = (await run('<scripts.check:>')).split('\n');
    expect(lint).toMatch(/^ok lint \(exit 0, \d+\.\d s\)$/);
    expect(test).toMatch(/^ok test \(exit 0, \d+\.\d s\): 12 passing$/);
  });

  it('are not files: those are offered at home', async () => {
    const { run } = open({ 'package.json': '{"scripts": {"start": "true"}}' });
    expect(await run('<scripts.R:README.md:1-20>')).toContain('Try: <home.R:README.md:1-20>\nTry: <scripts.R:>');
    expect(await run('<scripts.R:strat>')).not.toContain('home.R');
    expect(await open({ 'README.md': '' }).run('<scripts.R:check.mjs>')).toContain('Try: <home.R:check.mjs>');
  });

  it('show how words are given to one of them, and how a test file is run', async () => {
    const { run } = open({
      'package.json': '{"scripts": {"start": "true", "test": "node --test"}}',
      'test/a.test.js': '',
    });
    const text = await run('@scripts()');
    expect(text).toContain('Arguments after a name are given to the script: <run_script:test test/a.test.js>.');
    expect(text).toContain('One test file: <source.tests.test:test/a.test.js>; one test: name="…".');
    const other = await open({ 'package.json': '{"scripts": {"start": "true"}}' }).run('@scripts()');
    expect(other).toContain('<run_script:start --help>');
    expect(other).not.toContain('test file');
  });

  it('are listed with the call that runs a test file, which is no part of other tests', async () => {
    const { run } = open({
      'package.json': '{"scripts": {"clean": "true", "test": "lint && node --test && size", "start": "true"}}',
      'a-snapshots/one.test.cjs': '',
      'test/_helper.js': '',
      'test/fixtures.js': '',
      'test/parts.js': '',
    });
    expect(await run('<scripts.R:>')).toMatch(
      /Run one: <scripts\.run_script:start>\.\nOne test file: <source\.tests\.test:test\/parts\.js>; one test: name="…"\.$/,
    );
    // The last of several commands would get the words.
    expect(await run('@scripts()')).toContain('are given to the script: <run_script:start --help>.');
  });

  it('are not said to take words where these would name other tasks', async () => {
    const { run } = open({ 'package.json': '{}', 'Taskfile.yml': 'tasks:\n  test: true\n', 'test/a.test.js': '' });
    expect(await run('@scripts()')).not.toContain('Arguments after a name');
  });

  it.each([
    [['db:drop', 'uninstall', 'unDeploy', 'dropAll', 'PURGE'], undefined],
    [['db:drop', 'preset'], 'preset'],
    [['reset_all', 'pushed'], 'pushed'],
  ])('%j: as an example, %s is shown', (names, shown) => {
    const scripts = names.map((name) => ({ name, file: '', steps: [], fingerprint: '', command: ['make'] as const }));
    expect(chooseShownScript(scripts)?.name).toBe(shown);
  });

  it('know a test file at the root too', async () => {
    const { run } = open({ 'package.json': '{"scripts": {"test": "xo && ava"}}', 'test.js': '' });
    const text = await run('@scripts()');
    expect(text).toContain('One test file: <source.tests.test:test.js>; one test: name="…".');
    // The words would go to the last of its commands.
    expect(text).not.toContain('Arguments after a name');
  });

  it('are called by the command that is all they run too, with further words', { tags: ['long'] }, async () => {
    const scripts = { test: 'echo all', some: 'echo', none: 'echo none && true', more: 'echo all of' };
    const { run } = open({
      'package.json': JSON.stringify({ scripts }),
      Makefile: 'made:\n\tprintf x\n',
    });
    expect(await run("<scripts.run_script:echo all 'a b'>")).toMatch(/^ok test [^]*^all a b$/m);
    expect(await run('<scripts.run_script:echo all of it>')).toMatch(/^ok more [^]*^all of it$/m);
    expect(await run('<scripts.run_script:echo it>')).toMatch(/^ok some [^]*^it$/m);
    expect(await run('<scripts.run_script:printf x>')).toContain("no script 'printf'. 'made' runs it");
    const { run: runBoth } = open({ 'package.json': JSON.stringify({ scripts: { pretest: 'true', test: 'ava' } }) });
    expect(await runBoth('<scripts.run_script:ava x>')).toContain("no script 'ava'. 'test' runs it, with all else");
  });

  it('are not programs: how these are run, and the test file that one was given, is offered', async () => {
    const files = { 'package.json': '{"scripts": {"test": "lint && ava"}}', 'test/a.js': '' };
    expect(await open(files).run('<scripts.run_script:ava test/a.js>')).toContain(
      "no script 'ava'. 'test' runs it as its part 2.\nTry: <source.tests.test:test/a.js>\nTry: <source.tests.test:>\nTry: <scripts.run_script:test test/a.js part=2>",
    );
    expect(await open(files).run('<scripts.run_script:xo test/a.js>')).toContain(
      "no script 'xo'. Scripts: test.\nTry: <source.tests.test:test/a.js>\nTry: <scripts.R:>",
    );
    const folder = mkdtempSync(join(tmpdir(), 'bae-scripts-'));
    folders.add(folder);
    writeFileSync(join(folder, 'package.json'), files['package.json']);
    const commands = provideCommandAccess({ isOpen: false, remedy: 'start bae with --allow-commands' });
    const agent = createAgent({ spaces: [ScriptsSpace], provide: [provideWorkspace(folder), commands] });
    agents.add(agent);
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
    writeFileSync(join(folder, 'node_modules/.bin/ava'), '');
    const { calls } = await agent.run(
      asModelText('<scripts.run_script:xo --fix>\n<scripts.run_script:ava>\n<scripts.run_script:git log>'),
    );
    const closed = 'Commands are off: start bae with --allow-commands. Then';
    expect(calls.map(({ result }) => result.text)).toEqual([
      expect.stringContaining(`no script 'xo'. Scripts: test. xo is not installed.`),
      expect.stringContaining(
        `no script 'ava'. 'test' runs it as its part 2. ${closed} \`npx --no-install ava\` can be run.`,
      ),
      expect.stringContaining(`no script 'git'. Scripts: test. ${closed} \`git log\` can be run.`),
    ]);
  });

  it('are run without the news of npm', async () => {
    expect(await open().run('<scripts.run_script:notices>')).toMatch(/^notices:false$/m);
  });

  it('that are tests get CI=1 in a check, so that a runner does not wait for changes', { tags: ['long'] }, async () => {
    const scripts = { test: 'echo CI:$CI; exit 1' };
    vi.stubEnv('CI', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { run } = open({ 'package.json': JSON.stringify({ scripts }) });
    expect(await run('<scripts.check:>')).toMatch(/^FAILED test \(exit 1, .*, CI=1\)[^]*^CI:1$/m);
    expect(await run('<scripts.run_script:test>')).toMatch(/^FAILED test \(exit 1, [^,]*\)[^]*^CI:$/m);
  });

  it('say of a failure that Node has not the version which the project asks for', { tags: ['long'] }, async () => {
    const scripts = { lint: 'exit 1', test: 'exit 1', build: 'true', other: 'echo npx node@24; exit 1' };
    const engines = { node: '>=100' };
    const { run } = open({ 'package.json': JSON.stringify({ engines, scripts }) });
    const fact = /^ran with Node \d+\.\d+\.\d+; package\.json asks for >=100$/m;
    const text = await run('<scripts.check:>');
    expect(text).toMatch(fact);
    expect(text.match(/ran with Node/g)).toHaveLength(1);
    expect(await run('<scripts.run_script:lint>')).toMatch(fact);
    expect(await run('<scripts.run_script:build>')).not.toContain('ran with');
    // Which Node npx starts is not known.
    expect(await run('<scripts.run_script:other>')).not.toContain('ran with');
  });

  it('are run with npm where the package manager of the project is not installed, and say so', async () => {
    hidePackageManagers();
    const shown: string[] = [];
    const ask = async ({ preview }: ApprovalRequest) => {
      shown.push((await preview?.())!);
      return { decision: 'allow' } as const;
    };
    const scripts = { lint: 'echo fine', all: 'pnpm -r lint' };
    const files = { 'package.json': JSON.stringify({ packageManager: 'pnpm@10.0.0', scripts }) };
    const { run } = open(files, approvalPolicy({ ask }));
    expect(await run('@scripts()')).toContain(
      'pnpm is not installed: npm runs the scripts, except those that call pnpm themselves: all. Arguments',
    );
    expect(await run('<scripts.check:>')).toMatch(/^ok lint \(exit 0, .*\) with npm, since pnpm is not installed$/);
    expect(shown).toEqual(['runs npm run lint --, with npm, since pnpm is not installed\n  lint: echo fine']);
    expect(await run('<scripts.run_script:all>')).toBe(
      "ResourceError: pnpm is not installed, and 'all' calls it. The user can install it.",
    );
  });

  it('are left out of a check and named where their program is not installed', { tags: ['long'] }, async () => {
    hidePackageManagers();
    const scripts = { lint: 'echo fine', test: 'pnpm lint && pnpm build && true', build: 'pnpm -r build' };
    const files = {
      'package.json': JSON.stringify({ packageManager: 'pnpm@10.0.0', scripts }),
      'a.test.js': '',
      'tsconfig.json': '{}',
    };
    const reasons: (string | undefined)[] = [];
    const ask = async ({ reason }: ApprovalRequest) => {
      reasons.push(reason);
      return { decision: 'allow' } as const;
    };
    const test = tool('Tests.', { target: z.string().default('') }, () => 'tested');
    const tests = defineResourcespace({ name: 'tests', description: 'Tests.', tools: { test } });
    const source = { name: 'source', description: 'Code.', tools: {}, children: () => ({ tests }) };
    const { run } = open(files, approvalPolicy({ ask }), [defineResourcespace(source)]);
    expect(await run('@scripts()')).toContain(
      'Checks: lint (<check:>). pnpm is not installed: npm runs the scripts, except those that call pnpm themselves: test, build. Argu',
    );
    expect(await run('<scripts.check:>')).toMatch(
      /^ok lint \(.*\nNOT RUN test: pnpm is not installed, and 'test' calls it\. The user can install it\. Instead: <scripts\.run_script:lint>, <source\.tests\.test:>, <source\.diagnostics:>$/,
    );
    // What it offers may be called without another question.
    expect(await run('<source.tests.test:>')).toBe('tested');
    expect(reasons).toEqual([undefined, undefined]);
    const alone = {
      'package.json': JSON.stringify({ packageManager: 'pnpm@10.0.0', scripts: { test: scripts.test } }),
    };
    expect(await open(alone).run('<scripts.check:>')).toMatch(/^ResourceError: pnpm is not installed/);
  });
});

/** Lets programs be found as on a machine that has Node, npm and a shell only. */
function hidePackageManagers(): void {
  const path = process.env['PATH'];
  const folder = mkdtempSync(join(tmpdir(), 'bae-programs-'));
  const npm = path!
    .split(':')
    .map((place) => join(place, 'npm'))
    .find(existsSync)!;
  for (const [name, target] of [
    ['npm', npm],
    ['node', process.execPath],
    ['sh', '/bin/sh'],
  ] as const)
    symlinkSync(target, join(folder, name));
  process.env['PATH'] = folder;
  onTestFinished(() => {
    process.env['PATH'] = path;
    rmSync(folder, { recursive: true, force: true });
  });
}
