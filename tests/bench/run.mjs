// Measures speed as ratios within one run, prints one line a figure, and exits 1 when one is over its limit.
import { Session } from 'node:inspector/promises';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { isWithin, measurementLine } from './measure.ts';
import { diagnosticsSpeed } from './diagnostics-speed.ts';
import { parseSpeed } from './parse-speed.ts';
import { runBlockSpeed } from './run-block-speed.ts';
import { isolatedCall } from './isolated-call.ts';
import { keyEcho } from './key-echo.ts';
import { longSession } from './long-session.ts';
import { pageSpeed } from './page-speed.ts';
import { pluginStart } from './plugin-start.ts';
import { searchSpeed } from './search-speed.ts';
import { servedSessions } from './served-sessions.ts';
import { serverCall } from './server-call.ts';
import { sessionSums } from './session-sums.ts';
import { sourceIndex } from './source-index.ts';
import { startUp } from './start-up.ts';
import { stepOverhead } from './step-overhead.ts';
import { storeSpeed } from './store-speed.ts';
import { taskSpeed } from './task-speed.ts';
import { telemetryCost } from './telemetry-cost.ts';
import { yearSpeed } from './year-speed.ts';

const MEASURES = {
  start: startUp,
  parse: parseSpeed,
  step: stepOverhead,
  session: longSession,
  store: storeSpeed,
  search: searchSpeed,
  pages: pageSpeed,
  plugins: pluginStart,
  isolated: isolatedCall,
  tasks: taskSpeed,
  source: sourceIndex,
  diagnostics: diagnosticsSpeed,
  blocks: runBlockSpeed,
  servers: serverCall,
  serve: servedSessions,
  texts: sessionSums,
  telemetry: telemetryCost,
  year: yearSpeed,
  keys: keyEcho,
};

const USAGE = `Usage: pnpm bench [NAME…] [--profile]

Measures everything, or what is named: ${Object.keys(MEASURES).join(', ')}.
--profile writes a CPU profile of each to NAME.cpuprofile, for the developer tools of a browser.

Example: pnpm bench step --profile`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { profile: { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(MEASURES, name));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) console.error(`There is no bench ${unknown.join(', ')}.\n`);
  console.log(USAGE);
  process.exit(unknown.length === 0 ? 0 : 2);
}

let over = 0;
for (const name of positionals.length === 0 ? Object.keys(MEASURES) : positionals) {
  const measure = values.profile ? () => profile(name) : MEASURES[name];
  for (const measurement of await measure()) {
    if (!isWithin(measurement)) over++;
    console.log(measurementLine(measurement));
  }
}
process.exitCode = over === 0 ? 0 : 1;

/** Measures while the profiler of this process runs; it slows everything down, so the figures are only for comparison. */
async function profile(name) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  const measured = await MEASURES[name]();
  const result = await session.post('Profiler.stop');
  session.disconnect();
  const file = resolve(process.env.INIT_CWD ?? '.', `${name}.cpuprofile`);
  await writeFile(file, JSON.stringify(result.profile));
  console.log(`profile: ${file}`);
  return measured;
}
