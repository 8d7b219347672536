// Measures speed as ratios within one run, prints one line a figure, and exits 1 when one is over its limit.
import { isWithin, measurementLine } from './measure.ts';
import { diagnosticsSpeed } from './diagnostics-speed.ts';
import { parseSpeed } from './parse-speed.ts';
import { runBlockSpeed } from './run-block-speed.ts';
import { pluginStart } from './plugin-start.ts';
import { searchSpeed } from './search-speed.ts';
import { sessionSums } from './session-sums.ts';
import { sourceIndex } from './source-index.ts';
import { startUp } from './start-up.ts';
import { stepOverhead } from './step-overhead.ts';
import { taskSpeed } from './task-speed.ts';

let over = 0;
for (const measure of [
  startUp,
  parseSpeed,
  stepOverhead,
  searchSpeed,
  pluginStart,
  taskSpeed,
  sourceIndex,
  diagnosticsSpeed,
  runBlockSpeed,
  sessionSums,
]) {
  for (const measurement of await measure()) {
    if (!isWithin(measurement)) over++;
    console.log(measurementLine(measurement));
  }
}
process.exitCode = over === 0 ? 0 : 1;
