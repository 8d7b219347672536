// Runs the tests of every package, and says at the very end which failed: `pnpm test`, `pnpm test --filter @bae/core`.
// A package that fails hides nothing of the others.
import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

const args = ['run', 'test', '--continue=dependencies-successful', '--output-logs=new-only'];
// Tests wait for programs, sockets and threads, and builds for each other: with twice as many packages as cores, no core
// is idle. Those of `pnpm faults` measure memory and kill processes: one package after the other.
args.push(process.env.BAE_FAULTS === undefined ? '--concurrency=200%' : '--concurrency=1');
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1' };
// The compiler of the builds is a program in Go: for a few seconds of work, collecting garbage is a fifth of it.
env.GOGC ??= 'off';
if (process.stdout.isTTY) env.FORCE_COLOR ??= '1';
const turbo = spawn('turbo', [...args, ...process.argv.slice(2)], { stdio: ['inherit', 'pipe', 'inherit'], env });

const counts = { passed: 0, failed: 0 };
const failures = new Set();
/** Per package, what its test runner says of failed tests, and of errors that no test caught. */
const reports = new Map();
/** A log that is kept only in part is kept from its end. */
const LONGEST_REPORT = 60;
let rest = '';

turbo.stdout.on('data', (chunk) => {
  process.stdout.write(chunk);
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) noteLine(stripVTControlCharacters(line));
});

turbo.on('error', (error) => {
  console.error(`cannot start turbo: ${error.message}. Install the packages first: npx --yes pnpm@12.21.0 install`);
  process.exitCode = 1;
});

turbo.on('close', (code) => {
  for (const [name, { lines }] of reports) {
    if (lines.length === 0) continue;
    const more = lines.length - LONGEST_REPORT;
    const shown = lines.slice(0, LONGEST_REPORT).join('\n');
    console.log(`\n== ${name}\n${shown}${more > 0 ? `\n… ${more} more lines above` : ''}`);
  }
  if (failures.size > 0) console.log(`\nFailed:\n${[...failures].map((failure) => `  ${failure}`).join('\n')}`);
  // Packages that have not changed since their last run are not run again.
  console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
  process.exitCode = code ?? 1;
});

/** Takes from a line of a package's output which test failed and why, and how many passed. */
function noteLine(line) {
  const [, name = '', text = ''] = /^(@bae\/[\w-]+):test: (.*)$/.exec(line) ?? [];
  const failure = /^\s*FAIL\s+(.+)$/.exec(text)?.[1];
  if (failure !== undefined) failures.add(`${name} ${failure}`);
  // One that no test caught fails its package without a failed test.
  const uncaught = /^This error originated in "(.+?)"/.exec(text)?.[1];
  if (uncaught !== undefined) failures.add(`${name} ${uncaught} > an error that no test caught`);
  noteReport(name, text);
  if (!/^\s*Tests\s/.test(text)) return;
  for (const kind of ['passed', 'failed']) counts[kind] += Number(new RegExp(`(\\d+) ${kind}`).exec(text)?.[1] ?? 0);
}

/** Keeps the part of a package's output between the headings of its failures and the sums. */
function noteReport(name, text) {
  if (name === '') return;
  const report = reports.get(name) ?? { isOpen: false, lines: [] };
  reports.set(name, report);
  if (/^\W*(Failed (Tests|Suites) \d+|Unhandled Errors)\W*$/.test(text)) report.isOpen = true;
  else if (/^\s*Test Files\s/.test(text)) report.isOpen = false;
  if (report.isOpen) report.lines.push(text);
}
