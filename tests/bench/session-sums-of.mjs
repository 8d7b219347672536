// Prints what each session of `session-scripts.ts` costs in each way to offer tools, and which texts of places cost most.
// `node bench/session-sums-of.mjs [FOUND]`: with so many definitions from one search, 4 if left out.
import { SESSION_SCRIPTS } from './session-scripts.ts';
import { divideSums, sumSession } from './session-sums.ts';

const found = Number(process.argv[2] ?? 4);
const all = [];
for (const script of SESSION_SCRIPTS) all.push(await sumSession(script, found));

for (const scope of ['tools', 'tools and calls', 'everything']) {
  console.log(`\n${scope}: input tokens over the session, ${found} definitions a search`);
  console.log(row(['', 'requests', 'flat', 'search', 'places', 'flat ÷', 'search ÷']));
  for (const sums of all) {
    const { script, flat, search, places } = sums;
    const requests = `${flat.requests} / ${places.requests}`;
    const tokens = [flat, search, places].map((costs) => costs.sum(scope));
    console.log(row([script.name, requests, ...tokens, ...ratios([sums], scope)]));
  }
  console.log(row(['all', '', '', '', '', ...ratios(all, scope)]));
}

console.log('\nplaces: input tokens over the session by kind of text');
const kinds = ['system prompt', 'home', 'entries', 'help', 'calls', 'prompt and results'];
console.log(row(['', ...kinds]));
for (const { script, places } of all) console.log(row([script.name, ...kinds.map((kind) => places.sumOf(kind))]));

function ratios(sums, scope) {
  return ['flat', 'search'].map((way) => divideSums(sums, way, scope).toFixed(1));
}

function row([name, ...cells]) {
  return `${name.padEnd(24)}${cells.map((cell) => String(cell).padStart(14)).join('')}`;
}
