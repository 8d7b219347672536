import { findNearestName, ResourceError } from '@bae/core';
import { adviseCommand, type CommandAccess, findProgram } from '@bae/project';
import type { WorkspaceRoot } from '@bae/workspace';
import { quoteCommand } from '../command-words.ts';
import type { Script } from './script.ts';

/** A name that is no script with the words behind it. */
interface UnknownScript {
  readonly sent: readonly string[];
  readonly folder: string;
  readonly scripts: readonly Script[];
}

interface Place {
  readonly root: WorkspaceRoot;
  readonly commands: CommandAccess | undefined;
}

/** Programs that run a file, by its ending. */
const INTERPRETERS: readonly (readonly [ending: RegExp, program: readonly string[]])[] = [
  [/\.[cm]?[jt]s$/, ['node']],
  [/\.py$/, ['python3']],
  [/\.sh$/, ['sh']],
];

/** Words before the name of a script with which a shell would run its program. */
const LAUNCHER =
  /^(?:python3? -m|(?:uv|poetry|pdm|hatch) run(?: python3? -m)?|npx(?: --no-install)?|npm run|pnpm(?: run| exec)?|yarn(?: run)?) /;

/** Says that a name is no script, and how a program of that name is run, or the test file that it was given. */
export async function explainUnknownScript(
  { sent, folder, scripts }: UnknownScript,
  place: Place,
): Promise<ResourceError> {
  const [name = '', ...args] = sent;
  const [launcher] = LAUNCHER.exec(sent.join(' ')) ?? [];
  const inner = launcher === undefined ? [] : sent.slice(launcher.trim().split(' ').length);
  if (scripts.some((script) => script.name === inner[0]))
    return new ResourceError(`no script '${name}', but '${inner[0]}'.`, [`<run_script:${quoteCommand(inner)}>`]);
  const types = name === 'tsc' ? await suggestDiagnostics(place.root, folder) : [];
  const user = scripts.find(({ steps }) => steps.some(({ text }) => text.split(/[\s;&|]+/).includes(name)));
  const { message, hints } = user === undefined ? createNoScriptError(name, scripts) : explainUser(sent, user);
  const program = INTERPRETERS.find(([ending]) => ending.test(name))?.[1] ?? [];
  if (args.length === 0 && user === undefined && program.length === 0)
    return new ResourceError(message, [...types, ...hints]);
  const { text, hints: commands } = await adviseProgram([...program, ...sent], place);
  const tests = args.filter((arg) => /\.[cm]?[jt]sx?$/.test(arg)).map((file) => `<source.tests.test:${file}>`);
  return new ResourceError([message, text].filter((sentence) => sentence !== '').join(' '), [
    ...types,
    ...(isStuck(user) ? [] : tests.slice(0, 1)),
    ...commands,
    ...hints,
  ]);
}

/** Tests whether a script cannot run, because it calls a package manager that is not installed. */
export function isStuck(script: Script | undefined): boolean {
  return script?.missing !== undefined && script.command[0] === script.missing;
}

function explainUser(
  [name = '', ...args]: readonly string[],
  user: Script,
): { readonly message: string; readonly hints: readonly string[] } {
  const fact = `no script '${name}'. '${user.name}' runs it`;
  if (isStuck(user)) return { message: `${fact}, but calls ${user.missing}, which is not installed.`, hints: ['<R:>'] };
  const tests = TEST_RUNNER.test(name) ? ['<source.tests.test:>'] : [];
  const part = user.parts?.findIndex((text) => text === name || text.startsWith(`${name} `)) ?? -1;
  if (part !== -1) {
    const words = quoteCommand([user.name, ...args]);
    return { message: `${fact} as its part ${part + 1}.`, hints: [...tests, `<run_script:${words} part=${part + 1}>`] };
  }
  const hints = tests.length > 0 ? tests : [`<run_script:${user.name}>`];
  return { message: `${fact}, with all else that is in it.`, hints };
}

/** Programs that `source.tests` runs directly. */
const TEST_RUNNER = /^(?:vitest|jest|mocha|ava|tape|tap)$/;

/** Advises how to run a program of this machine or of the project; one that is on neither is said not to be installed. */
async function adviseProgram([name = '', ...args]: readonly string[], { root, commands }: Place) {
  if ((await findProgram(name, { folder: root.folder })) !== undefined)
    return adviseCommand(commands, quoteCommand([name, ...args]));
  if (await root.exists(`node_modules/.bin/${name}`))
    return adviseCommand(commands, quoteCommand(['npx', '--no-install', name, ...args]));
  return { text: commands === undefined ? '' : `${name} is not installed.`, hints: [] };
}

/** Offers to read a file at home, if a name looks like one. */
export function suggestRead(name: string): readonly string[] {
  return /^[\w./@-]+\.\w+(?::[\d-]+)?$/.test(name) ? [`<home.R:${name}>`] : [];
}

/** Says that there is no script of a name, with the one that was meant, or all. */
export function createNoScriptError(name: string, scripts: readonly Script[]): ResourceError {
  const names = scripts.map((script) => script.name);
  const nearest = findNearestName(name, names);
  const remedy = nearest === undefined ? `Scripts: ${names.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
  return new ResourceError(`no script '${name}'. ${remedy}`, [
    ...suggestRead(name),
    nearest === undefined ? '<R:>' : `<run_script:${nearest}>`,
  ]);
}

/** Offers the type errors that are known without a script, where there are settings of TypeScript. */
export async function suggestDiagnostics(root: WorkspaceRoot, folder: string): Promise<readonly string[]> {
  const names = ['tsconfig.json', 'jsconfig.json'].map((name) => (folder === '' ? name : `${folder}/${name}`));
  const areThere = await Promise.all(names.map((name) => root.exists(name)));
  return areThere.includes(true) ? ['<source.diagnostics:>'] : [];
}
