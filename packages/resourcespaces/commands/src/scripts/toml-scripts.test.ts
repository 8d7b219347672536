import { chmodSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { approvalPolicy, type ApprovalRequest } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type Files, openPlace, temporaryFolder } from '../../test/open-commands.ts';
import { chooseChecks, findScripts } from './find-scripts.ts';
import { ScriptsSpace } from './scripts-space.ts';

function open(files: Files): WorkspaceRoot {
  const root = new WorkspaceRoot(temporaryFolder(files));
  onTestFinished(() => root[Symbol.dispose]());
  return root;
}

/** Renders the scripts of a folder as `name: what it runs [command]`. */
async function list(files: Files): Promise<readonly string[]> {
  const scripts = await findScripts(open(files), '');
  return scripts.map(
    ({ name, steps, command }) => `${name}: ${steps.map(({ text }) => text).join(' | ')} [${command.join(' ')}]`,
  );
}

const PYPROJECT = `
[project]
name = "shop"
scripts = { shop = "shop:main" }

[tool.poe.tasks]
test = "pytest -q tests"
"lint" = { cmd = "ruff check .", help = 'All of it [fast]' } # quick
all = ["lint", "test"]

[tool.poe.tasks.serve]
shell = """
python -m http.server
"""
help = "A server"

[tool.pdm.scripts]
fmt-check = 'ruff format --check .'

[tool.hatch.envs.default.scripts]
types = [
  "mypy src", # the library
  "mypy tests",
]
[tool.ruff]
line-length = 100
`;

it('finds the tasks of a pyproject.toml, and what each of them runs', async () => {
  expect(await list({ 'pyproject.toml': PYPROJECT })).toEqual([
    'test: pytest -q tests [poe test]',
    `lint: { cmd = "ruff check .", help = 'All of it [fast]' } # quick [poe lint]`,
    'all: lint && test [poe all]',
    'serve: shell = """ python -m http.server """, help = "A server" [poe serve]',
    'fmt-check: ruff format --check . [pdm run fmt-check]',
    'types: mypy src && mypy tests [hatch run types]',
  ]);
  expect(chooseChecks(await findScripts(open({ 'pyproject.toml': PYPROJECT }), '')).map(({ name }) => name)).toEqual([
    'fmt-check',
    'lint',
    'types',
    'test',
  ]);
});

it.each([
  ['uv.lock', 'uv run poe test'],
  ['poetry.lock', 'poetry run poe test'],
])('starts tasks in the environment of the project that %s names', async (lockfile, command) => {
  const files = { 'pyproject.toml': '[tool.poe.tasks]\ntest = "pytest"\n', [lockfile]: '' };
  expect(await list(files)).toEqual([`test: pytest [${command}]`]);
});

it.each([
  ['pyproject.toml', '[tool.pytest.ini_options]\ntestpaths = ["tests"]\n'],
  ['pytest.ini', ''],
  ['setup.cfg', '[tool:pytest]\n'],
  ['tox.ini', '[testenv]\ncommands = pytest {posargs}\n'],
  ['tests/conftest.py', ''],
  ['tests/test_cart.py', 'def test_empty():\n    pass\n'],
  ['cart_test.py', 'import pytest\n'],
])('runs pytest where %s says that it is used', async (file, text) => {
  expect((await list({ [file]: text }))[0]).toMatch(/^pytest: python3? -m pytest \[python3? -m pytest\]$/);
  const scripts = await findScripts(open({ [file]: text }), '');
  expect(chooseChecks(scripts).map(({ name }) => name)).toEqual(['pytest']);
  expect(await list({ 'setup.cfg': '[metadata]\n', 'tox.ini': '[testenv]\ncommands = nose\n' })).toEqual([]);
});

it('runs pytest with the Python of the environment in the folder, if it is installed there', async () => {
  const files = { '.gitignore': '.venv\n', 'pytest.ini': '', '.venv/pyvenv.cfg': '' };
  const installed = '.venv/lib/python3.12/site-packages/pytest/__init__.py';
  const findCommand = async (more: Files, isProgram = true): Promise<string | undefined> => {
    const root = open({ ...files, '.venv/bin/python': '', ...more });
    if (isProgram) chmodSync(join(root.folder, '.venv/bin/python'), 0o755);
    return (await findScripts(root, '')).find(({ name }) => name === 'pytest')?.command.join(' ');
  };
  expect(await findCommand({ [installed]: '' })).toBe('.venv/bin/python -m pytest');
  expect(await findCommand({})).toMatch(/^python3? -m pytest$/);
  // On Windows, everything can be started.
  if (process.platform !== 'win32')
    expect(await findCommand({ [installed]: '' }, false)).toMatch(/^python3? -m pytest$/);
});

it('runs no pytest for tests of the standard library', async () => {
  expect(await list({ 'tests/test_cart.py': 'import unittest\n\nclass Cart(unittest.TestCase): pass\n' })).toEqual([]);
});

it('tells pytest where packages are that are not installed, unless the settings do', async () => {
  const files = { 'pytest.ini': '[pytest]\n', 'src/shop/__init__.py': '' };
  expect((await list(files))[0]).toMatch(/-m pytest -o pythonpath=src\]$/);
  expect((await list({ ...files, 'pytest.ini': '[pytest]\npythonpath = lib\n' }))[0]).toMatch(/-m pytest\]$/);
});

it('lets also the programs that tests start find packages that are not installed', { tags: ['long'] }, async () => {
  const child = `import subprocess, sys; subprocess.run([sys.executable, "-c", "import shop, other"], check=True)`;
  const folder = temporaryFolder({
    'pytest.ini': '',
    'src/shop/__init__.py': '',
    'lib/other.py': '',
    '.venv/pyvenv.cfg': '',
    '.venv/lib/python3.12/site-packages/pytest/__init__.py': '',
    // Not every machine has Python.
    '.venv/bin/python': `#!/bin/sh\necho "$PYTHONPATH"\ncd /\n! python3 --version || python3 -c '${child}'\n`,
  });
  chmodSync(join(folder, '.venv/bin/python'), 0o755);
  vi.stubEnv('PYTHONPATH', join(folder, 'lib'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const shown: (string | undefined)[] = [];
  const ask = async ({ preview }: ApprovalRequest) => {
    shown.push(await preview?.());
    return { decision: 'allow' } as const;
  };
  const { send } = openPlace(ScriptsSpace, folder, { approver: approvalPolicy({ ask }) });
  const text = await send('<run_script:pytest>');
  expect(text).toMatch(/^ok pytest /);
  expect(text).toContain([join(folder, 'src'), join(folder, 'lib')].join(delimiter));
  const command = '.venv/bin/python -m pytest -o pythonpath=src';
  expect(shown).toEqual([`runs PYTHONPATH=src ${command}\n  pytest: ${command}`]);
});

it('finds what Go runs in a module', async () => {
  const scripts = await findScripts(open({ 'go.mod': 'module shop\n' }), '');
  expect(scripts.map(({ command }) => command.join(' '))).toEqual(['go build ./...', 'go vet ./...', 'go test ./...']);
  expect(chooseChecks(scripts).map(({ name }) => name)).toEqual(['vet', 'test']);
});

it('finds none in a pyproject.toml without tasks', async () => {
  expect(await list({ 'pyproject.toml': '[project]\nname = "shop"\n[tool.poe]\nverbosity = 1\n' })).toEqual([]);
});

it('finds what Cargo runs in a package, and the aliases of the project', async () => {
  expect(await list({ 'Cargo.toml': '[package]\nname = "shop"\n' })).toEqual([
    'build: cargo build [cargo build]',
    'test: cargo test [cargo test]',
    'check: cargo check [cargo check]',
  ]);
  const files = {
    'Cargo.toml': '[package]\nname = "shop"\n\n[lints.clippy]\npedantic = "warn"\n',
    'rustfmt.toml': 'max_width = 100\n',
    '.cargo/config.toml': '[alias]\nxtask = "run --package xtask --"\nb = ["build", "--release"]\n',
  };
  expect(await list(files)).toEqual([
    'fmt-check: cargo fmt --check [cargo fmt --check]',
    'clippy: cargo clippy [cargo clippy]',
    'build: cargo build [cargo build]',
    'test: cargo test [cargo test]',
    'check: cargo check [cargo check]',
    'xtask: cargo run --package xtask -- [cargo xtask]',
    'b: cargo build --release [cargo b]',
  ]);
  expect(chooseChecks(await findScripts(open(files), '')).map(({ name }) => name)).toEqual([
    'fmt-check',
    'clippy',
    'check',
    'test',
  ]);
});

it('changes the fingerprint of every task with the file', async () => {
  const one = await findScripts(open({ 'pyproject.toml': PYPROJECT }), '');
  const two = await findScripts(open({ 'pyproject.toml': PYPROJECT.replace('mypy tests', 'mypy t') }), '');
  expect(one[0]!.fingerprint).not.toBe(two[0]!.fingerprint);
});
