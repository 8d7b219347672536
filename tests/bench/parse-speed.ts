import { asModelText } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';

const ROUNDS = 7;
const MEGABYTE = 2 ** 20;
const NAMES = { spaces: new Set(['source', 'tasks']), tools: new Set(['done', 'create_issue']) };

const PARAGRAPH = `The scanner reads a line at a time and never goes back, so its time grows with the text. What looks like a call
inside a fence is an illustration: it stays in the prose and nothing happens. A closing tag may carry the name
that it closes, which is how a document about tags can be written at all.

`;
const CODE = `export function closes(line: string, opener: Opener): boolean {
  const name = line.slice(2, -1).toLowerCase();
  return name === opener.name || name === opener.verb;
}
`;

/** A response of the usual kind: some prose, an illustration, a look around, one file written. */
const USUAL = `${PARAGRAPH.repeat(3)}<R:packages/core/src/tag-parser/tag-parser.ts:1-80>
<Grep:unclosed path=packages>

\`\`\`ts
${CODE}\`\`\`
${PARAGRAPH}<W:packages/core/src/tag-parser/closes.ts>
${CODE.repeat(6)}</W>
<run>
const hits = await grep('TODO');
</run>
Then I will go to @tasks() and write down what is left to do.
`;

/** Texts that invite a parser to look ahead, each time to the end. */
const HOSTILE: Readonly<Record<string, string>> = {
  'unclosed tags': '<W:a.md>\n<E:b.ts:1-2>\n<create_issue:x>\n',
  'unclosed views': '<E:b.ts:1-2>\n',
  'run blocks': 'x\n<run>\nx\n</run>\n',
  'unclosed run blocks': '<run>\nx\n',
  'unclosed JSON calls': '<tool_call>\n{"name":\n',
  'unclosed JSON of several lines': '{"name":\n',
  'unclosed JSON with values': '{"name": "read",\n',
  brackets: '[[[[[[[[[[[[[[[[{\n',
  'unclosed changes': 'a.ts\n<<<<<<< SEARCH\nx\n=======\n',
  'unclosed patches': '*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n',
  'named tools': 'Tool: read\n',
  'blank stretches': '\n \n\t\n',
};

/** Parsing keeps up with splitting lines, and its time grows with the text and no faster. */
export async function parseSpeed(): Promise<readonly Measurement[]> {
  const speed = await speedOfParsing();
  const growths: Measurement[] = [];
  for (const [name, piece] of Object.entries(HOSTILE)) growths.push(await growthOf(name, piece));
  return [speed, await costOfJson(), ...growths];
}

/** Lines that begin like JSON, but are none, are looked at once. */
async function costOfJson(): Promise<Measurement> {
  const [json, prose] = ['{"name":\n', PARAGRAPH].map((piece) => asModelText(repeated(piece, 4 * MEGABYTE)));
  const times = await mediansInTurn(
    { json: () => timeOf(() => parse(json!, NAMES)), prose: () => timeOf(() => parse(prose!, NAMES)) },
    ROUNDS,
  );
  const name = 'parsing 4 MB of unclosed JSON ÷ of prose';
  return { name, value: times.json / times.prose, unit: 'x', limit: { atMost: 12 } };
}

async function speedOfParsing(): Promise<Measurement> {
  const text = repeated(USUAL, 20 * MEGABYTE);
  const times = await mediansInTurn(
    { parse: () => timeOf(() => parse(asModelText(text), NAMES)), split: () => timeOf(() => text.split('\n')) },
    ROUNDS,
  );
  return {
    name: 'parsing 20 MB: speed ÷ splitting lines',
    value: times.split / times.parse,
    unit: 'x',
    limit: { atLeast: 0.2 },
  };
}

async function growthOf(name: string, piece: string): Promise<Measurement> {
  const [once, twice] = [repeated(piece, 2 * MEGABYTE), repeated(piece, 4 * MEGABYTE)];
  const times = await mediansInTurn(
    {
      once: () => timeOf(() => parse(asModelText(once), NAMES)),
      twice: () => timeOf(() => parse(asModelText(twice), NAMES)),
    },
    ROUNDS,
  );
  return { name: `parsing twice the ${name}`, value: times.twice / times.once, unit: 'x', limit: { atMost: 2.3 } };
}

/** One flat string: a rope would be flattened within the first measurement. */
function repeated(piece: string, length: number): string {
  return Buffer.from(piece.repeat(Math.ceil(length / piece.length))).toString();
}
