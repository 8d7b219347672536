import { asModelText, createAgent, type ToolDefinition, type ToolResult } from '@bae/core';
import { badCalls, type BadCall } from '../bad-calls.ts';
import type { Findings } from '../findings.ts';
import { hollowSpace, type ToolRun } from '../observe-space.ts';
import { placesOf, toolsOf } from '../places.ts';
import type { SpaceCheckSpec } from '../space-check.ts';

/** Whether a model that calls a tool wrongly learns how to call it. */
export const ARGUMENTS: readonly SpaceCheckSpec[] = [
  {
    name: 'refuses bad arguments without running, and says all there is to say',
    async look(bench, findings) {
      for (const { tool, space, name } of toolsOf(placesOf(await bench.open()))) {
        const dry = new DryRun(hollow(space));
        for (const bad of badCalls(tool)) {
          const { result, ran } = await dry.call(tool.name, bad.args);
          const accepted = `${name} takes ${JSON.stringify(bad.args)}, although ${bad.because}. Refuse it in the schema of ${bad.param}.`;
          if (!findings.expect(!result.ok && !ran, accepted)) continue;
          for (const point of missingPoints(result, tool.name, bad)) {
            findings.expect(
              false,
              `${name}: the error for ${JSON.stringify(bad.args)} does not say ${point}. Describe ${bad.param} by a plain zod schema.`,
            );
          }
        }
      }
    },
  },
  {
    name: 'shows examples that work',
    async look(bench, findings) {
      for (const { tool, space, name } of toolsOf(placesOf(await bench.open()))) {
        const dry = new DryRun(hollow(space));
        const { result } = await dry.call(tool.name, { 'no-such-parameter': 'x' });
        if (tool.spec.rest === true || result.ok) continue;
        await checkExample(tool, { name, dry, text: result.text }, findings);
      }
    },
  },
];

async function checkExample(
  tool: ToolDefinition,
  { name, dry, text }: { readonly name: string; readonly dry: DryRun; readonly text: string },
  findings: Findings,
): Promise<void> {
  const example = /\nTry: ([^]*)$/.exec(text)?.[1] ?? '';
  const answer = await dry.say(example);
  const problem = answer?.ok === true ? '' : ` ${answer?.text.split('\n')[1] ?? ''}`;
  const names = tool.spec.params.map((param) => param.name);
  const culprit = names.find((param) => problem.includes(` ${param}:`)) ?? names[0] ?? 'its parameters';
  findings.expect(
    answer?.ok === true,
    `${name}: the example of its errors, ${example}, does not work.${problem} Give ${culprit} one: .meta({ examples: ['…'] }).`,
  );
}

function missingPoints({ text }: ToolResult, tool: string, { param, expects, sent }: BadCall): readonly string[] {
  const points: readonly (readonly [string, boolean])[] = [
    ['which parameter is at fault', text.includes(`- ${param}`) || text.includes(`${param}:`)],
    ['what was expected', expects.test(text)],
    ['what was sent', text.includes(sent)],
    [`how the tool is called (Usage: ${tool}(…))`, text.includes(`Usage: ${tool}(`)],
    ['what to type next (Try: <…>)', /\nTry: </.test(text)],
  ];
  return points.filter(([, said]) => !said).map(([point]) => point);
}

function hollow(space: Parameters<typeof hollowSpace>[0]) {
  const runs: ToolRun[] = [];
  return { space: hollowSpace(space, runs), runs };
}

/** A space whose tools do nothing: what is accepted and refused can be tried without harm. */
class DryRun {
  readonly #agent;
  readonly #name: string;
  readonly #runs: readonly ToolRun[];

  constructor({ space, runs }: ReturnType<typeof hollow>) {
    this.#name = space.name;
    this.#runs = runs;
    this.#agent = createAgent({ spaces: [space], approver: { approve: () => ({ allow: true }) } });
  }

  async call(tool: string, args: object): Promise<{ readonly result: ToolResult; readonly ran: boolean }> {
    const before = this.#runs.length;
    const json = JSON.stringify({ name: `${this.#name}.${tool}`, arguments: args });
    const result = await this.say(`<tool_call>${json}</tool_call>`);
    if (result === undefined)
      throw new Error(`${tool} cannot be called by its name. Name it with letters, digits and _.`);
    return { result, ran: this.#runs.length > before };
  }

  /** The answer to a tag typed in the space; undefined when it is none. */
  async say(tag: string): Promise<ToolResult | undefined> {
    const { calls } = await this.#agent.run(asModelText(`@${this.#name}()\n${tag}`));
    return calls.length > 1 ? calls.at(-1)?.result : undefined;
  }
}
