import { ResourceError, type ToolContext } from '@bae/core';
import { adviseCommand, choosePython, type CommandAccess, findPytest } from '@bae/project';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import { findOtherCode, nameOtherLanguage } from '../modules/other-code.ts';
import type { ModuleIndex } from '../modules/module-index.ts';

interface OtherTestsRequest {
  readonly root: WorkspaceRoot;
  /** Index of the modules whose tests can be run. */
  readonly index: ModuleIndex;
  /** The tests that were asked for, as written: a path, a module, `test_a.py::test_b`, or nothing for all. */
  readonly wanted: string;
  /** True if no tests of the project can be run here. */
  readonly hasNone: boolean;
  readonly commands?: CommandAccess | undefined;
}

/** Explains that tests of another language are not run here, and how they can be; undefined for everything else. */
export async function explainOtherTests({
  root,
  index,
  wanted,
  hasNone,
  commands,
}: OtherTestsRequest): Promise<ResourceError | undefined> {
  const path = await findOtherFile(root, wanted);
  const others = path === undefined && hasNone ? await findOtherCode(root, index) : undefined;
  const ending = path === undefined ? others?.ending : path.slice(path.lastIndexOf('.') + 1);
  if (ending === undefined) return undefined;
  const subject = path === undefined ? '' : `${formatPath(path)} exists, but `;
  const fact = `${subject}only tests of JavaScript and TypeScript are run here.`;
  const words = path === undefined ? '' : wanted.trim().includes('::') ? wanted.trim() : path;
  // The scripts of a project include its tests for pytest.
  if (ending === 'py' && (await findPytest(root, '')) !== undefined)
    return new ResourceError(fact, [`<scripts.run_script:${`pytest ${quoteTestPath(words)}`.trim()}>`]);
  const command = await chooseCommand(root, ending, words);
  if (command === undefined) return new ResourceError(fact, path === undefined ? [] : [`<home.R:${path}>`]);
  const { text, hints } = adviseCommand(commands, command);
  return new ResourceError([fact, text].filter((part) => part !== '').join(' '), hints);
}

interface OtherTestsQuestion extends Pick<OtherTestsRequest, 'root' | 'index' | 'commands'> {
  /** Makes tags that the answer suggests. */
  readonly tag?: ToolContext['tag'];
}

/**
 * Describes the code of a project without tests that run here, and how the tests of its language can be run; `''` when
 * there is none.
 */
export async function describeOtherTests({
  root,
  index,
  commands,
  tag = (text) => text,
}: OtherTestsQuestion): Promise<string> {
  const others = await findOtherCode(root, index);
  if (others === undefined) return '';
  if (others.ending === 'py' && (await findPytest(root, '')) !== undefined)
    return `${others.text} Their tests: ${tag('<scripts.run_script:pytest>')}`;
  const command = await chooseCommand(root, others.ending, '');
  if (command === undefined) return others.text;
  const { text, hints } = adviseCommand(commands, command);
  return [others.text, text, ...hints.map((hint) => `Their tests: ${tag(hint)}`)]
    .filter((part) => part !== '')
    .join(' ');
}

/** Finds the file of another language that a test was named by. */
async function findOtherFile(root: WorkspaceRoot, wanted: string): Promise<string | undefined> {
  const text = wanted
    .trim()
    .replace(/::.*$/s, '')
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '');
  if (text === '' || /[\0*?{]/.test(text)) return undefined;
  const candidates = [text, `${text}.py`, `${text.replaceAll('.', '/')}.py`];
  for (const path of candidates.filter((one) => nameOtherLanguage(one) !== undefined)) {
    try {
      if (await root.exists(path)) return path;
    } catch {
      // It is outside the workspace, so it is no file of the project.
    }
  }
  return undefined;
}

/** Chooses the command that runs the tests of a language, of one file or all; undefined if it has no usual one. */
async function chooseCommand(root: WorkspaceRoot, ending: string, path: string): Promise<string | undefined> {
  if (ending === 'py') {
    const python = await choosePython(root);
    const runner = (await isForUnittest(root, path)) ? 'unittest' : 'pytest';
    return `${python} -m ${runner} ${quoteTestPath(path)}`.trim();
  }
  if (ending === 'go') return `go test ./${path.includes('/') ? quoteTestPath(path.replace(/[^/]*$/, '')) : '...'}`;
  return ending === 'rs' ? 'cargo test' : undefined;
}

/** Tests whether a file of tests needs only the runner that comes with Python. */
async function isForUnittest(root: WorkspaceRoot, path: string): Promise<boolean> {
  if (!path.endsWith('.py')) return false;
  const { text } = await root.readText(path);
  return /^\s*(?:import|from) unittest\b/m.test(text) && !/\bpytest\b/.test(text);
}

function quoteTestPath(text: string): string {
  return /^[\w./:@+-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
