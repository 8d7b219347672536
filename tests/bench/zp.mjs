import { measurementLine } from './measure.ts';
import { parseSpeed } from './parse-speed.ts';
for (const m of await parseSpeed()) console.log(measurementLine(m));
