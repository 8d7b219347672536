import type { ToolContext } from '@bae/core';
import { chooseChecks, runsTests } from './find-scripts.ts';
import type { Script } from './script.ts';

/** Says that the package manager is not installed, and what runs all the same. */
export function describeMissingManager(scripts: readonly Script[]): readonly string[] {
  const affected = scripts.filter(({ missing }) => missing !== undefined);
  const [first] = affected;
  if (first === undefined) return [];
  const stuck = affected.filter(({ command: [program] }) => program !== 'npm').map(({ name }) => name);
  const others = stuck.length === 0 ? '' : `, but for those that call it: ${stuck.join(', ')}`;
  const runs =
    stuck.length === affected.length ? 'its scripts call it and cannot run' : `npm runs the scripts${others}`;
  return [`${first.missing} is not installed: ${runs}.`];
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
  return testFile === undefined ? [] : [`One test file: ${tag(`<source.tests.test:${testFile}>`)}.`];
}

/** Shows how words are given to a script, if there is one that is a single command. */
export function describeWords(scripts: readonly Script[], testFile: string | undefined): readonly string[] {
  // Of several commands, only the last one gets them.
  const single = scripts.filter(
    ({ name, steps }) => !/[;&|]/.test(steps.find((step) => step.name === name)?.text ?? ''),
  );
  const test = testFile === undefined ? undefined : single.find(({ name }) => /^tests?$/.test(name));
  const [other] = [...single.filter(runsTests), ...chooseChecks(single), ...single];
  if (other === undefined) return [];
  const call = test === undefined ? `${other.name} --help` : `${test.name} ${testFile}`;
  return [`Words behind a name are given to the script: <run_script:${call}>.`];
}
