// Runs a file of examples of the protocol against the built core: `pnpm conformance FILE`.
// Exit codes: 0 all passed, 1 some failed, 2 the file cannot be used.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { runExamples } from './run-examples.ts';
import { readExamples } from './example.ts';

const [file] = process.argv.slice(2);
const examples = load(file);
const outcomes = await runExamples(examples);
const failed = outcomes.filter((outcome) => !outcome.passed);
for (const { id, fn, expected, got } of failed) {
  console.log(`FAILED ${id} (${fn})\n  expected ${show(expected)}\n  got      ${show(got)}`);
}
console.log(`${outcomes.length - failed.length} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

function load(name) {
  if (name === undefined) give('no file named. Usage: pnpm conformance FILE');
  // The package manager runs scripts in the root; a relative name means the folder it was typed in.
  const path = resolve(process.env.INIT_CWD ?? '.', name);
  try {
    return readExamples(readFileSync(path, 'utf8'));
  } catch (error) {
    return give(`${path}: ${error.message}`);
  }
}

function give(reason) {
  console.error(`conformance: ${reason}`);
  process.exit(2);
}

function show(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text ?? inspect(value);
}
