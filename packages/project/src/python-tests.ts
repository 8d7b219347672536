import { join } from 'node:path';
import type { WorkspaceRoot } from '@bae/workspace';
import { findProgram } from './find-program.ts';

/** How the tests of a Python project are run, and the file that says so. */
export interface PythonTests {
  readonly file: string;
  /** Content of the file. */
  readonly text: string;
  readonly command: readonly [string, ...string[]];
  /**
   * Path of a folder, relative to the root, whose packages are not installed. The command makes them known to pytest;
   * programs that tests start know them by `PYTHONPATH`.
   */
  readonly packages?: string;
}

/** Files that say that a project is tested with pytest, with what they contain if they may be there for others. */
const MARKERS: readonly (readonly [file: string, says: RegExp])[] = [
  ['pytest.ini', /^/],
  ['pyproject.toml', /^\[tool\.pytest\b/m],
  ['setup.cfg', /^\[tool:pytest\]/m],
  ['tox.ini', /^\[pytest\]|\bpytest\b/m],
  ['conftest.py', /^/],
  ...['test', 'tests', 'testing'].map((folder) => [`${folder}/conftest.py`, /^/] as const),
];

/** Matches a test file that the standard library alone does not run. */
const IS_PYTEST = /^(?:async )?def test|\bpytest\b/m;
/** Maximum number of test files that are looked at. */
const MOST_TEST_FILES = 5;

/** Programs that run others in the environment of a project, by their lockfiles. */
const RUNNERS: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'uv.lock': ['uv', 'run'],
  'poetry.lock': ['poetry', 'run'],
};

/** Finds out how pytest runs the tests of a folder; undefined if there are none, and nothing says that it would. */
export async function findPytest(root: WorkspaceRoot, folder: string): Promise<PythonTests | undefined> {
  const at = (name: string): string => (folder === '' ? name : `${folder}/${name}`);
  const names = [
    ...MARKERS.map(([name, says]) => [at(name), says] as const),
    ...(await listTestFiles(root, at)).map((name) => [name, IS_PYTEST] as const),
  ];
  for (const [file, says] of names) {
    if (!(await root.exists(file))) continue;
    const { text } = await root.readText(file);
    if (!says.test(text)) continue;
    const runner = await findEnvironmentRunner(root, folder);
    const isThere = runner !== undefined && (await findProgram(runner[0], { folder: root.folder })) !== undefined;
    const python = (await findEnvironmentPython(root, folder)) ?? (await choosePython(root));
    const hasPackages = await hasUnknownPackages(root, { folder: at('src'), text });
    const words = [python, '-m', 'pytest', ...(hasPackages ? ['-o', 'pythonpath=src'] : [])] as const;
    const command = isThere ? ([...runner, ...words] as const) : words;
    return { file, text, command, ...(hasPackages && { packages: at('src') }) };
  }
  return undefined;
}

/** Finds the first files that are named as pytest names tests, at the top or in a folder for tests. */
async function listTestFiles(root: WorkspaceRoot, at: (name: string) => string): Promise<readonly string[]> {
  const pattern = at('{,test/,tests/,testing/}{test_*,*_test}.py');
  const found = await root.stamps({ pattern, stamped: () => false });
  return [...found.keys()].toSorted().slice(0, MOST_TEST_FILES);
}

/** Tests for packages in a folder that are not installed, unless the settings say where packages are. */
async function hasUnknownPackages(
  root: WorkspaceRoot,
  { folder, text }: { readonly folder: string; readonly text: string },
): Promise<boolean> {
  if (/^\s*pythonpath\b/m.test(text)) return false;
  return (await root.stamps({ pattern: `${folder}/*/__init__.py`, stamped: () => false })).size > 0;
}

/** Returns the words that start a program in the environment of a folder, by its lockfile: `uv run`, `poetry run`. */
export async function findEnvironmentRunner(
  root: WorkspaceRoot,
  folder: string,
): Promise<readonly [string, ...string[]] | undefined> {
  for (const [lockfile, words] of Object.entries(RUNNERS))
    if (await root.exists(folder === '' || folder === '.' ? lockfile : `${folder}/${lockfile}`)) return words;
  return undefined;
}

/** Folders that environments of projects are made in. */
const ENVIRONMENTS = ['.venv', 'venv'];

/** Finds the Python of an environment in a folder, if pytest is installed in it; its path starts at the folder. */
async function findEnvironmentPython(root: WorkspaceRoot, folder: string): Promise<string | undefined> {
  const within = folder === '' ? '' : `${folder}/`;
  for (const name of ENVIRONMENTS) {
    if (!(await root.exists(`${within}${name}/pyvenv.cfg`))) continue;
    const pattern = `${within}${name}/{lib/*,Lib}/site-packages/pytest/__init__.py`;
    if ((await root.stamps({ pattern, stamped: () => false })).size === 0) continue;
    for (const python of [`${name}/bin/python`, `${name}/Scripts/python.exe`])
      if ((await findProgram(python, { folder: join(root.folder, folder) })) !== undefined) return python;
  }
  return undefined;
}

/** Returns the name under which Python is installed. */
export async function choosePython(root: WorkspaceRoot): Promise<string> {
  return (await findProgram('python', { folder: root.folder })) === undefined ? 'python3' : 'python';
}
