import { isDeepStrictEqual } from 'node:util';
import { allowAll, asModelText, createAgent, type Agent } from '@bae/core';
import { toCodeName, type ToolSpec } from '@bae/core/pipeline';
import { Sandbox } from '@bae/sandbox';
import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { safeParseAsync } from 'zod/v4/core';
import { compileWithAjv } from './ajv.ts';
import { makeArguments } from './argument-samples.ts';
import { makeInputSchemas } from './schema-samples.ts';
import { serveServers } from './served-servers.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Tools of one place: more are divided among several. */
const MOST_TOOLS = 25;

/** The ways in which a call is written: values by name, a body of JSON, a call of a provider in JSON, code. */
const WAYS: Readonly<Record<string, (spec: ToolSpec, args: Arguments) => string>> = {
  names: writeTag,
  body: ({ name }, args) => `<${name}:>\n${JSON.stringify(args)}\n</${name}>`,
  json: ({ name }, args) => JSON.stringify({ name, arguments: args }),
  code: writeCode,
};

/** Writes by name what can be, and everything else as JSON. */
function writeTag({ name, params, rest }: ToolSpec, args: Arguments): string {
  const types = new Map(params.map((param) => [param.name, param.type]));
  const isWord = ([key, value]: readonly [string, unknown]) => {
    if (!/^[\p{L}_][\w-]*$/u.test(key) || (rest !== true && !types.has(key))) return false;
    if (typeof value === 'string') return types.get(key) === 'string' && !/[<>]/.test(value);
    return typeof value === 'number' || typeof value === 'boolean';
  };
  const entries = Object.entries(args);
  const words = entries.filter(isWord).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const others = Object.fromEntries(entries.filter((entry) => !isWord(entry)));
  const body = Object.keys(others).length === 0 ? '' : `\n${JSON.stringify(others)}\n</${name}>`;
  return `<${name}:${words.join(' ')}>${body}`;
}

/** Writes arguments as the declaration of the tool says: by position, then by name. */
function writeCode({ name, params }: ToolSpec, args: Arguments): string {
  const required = params.filter((param) => !('default' in param));
  const byPosition = params[0] !== undefined && 'default' in params[0] ? [params[0]] : required;
  const values = byPosition.map((param) => JSON.stringify(args[param.name]) ?? 'undefined');
  const named = Object.entries(args).filter(([key]) => !byPosition.some((param) => param.name === key));
  if (named.length > 0) values.push(JSON.stringify(Object.fromEntries(named)));
  return `<run>\nawait ${toCodeName(name)}(${values.join(', ')})\n</run>`;
}

/**
 * Tells whether code cannot express a call: an object at the end in which no name is that of a parameter is a value of its
 * own, unless the tool asks for other names.
 */
function isAmbiguous({ params, rest }: ToolSpec, args: Arguments): boolean {
  const first = params[0] !== undefined && 'default' in params[0] ? [params[0]] : [];
  const optional = params.filter((param) => 'default' in param && !first.includes(param));
  const names = Object.keys(args);
  return (
    rest !== true &&
    names.some((name) => params.every((param) => param.name !== name)) &&
    !optional.some(({ name }) => names.includes(name))
  );
}

/** Calls tools with generated schemas, and counts what becomes of the calls. */
async function callGenerated(numRuns: number, seed: number) {
  const tools = fc
    .sample(makeInputSchemas(), { numRuns, seed })
    .map((inputSchema, index) => ({ name: `tool_${index}`, description: 'Something.', inputSchema }));
  const servers = Array.from({ length: Math.ceil(numRuns / MOST_TOOLS) }, (_, index) => ({
    name: `box${index}`,
    description: 'Some tools.',
    tools: tools.slice(index * MOST_TOOLS, (index + 1) * MOST_TOOLS),
  }));
  const calls: Arguments[] = [];
  const served = await serveServers(servers, () => (_name, args) => (calls.push(args), 'done'));
  const sandbox = new Sandbox();
  const agent: Agent = createAgent({ spaces: served.spaces, approver: allowAll, codeRunner: sandbox });
  onTestFinished(async () => {
    await agent.close();
    await sandbox.dispose();
    served.close();
  });
  const counts = { taken: 0, refused: 0, converted: 0, examples: 0, failedExamples: 0, works: 0, isToFill: 0 };
  const wrong: string[] = [];
  const unhelpful: string[] = [];
  for (const { name: place, tools: some } of servers) {
    const session = agent.session(place);
    /** Runs a text; returns the arguments that the server got, and the text of the results. */
    const run = async (text: string) => {
      calls.length = 0;
      const { feedback } = await session.run(asModelText(text));
      return { received: calls[0], feedback };
    };
    await run(`@${place}()`);
    for (const { name, inputSchema } of some) {
      const validate = compileWithAjv(inputSchema);
      const { spec, params } = session.tree.at([place])!.tools[name]!;
      // JSON does not know -0.
      const samples = fc
        .sample(makeArguments(inputSchema), { numRuns: 40, seed })
        .map((args) => JSON.parse(JSON.stringify(args)) as Arguments);
      for (const args of samples) {
        const { success } = await safeParseAsync(params, args);
        if (success !== validate(args))
          wrong.push(`${JSON.stringify(inputSchema)} ${JSON.stringify(args)}: ${success}`);
      }
      // Some of the generated schemas contradict themselves.
      const isPossible = samples.some((args) => validate(args));
      const help = await run(`<help:${name}>`);
      const [, example = ''] = /^Example: (<[^]*?)\n\[(?:end|shortened)/m.exec(help.feedback) ?? [];
      if (isPossible) counts[(await run(example)).received === undefined ? 'failedExamples' : 'examples']++;
      for (const args of samples.slice(0, 6)) {
        const isValid = validate(args);
        for (const [way, write] of Object.entries(WAYS)) {
          if (way === 'code' && isAmbiguous(spec, args)) continue;
          const text = write(spec, args);
          const { received, feedback } = await run(text);
          const report = `${JSON.stringify(inputSchema)}\n${text}\n=> ${JSON.stringify(received)}\n${feedback}`;
          const isKept =
            isDeepStrictEqual(received, args) || (way === 'names' && received !== undefined && validate(received));
          if (received === undefined) counts.refused++;
          else if (isValid) counts.taken++;
          else counts.converted++;
          if (isValid ? !isKept : received !== undefined && !validate(received)) wrong.push(report);
          if (received !== undefined || !isPossible) continue;
          const [, suggested = ''] = /^Try: ([^]*?)\n(?:Try: |\[end )/m.exec(feedback) ?? [];
          const second = await run(way === 'code' ? `<run>\nawait ${suggested}\n</run>` : suggested);
          if (second.received !== undefined) counts.works++;
          else if (second.feedback.includes('fill in ')) counts.isToFill++;
          else unhelpful.push(`${report}\n=> ${second.feedback}`);
        }
      }
    }
  }
  return { counts, wrong, unhelpful };
}

async function expectAsAjv(numRuns: number, seed: number): Promise<void> {
  const { counts, wrong, unhelpful } = await callGenerated(numRuns, seed);
  expect(wrong.slice(0, 3)).toEqual([]);
  // Of both there are many: samples that all fit, or all do not, would show nothing.
  expect(counts.taken).toBeGreaterThan(5 * numRuns);
  expect(counts.refused).toBeGreaterThan(5 * numRuns);
  expect(counts.failedExamples / counts.examples).toBeLessThan(0.1);
  expect(unhelpful.slice(0, unhelpful.length / counts.refused < 0.03 ? 0 : 3)).toEqual([]);
}

it('calls of tools with 25 generated schemas are taken and refused as by ajv, however they are written', () =>
  expectAsAjv(25, 1));
it(
  'calls of tools with 200 generated schemas are taken and refused as by ajv',
  { tags: ['long'], timeout: 600_000 },
  () => expectAsAjv(200, 2),
);
