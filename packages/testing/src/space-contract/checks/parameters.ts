import {
  allowAll,
  asModelText,
  createAgent,
  type SpaceDefinition,
  type ToolDefinition,
  type ToolResult,
} from '@bae/core';
import * as z from 'zod';
import { listAllTools, replaceTools, type OpenSpace, type PlacedTool } from '../open-space.ts';
import { defineCheck, type AsyncFindings, type Findings, type SpaceCheckSpec } from '../run-check.ts';
import { makeBadCalls, findExampleArguments, type BadCall } from '../space-samples.ts';

/** Checks that a model that calls a tool wrongly learns how to call it, and that other programs can call it. */
export const PARAMETER_CHECKS: readonly SpaceCheckSpec[] = [
  defineCheck('refuses bad arguments without running, with a complete error', listBadCalls, checkRefusal),
  defineCheck('shows examples that work', runExamples, checkExample),
  defineCheck('has parameters that JSON Schema can express', listAllTools, checkSchemas),
];

interface DryCall extends PlacedTool {
  readonly dry: DryRun;
}

function listBadCalls(open: OpenSpace): readonly (DryCall & { readonly bad: BadCall })[] {
  return listAllTools(open).flatMap((placed) => {
    const dry = new DryRun(placed.space);
    return makeBadCalls(placed.tool).map((bad) => ({ ...placed, dry, bad }));
  });
}

async function* checkRefusal({ tool, name, dry, bad }: DryCall & { readonly bad: BadCall }): AsyncFindings {
  const { result, ran } = await dry.call(tool.name, bad.args);
  const args = JSON.stringify(bad.args);
  if (result.ok || ran)
    return `${name} takes ${args}, although ${bad.because}. Refuse it in the schema of ${bad.param}.`;
  for (const point of findMissingPoints(result, tool.name, bad))
    yield `${name}: the error for ${args} does not say ${point}. Describe ${bad.param} by a plain zod schema.`;
  return undefined;
}

function findMissingPoints({ text }: ToolResult, tool: string, { param, expects, sent }: BadCall): readonly string[] {
  const [firstLine = ''] = text.split('\n', 1);
  // The short form, if values are only missing.
  const isMissing = firstLine.startsWith(`ParameterError: ${tool} needs `) && firstLine.includes(param);
  const points: readonly (readonly [string, boolean])[] = [
    ['which parameter is at fault', isMissing || text.includes(`- ${param}`) || text.includes(`${param}:`)],
    ['what was expected', isMissing || expects.test(text)],
    ['what was sent', isMissing || text.includes(sent)],
    [`how the tool is called (Usage: ${tool}(…))`, isMissing || text.includes(`Usage: ${tool}(`)],
    ['what to type next (Try: …)', /\nTry: [<{]/.test(text)],
  ];
  return points.filter(([, isThere]) => !isThere).map(([point]) => point);
}

interface ExampleRun extends PlacedTool {
  readonly example: string;
  readonly outcome: ToolResult | undefined;
}

async function runExamples(open: OpenSpace): Promise<readonly ExampleRun[]> {
  const examples: ExampleRun[] = [];
  for (const placed of listAllTools(open)) {
    const dry = new DryRun(placed.space);
    const help = await dry.runTag(`<help:${placed.tool.name}>`);
    const example = /\nExample: ([^]*)$/.exec(help?.text ?? '')?.[1] ?? '';
    const outcome = await dry.runTag(example);
    // A call with a part to fill in changes nothing.
    if (outcome?.text.startsWith('ParameterError: fill in ') !== true) examples.push({ ...placed, example, outcome });
  }
  return examples;
}

function* checkExample({ tool, name, example, outcome }: ExampleRun): Findings {
  if (outcome?.ok === true) return;
  const problem = ` ${outcome?.text.split('\n')[1] ?? ''}`;
  const params = tool.spec.params.map((param) => param.name);
  const culprit = params.find((param) => problem.includes(` ${param}:`)) ?? params[0] ?? 'its parameters';
  yield `${name}: the example of its help, ${example}, does not work.${problem} Give ${culprit} one: .meta({ examples: ['…'] }).`;
}

/** Copy of a space whose tools do nothing, so that calls can be tried without harm. */
class DryRun {
  #runCount = 0;
  readonly #name: string;
  readonly #agent;

  constructor(space: SpaceDefinition) {
    this.#name = space.name;
    const idle = replaceTools(space, () => ({
      invoke: () => {
        this.#runCount++;
        return 'done';
      },
    }));
    const stub = { ...idle, enter: () => '', children: () => ({}) };
    this.#agent = createAgent({ spaces: [stub], approver: allowAll });
  }

  async call(tool: string, args: object): Promise<{ readonly result: ToolResult; readonly ran: boolean }> {
    const before = this.#runCount;
    const json = JSON.stringify({ name: `${this.#name}.${tool}`, arguments: args });
    const result = await this.runTag(`<tool_call>${json}</tool_call>`);
    if (result === undefined)
      throw new Error(`${tool} cannot be called by its name. Name it with letters, digits and _.`);
    return { result, ran: this.#runCount > before };
  }

  /** Returns the result of a tag typed in the space; undefined if it is not a call. */
  async runTag(tag: string): Promise<ToolResult | undefined> {
    const { calls } = await this.#agent.run(asModelText(`@${this.#name}()\n${tag}`));
    return calls.length > 1 ? calls.at(-1)?.result : undefined;
  }
}

/** Keys of a JSON Schema that restrict nothing. */
const ANNOTATIONS = new Set(['$schema', 'description', 'examples', 'default', 'title']);

function* checkSchemas({ tool, name }: PlacedTool): Findings {
  const shape = tool.params._zod.def.shape;
  let isConverted = true;
  for (const [param, schema] of Object.entries(shape)) {
    const json = tryConvert(() => z.toJSONSchema(schema, { io: 'input' }));
    if (json instanceof Error) {
      isConverted = false;
      const remedy = 'Use texts, numbers, booleans, enums, lists and objects of them; convert inside the tool.';
      yield `${name}: ${param} cannot be expressed in JSON Schema: ${describeReason(json)}. ${remedy}`;
    } else if (Object.keys(json).every((key) => ANNOTATIONS.has(key)))
      yield `${name}: ${param} takes anything. Say what it is: z.string(), z.object({ … }).`;
  }
  if (isConverted) yield* checkReadBack(tool, name);
  // The parameters in the table must be the ones that the schema checks.
  const displayed = joinSorted(tool.spec.params.map((param) => param.name));
  const checked = joinSorted(Object.keys(shape));
  if (displayed !== checked)
    yield `${name}: its signature shows ${displayed || 'nothing'}, its schema checks ${checked || 'nothing'}. Make it with tool(…).`;
}

function* checkReadBack(tool: ToolDefinition, name: string): Findings {
  const example = findExampleArguments(tool);
  const back = tryConvert(() => z.fromJSONSchema(z.toJSONSchema(tool.params, { io: 'input' })));
  if (back instanceof Error) yield `${name}: its JSON Schema cannot be read back: ${describeReason(back)}.`;
  else if (!back.safeParse(example).success)
    yield `${name}: its JSON Schema refuses ${JSON.stringify(example)}, which the tool takes.`;
}

function joinSorted(names: readonly string[]): string {
  return names.toSorted().join(', ');
}

function tryConvert<T>(convert: () => T): T | Error {
  try {
    return convert();
  } catch (error) {
    return error as Error;
  }
}

function describeReason({ message }: Error): string {
  return message.replace(/\.$/, '');
}
