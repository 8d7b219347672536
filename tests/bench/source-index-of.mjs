// Measures the index of a copy of any project: `node bench/source-index-of.mjs FOLDER`; exits 1 when over a limit.
import { copiedCode } from './copied-code.ts';
import { isWithin, measurementLine } from './measure.ts';
import { sourceIndexOf } from './source-index.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node bench/source-index-of.mjs FOLDER');
  process.exit(2);
}
const project = await copiedCode(folder);
try {
  console.log(`${folder}: ${project.paths.length} modules`);
  const measurements = await sourceIndexOf(project);
  for (const measurement of measurements) console.log(measurementLine(measurement));
  process.exitCode = measurements.every(isWithin) ? 0 : 1;
} finally {
  project[Symbol.dispose]();
}
