import type { ToolContext } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import { chooseShownScript, runsTests } from './find-scripts.ts';
import { isStuck } from './no-script.ts';
import type { Script } from './script.ts';

/** Says that the package manager is not installed, and what runs all the same. */
export function describeMissingManager(scripts: readonly Script[]): readonly string[] {
  const affected = scripts.filter(({ missing }) => missing !== undefined);
  const [first] = affected;
  if (first === undefined) return [];
  const stuck = affected.filter(({ command: [program] }) => program !== 'npm').map(({ name }) => name);
  const except = stuck.length === 0 ? '' : `, except those that call ${first.missing} themselves: ${stuck.join(', ')}`;
  const runs =
    stuck.length === affected.length ? 'the scripts call it and cannot run' : `npm runs the scripts${except}`;
  return [`${first.missing} is not installed: ${runs}.`];
}

/** Names the programs that are not installed: those that run scripts with all of these, others with the check that calls them. */
export function describeMissingPrograms(
  missing: ReadonlyMap<Script, string>,
  checks: readonly Script[],
): readonly string[] {
  const stuck = [...missing].filter(([script]) => !isStuck(script));
  const runners = Map.groupBy(
    stuck.filter(([{ command }, program]) => program === command[0]),
    ([, program]) => program,
  );
  const callers = stuck.filter(([script, program]) => !runners.has(program) && checks.includes(script));
  return [
    ...Array.from(runners, ([program, own]) => {
      return `${program} is not installed: it runs ${own.map(([{ name }]) => name).join(', ')}.`;
    }),
    ...callers.map(([{ name }, program]) => `${program} is not installed: ${name} cannot run.`),
  ];
}

/** Names the checks, with the calls that run all of them and one alone. */
export function describeChecks(checks: readonly string[]): readonly string[] {
  const [first] = checks;
  if (first === undefined) return [];
  const one = checks.length === 1 ? '<check:>' : `<check:> runs all, <run_script:${first}> one`;
  return [`Checks: ${checks.join(', ')} (${one}).`];
}

/** Says how one test file is run, if there is one. */
export function describeTestFile(
  testFile: string | undefined,
  tag: ToolContext['tag'] = (text) => text,
): readonly string[] {
  return testFile === undefined
    ? []
    : [`One test file: ${tag(`<source.tests.test:${testFile}>`)}; one test: name="…".`];
}

/** Says how tests of Python will be run, where none is there yet. */
export async function describeFutureTests(root: WorkspaceRoot): Promise<string> {
  const modules = await root.stamps({ pattern: '**/*.py', stamped: () => false });
  const hasTests = [...modules.keys()].some((path) => /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(path));
  return modules.size === 0 || hasTests ? '' : ' Once there is a tests/test_NAME.py, <scripts.check:> runs pytest.';
}

/** How test runners count what passed: pytest, vitest and jest, mocha, ava, node:test, cargo, unittest. */
const TOTALS: readonly RegExp[] = [
  /^=* ?(\d+ passed\b[^=\n]*?)(?: in [\d.:]+ ?s.*)? ?=*$/,
  /^\s*Tests:?\s+(\d.*\bpassed\b.*)$/,
  /^\s*(\d+ passing)\b/,
  /^\s*(\d+ tests? passed)$/,
  /^(?:ℹ|#) (pass \d+)$/,
  /^test result: ok\. (\d+ passed)\b/,
  /^(Ran \d+ tests?)\b/,
];

/** Finds how many tests passed in the output of a test runner. */
export function findTestTotal(output: string): string | undefined {
  const lines = output.split('\n').map((line) => line.trimEnd());
  for (const line of lines.toReversed()) {
    const found = TOTALS.map((pattern) => pattern.exec(line)?.[1]).find((total) => total !== undefined);
    if (found !== undefined) return found.trim();
  }
  return undefined;
}

/** Finds how often linters and compilers warned, as they count it at the end of their output. */
export function findWarningTotal(output: string): string | undefined {
  return output.match(/(?<![\w.:-])[1-9]\d* warnings?\b/g)?.at(-1);
}

/** Shows how words are given to a script, if there is one that is a single command, or a variable to a target of make. */
export function describeWords(scripts: readonly Script[], testFile: string | undefined): readonly string[] {
  const targets = scripts.filter(({ command }) => command[0] === 'make');
  // Of several commands, only the last one gets them.
  const single = scripts.filter(
    ({ name, steps, takesWords }) =>
      takesWords !== false && !/[;&|]/.test(steps.find((step) => step.name === name)?.text ?? ''),
  );
  const test = testFile === undefined ? undefined : single.find(({ name }) => /^tests?$/.test(name));
  const other = single.find(runsTests) ?? chooseShownScript(single);
  if (other === undefined) return targets.flatMap(describeVariable).slice(0, 1);
  const call = test === undefined ? `${other.name} --help` : `${test.name} ${testFile}`;
  return [`Arguments after a name are given to the script: <run_script:${call}>.`];
}

/** Shows how the first variable in the commands of a target is set; what make calls its own, it sets itself. */
function describeVariable({ name, steps }: Script): readonly string[] {
  const variable = /\$[({](?!MAKE|CURDIR|SHELL)([A-Za-z_]\w*)[)}]/.exec(steps[0]?.text ?? '')?.[1];
  return variable === undefined ? [] : [`Variables are given by name: <run_script:${name} ${variable}=…>.`];
}
