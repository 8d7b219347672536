import {
  allowAll,
  asModelText,
  createAgent,
  type SpaceDefinition,
  type ToolDefinition,
  type ToolResult,
} from '@bae/core';
import * as z from 'zod';
import { stubSpace, type ToolRun } from '../observe-space.ts';
import { listAllTools } from '../open-space.ts';
import type { Findings, SpaceCheckSpec } from '../run-check.ts';
import { makeBadCalls, findExampleArguments, type BadCall } from '../tool-arguments.ts';

/** Whether a model that calls a tool wrongly learns how to call it, and other programs can call it. */
export const PARAMETER_CHECKS: readonly SpaceCheckSpec[] = [
  {
    name: 'refuses bad arguments without running, with a complete error',
    async look(open, findings) {
      for (const { tool, space, name } of listAllTools(open)) {
        const dry = new DryRun(space);
        for (const bad of makeBadCalls(tool)) {
          const { result, ran } = await dry.call(tool.name, bad.args);
          const args = JSON.stringify(bad.args);
          const accepted = `${name} takes ${args}, although ${bad.because}. Refuse it in the schema of ${bad.param}.`;
          if (!findings.expect(!result.ok && !ran, accepted)) continue;
          for (const point of findMissingPoints(result, tool.name, bad)) {
            const remedy = `Describe ${bad.param} by a plain zod schema.`;
            findings.expect(false, `${name}: the error for ${args} does not say ${point}. ${remedy}`);
          }
        }
      }
    },
  },
  {
    name: 'shows examples that work',
    async look(open, findings) {
      for (const { tool, space, name } of listAllTools(open)) {
        const dry = new DryRun(space);
        const help = await dry.runTag(`<help:${tool.name}>`);
        const example = /\nExample: ([^]*)$/.exec(help?.text ?? '')?.[1] ?? '';
        const outcome = await dry.runTag(example);
        // A notation with a part to fill in changes nothing.
        if (outcome?.text.startsWith('ParameterError: fill in ')) continue;
        const problem = outcome?.ok === true ? '' : ` ${outcome?.text.split('\n')[1] ?? ''}`;
        const params = tool.spec.params.map((param) => param.name);
        const culprit = params.find((param) => problem.includes(` ${param}:`)) ?? params[0] ?? 'its parameters';
        findings.expect(
          outcome?.ok === true,
          `${name}: the example of its help, ${example}, does not work.${problem} Give ${culprit} one: .meta({ examples: ['…'] }).`,
        );
      }
    },
  },
  {
    name: 'has parameters that JSON Schema can express',
    look(open, findings) {
      for (const { tool, name } of listAllTools(open)) {
        const params = Object.entries(tool.params._zod.def.shape);
        const isConverted = params.map(([param, schema]) => checkSchema(schema, `${name}: ${param}`, findings));
        if (isConverted.every(Boolean)) checkReadBack(tool, name, findings);
        checkSpec(tool, name, findings);
      }
    },
  },
];

function findMissingPoints({ text }: ToolResult, tool: string, { param, expects, sent }: BadCall): readonly string[] {
  const [firstLine = ''] = text.split('\n', 1);
  // In short, when values are only missing.
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

/** A copy of a space whose tools do nothing, so that calls can be tried without harm. */
class DryRun {
  readonly #runs: ToolRun[] = [];
  readonly #name: string;
  readonly #agent;

  constructor(space: SpaceDefinition) {
    this.#name = space.name;
    this.#agent = createAgent({ spaces: [stubSpace(space, this.#runs)], approver: allowAll });
  }

  async call(tool: string, args: object): Promise<{ readonly result: ToolResult; readonly ran: boolean }> {
    const before = this.#runs.length;
    const json = JSON.stringify({ name: `${this.#name}.${tool}`, arguments: args });
    const result = await this.runTag(`<tool_call>${json}</tool_call>`);
    if (result === undefined)
      throw new Error(`${tool} cannot be called by its name. Name it with letters, digits and _.`);
    return { result, ran: this.#runs.length > before };
  }

  /** The result of a tag typed in the space; undefined when it is not a call. */
  async runTag(tag: string): Promise<ToolResult | undefined> {
    const { calls } = await this.#agent.run(asModelText(`@${this.#name}()\n${tag}`));
    return calls.length > 1 ? calls.at(-1)?.result : undefined;
  }
}

/** Keys of a JSON Schema that restrict nothing. */
const ANNOTATIONS = new Set(['$schema', 'description', 'examples', 'default', 'title']);

function checkSchema(schema: z.core.$ZodType, param: string, findings: Findings): boolean {
  const json = tryConvert(() => z.toJSONSchema(schema, { io: 'input' }));
  const takesAnything = !(json instanceof Error) && Object.keys(json).every((key) => ANNOTATIONS.has(key));
  findings.expect(!takesAnything, `${param} takes anything. Say what it is: z.string(), z.object({ … }).`);
  const remedy = 'Use texts, numbers, booleans, enums, lists and objects of them; convert inside the tool.';
  return findings.expect(
    !(json instanceof Error),
    `${param} cannot be expressed in JSON Schema: ${describeReason(json)}. ${remedy}`,
  );
}

function checkReadBack(tool: ToolDefinition, name: string, findings: Findings): void {
  const example = findExampleArguments(tool);
  const back = tryConvert(() => z.fromJSONSchema(z.toJSONSchema(tool.params, { io: 'input' })));
  const isRead = !(back instanceof Error);
  if (!findings.expect(isRead, `${name}: its JSON Schema cannot be read back: ${describeReason(back)}.`)) return;
  const isSame = z.safeParse(back as z.ZodType, example).success;
  findings.expect(isSame, `${name}: its JSON Schema refuses ${JSON.stringify(example)}, which the tool takes.`);
}

/** The parameters in the table must be those that the schema checks. */
function checkSpec({ spec, params }: ToolDefinition, name: string, findings: Findings): void {
  const displayed = joinSorted(spec.params.map((param) => param.name));
  const checked = joinSorted(Object.keys(params._zod.def.shape));
  findings.expect(
    displayed === checked,
    `${name}: its signature shows ${displayed || 'nothing'}, its schema checks ${checked || 'nothing'}. Make it with tool(…).`,
  );
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

function describeReason(result: unknown): string {
  return result instanceof Error ? result.message.replace(/\.$/, '') : '';
}
