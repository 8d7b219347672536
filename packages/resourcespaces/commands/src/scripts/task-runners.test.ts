import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApprovalRequest } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Files, openPlace, temporaryFolder } from '../../test/open-commands.ts';
import { findScripts } from './find-scripts.ts';
import { ScriptsSpace } from './scripts-space.ts';
import { describeHiddenTasks } from './task-runners.ts';

function open(files: Files): WorkspaceRoot {
  const root = new WorkspaceRoot(temporaryFolder(files));
  onTestFinished(() => root[Symbol.dispose]());
  return root;
}

/** Renders the scripts of a folder as `name: what it runs [command]`, and what may be missing. */
async function list(files: Files): Promise<readonly string[]> {
  const root = open(files);
  const scripts = await findScripts(root, '');
  return [
    ...scripts.map(
      ({ name, steps, command }) => `${name}: ${steps.map(({ text }) => text).join(' | ')} [${command.join(' ')}]`,
    ),
    ...(await describeHiddenTasks(root, '')),
  ];
}

const MORE = 'may define more tasks, whose names could not be read from it.';

describe('the tasks of a runner, read without running its file', () => {
  it('are those of Jake, with their namespaces', async () => {
    const jakefile = `desc('Builds (all of it)');
task('build', ['lint'], function () {
  jake.exec('rollup)');
});
// task('old');
namespace('doc', function () {
  task("build", function () {});
  namespace('web', () => { jake.task('push', () => {}); });
});
task('lint', () => {});
my.task('none');
`;
    const says = 'what Jakefile says';
    expect(await list({ Jakefile: jakefile })).toEqual([
      `build: ${says} [jake build]`,
      `doc:build: ${says} [jake doc:build]`,
      `doc:web:push: ${says} [jake doc:web:push]`,
      `lint: ${says} [jake lint]`,
    ]);
    for (const more of ['task(name, () => {});', "testTask('Shop', () => {});", 'task({ all: [] });', 'task(`a${b}`);'])
      expect((await list({ 'jakefile.js': more })).at(-1)).toBe(`jakefile.js ${MORE}`);
  });

  it('are those of Grunt', async () => {
    const gruntfile = `module.exports = (grunt) => {
  grunt.registerTask('default', ['lint', 'test']);
  grunt.registerMultiTask("pack", 'Packs', function () {});
};
`;
    const tasks = ['default: what Gruntfile.js says [grunt default]', 'pack: what Gruntfile.js says [grunt pack]'];
    expect(await list({ 'Gruntfile.js': gruntfile })).toEqual(tasks);
    for (const more of ["grunt.loadNpmTasks('grunt-x');", 'grunt.registerTask(name, []);'])
      expect((await list({ 'Gruntfile.js': more })).at(-1)).toBe(`Gruntfile.js ${MORE}`);
  });

  it('are those of gulp, in both of its forms', async () => {
    const gulpfile = `gulp.task('build', () => {});
exports.clean = clean;
export const styles = () => {};
export async function scripts() {}
export default series(styles, scripts);
`;
    const names = (await list({ 'gulpfile.mjs': gulpfile })).map((line) => line.replace(/:.*\[/, ' ['));
    expect(names).toEqual(['build', 'clean', 'styles', 'scripts', 'default'].map((name) => `${name} [gulp ${name}]`));
    for (const more of ['export { a };', 'module.exports = { a };', 'gulp.task(a);'])
      expect((await list({ 'gulpfile.js': more })).at(-1)).toBe(`gulpfile.js ${MORE}`);
  });

  it('are those of Task, with their commands', async () => {
    const taskfile = `version: '3'
vars:
  tasks: 1
tasks:
  # All of it.
  build:
    desc: Builds
    cmds: # both
      - go build ./...
      - echo done
  "lint:all": golangci-lint run

  clean:
    internal: true
    cmds: [rm -rf dist]
  all:
    cmds:
      - task: build
other: 1
`;
    expect(await list({ 'Taskfile.yml': taskfile })).toEqual([
      'build: go build ./... && echo done [task build]',
      'lint:all: golangci-lint run [task lint:all]',
      'all: what Taskfile.yml says [task all]',
    ]);
    for (const text of [taskfile.replaceAll('\n', '\r\n'), taskfile.replace('\ntasks:', '\n"tasks": # all')])
      expect(await list({ 'Taskfile.yml': text })).toHaveLength(3);
    expect(await list({ 'Taskfile.yml': 'includes:\n  docs: ./docs\n' })).toEqual([`Taskfile.yml ${MORE}`]);
    expect(await list({ 'Taskfile.yml': 'tasks:\n' })).toEqual([]);
    for (const more of ['tasks: { a: b }\n', 'tasks:\n  "a b": c\n'])
      expect(await list({ 'Taskfile.yml': more })).toEqual([`Taskfile.yml ${MORE}`]);
  });

  it.each([
    ['    sources:\n      - "**/*.go"\n      - go.mod\n', ''],
    ['    cmds:\n      - go vet\n    sources:\n      - go.mod\n', 'go vet'],
    ['    cmds:\n    - go vet\n    - go test\n    silent: true\n', 'go vet && go test'],
    ['    deps:\n      - clean\n    cmds:\n      - go vet\n', ''],
    ['    deps: [build]\n', ''],
    ['    cmds:\n      - go vet\n      - cmd: rm -rf dist\n', ''],
    ['    cmds:\n      - |\n        rm -rf dist\n', ''],
    ['    cmds:\n      - "go vet"\n', ''],
    ['    - go vet\n', ''],
  ])('of Task show what they run only where that is certain: %j', async (body, runs) => {
    expect(await list({ 'Taskfile.yml': `tasks:\n  a:\n${body}` })).toEqual([
      `a: ${runs || 'what Taskfile.yml says'} [task a]`,
    ]);
  });

  it('are those of Deno', async () => {
    const settings = `{
  // What it runs.
  "tasks": { "dev": "deno run -A main.ts", "test": { "command": "deno test" }, "all": { "dependencies": ["dev"] }, },
}`;
    expect(await list({ 'deno.jsonc': settings })).toEqual([
      'dev: deno run -A main.ts [deno task dev]',
      'test: deno test [deno task test]',
      'all: what deno.jsonc says [deno task all]',
    ]);
    const commented = '{ "name": "a//b,}", /* all */ // of it\n "tasks": { "dev": "serve", // it\n } }';
    expect(await list({ 'deno.jsonc': commented })).toEqual(['dev: serve [deno task dev]']);
    expect(await list({ 'deno.json': '{ "tasks": ' })).toEqual([`deno.json ${MORE}`]);
  });

  it('are those of tox and nox', async () => {
    const tox = `[tox]
envlist = py311,
    lint

[testenv]
commands = python run.py

[testenv:lint]
commands =
    ruff check .
    mypy src
[flake8]
`;
    expect(await list({ 'tox.ini': tox })).toEqual([
      'py311: what tox.ini says [tox -e py311]',
      'lint: ruff check . && mypy src [tox -e lint]',
    ]);
    expect(await list({ 'tox.ini': '[tox]\nenv_list =\n  py{311,312}\n' })).toEqual([`tox.ini ${MORE}`]);
    const mixed = '[tox]\nenvlist = lint,\n    # keep lint last\n    type # of it\n    py{39,310,311}, a\n    b\n';
    expect(await list({ 'tox.ini': mixed })).toEqual([
      'lint: what tox.ini says [tox -e lint]',
      'type: what tox.ini says [tox -e type]',
      `tox.ini ${MORE}`,
    ]);
    expect(await list({ 'tox.ini': '[testenv:py{39,310}]\ncommands = nose\n' })).toEqual([`tox.ini ${MORE}`]);
    const nox = `import nox

@nox.session(python=["3.11", "3.12"])
def tests(session):
    session.run("python", "run.py")

@nox.session(name="type-check")
@other
def types(session): ...

@nox.session
def lint(session): ...
`;
    expect((await list({ 'noxfile.py': nox })).map((line) => line.replace(/:.*\[/, ' ['))).toEqual([
      'tests [nox -s tests]',
      'type-check [nox -s type-check]',
      'lint [nox -s lint]',
    ]);
    expect(await list({ 'noxfile.py': '@nox.session(name=NAME)\ndef a(session): ...\n' })).toContain(
      `noxfile.py ${MORE}`,
    );
  });

  it('are started with npx where the runner is a package of the project, and come after its scripts', async () => {
    const files = {
      'package.json': '{"scripts": {"test": "jake test"}}',
      Jakefile: "task('test', () => {});\ntask('build', () => {});\n",
      'node_modules/.bin/jake': '',
    };
    expect(await list(files)).toEqual([
      'test: jake test [npm run test --]',
      'build: what Jakefile says [npx --no-install jake build]',
    ]);
  });

  const NAME = 'name="x",\n';
  it.each([
    ['Jakefile', '', '/*\n'],
    ['Jakefile', '', "namespace('a',\n"],
    ['Gruntfile.js', '', 'registerTask(\n'],
    ['gulpfile.js', '', 'export '],
    ['Taskfile.yml', 'tasks:\n', ' \n'],
    ['Taskfile.yml', 'tasks:\n  a:\n', '\n'],
    ['Taskfile.yml', 'tasks:\n  a:\n', '    - \n'],
    ['deno.jsonc', '{ "tasks": "', '\\"'],
    ['deno.jsonc', '{', '/* '],
    ['tox.ini', 'envlist =\n', ' \n'],
    ['noxfile.py', '@session(', NAME],
    ['noxfile.py', '', '@session()\n'],
    ['noxfile.py', '', '@session(name=\n'],
  ])('take no longer than their file, whatever that is: %s with %j and many %j', async (file, head, part) => {
    const root = open({ [file]: head + part.repeat((60 * 1024) / part.length) });
    const start = process.cpuUsage();
    await findScripts(root, '');
    await describeHiddenTasks(root, '');
    const { user } = process.cpuUsage(start);
    expect(user).toBeLessThan(400_000);
  });

  it('are not read from a long file', async () => {
    expect(await list({ Jakefile: "task('a', b);\n".repeat(6000) })).toEqual([`Jakefile ${MORE}`]);
  });
});

it('a task of another runner is run by its name, and consent for it names the file', { tags: ['long'] }, async () => {
  const asked: string[] = [];
  const files = {
    'package.json': '{"scripts": {"test": "jake test"}}',
    Jakefile: "task('build', () => {});\ntask(other, () => {});\n",
    'node_modules/.bin/jake': '#!/bin/sh\necho "built with $*"\n',
  };
  const folder = temporaryFolder(files);
  chmodSync(join(folder, 'node_modules/.bin/jake'), 0o755);
  const approver = {
    approve: async ({ preview, target }: ApprovalRequest) => {
      asked.push(`${target}: ${await preview?.()}`);
      return { allow: true as const };
    },
  };
  const { send } = openPlace(ScriptsSpace, folder, { approver });
  expect(await send('<R:>')).toBe(
    `test: jake test  (package.json)\nbuild: what Jakefile says  (Jakefile)\nRun one: <run_script:test>.\nJakefile ${MORE}`,
  );
  expect(await send('<run_script:build fast>')).toMatch(/^ok build \(.*\)\nbuilt with build fast$/m);
  writeFileSync(join(folder, 'Jakefile'), `${files.Jakefile}// other\n`);
  await send('<run_script:build fast>');
  const [first = '', second] = asked;
  expect(first).toMatch(
    /^command:npx --no-install jake build fast #\w+: runs npx --no-install jake build fast\n {2}build: what Jakefile says/,
  );
  // A remembered answer is for the file as it was.
  expect(second?.split(':', 2)).not.toEqual(first.split(':', 2));
});

describe('where the program of some scripts is not installed', () => {
  const JAKEFILE = { Jakefile: "task('lint', () => {});\ntask('test', () => {});\n" };
  const missing = 'jake is not installed, and runs the scripts of Jakefile. The user can install it.';

  it('the others are offered, and checks are chosen among them first', { tags: ['long'] }, async () => {
    const files = {
      ...JAKEFILE,
      'package.json': '{}',
      'gulpfile.js': 'exports.tests = () => {};\n',
      'node_modules/.bin/gulp': '#!/bin/sh\necho "ran $*"\n',
    };
    const folder = temporaryFolder(files);
    chmodSync(join(folder, 'node_modules/.bin/gulp'), 0o755);
    const { send } = openPlace(ScriptsSpace, folder);
    const list = await send('<R:>');
    expect(list).toContain('test: what Jakefile says  (Jakefile, jake is not installed)');
    expect(list).toContain('Run one: <run_script:tests>.');
    expect(await send('<check:>')).toMatch(/^ok tests \(.*\)\nNOT RUN lint: jake is not installed/);
  });

  it('the check that is named is the one that runs', { tags: ['long'] }, async () => {
    const files = {
      'package.json': '{"scripts": {"lint": "no-such-linter check"}}',
      'gulpfile.js': 'exports.vet = () => {};\n',
      'node_modules/.bin/gulp': '#!/bin/sh\necho "ran $*"\n',
    };
    const folder = temporaryFolder(files);
    chmodSync(join(folder, 'node_modules/.bin/gulp'), 0o755);
    const { entered, send } = openPlace(ScriptsSpace, folder);
    expect((await entered).calls[0]?.result.text).toContain('Checks: vet (<check:>).');
    expect(await send('<check:>')).toMatch(/^ok vet \(/);
    expect(await send('<check:vet all=true>')).toMatch(/^ok vet \(/);
  });

  it('it is said once that no check can run', async () => {
    const { send } = openPlace(ScriptsSpace, temporaryFolder(JAKEFILE));
    expect(await send('<check:>')).toBe(`ResourceError: ${missing}`);
  });
});
