import type { ToolDefinition } from '@bae/core';
import { exampleArguments, firstParam } from './example-arguments.ts';
import { existingTarget } from './existing-target.ts';
import { matchingCall } from './searches.ts';
import type { OpenSpace } from './open-space.ts';
import type { SampleCall } from './space-samples.ts';

/** Every call that is known to read something, and changes nothing as far as its tool says. */
export async function readingCalls(open: OpenSpace): Promise<readonly SampleCall[]> {
  const calls: SampleCall[] = [];
  for (const tool of Object.values(open.definition.tools).filter(({ effect }) => effect === 'read')) {
    calls.push(...(await callsOf(open, tool)));
  }
  return calls;
}

/** The calls of tools that change something for which there are samples. */
export function changingCalls({ definition, samples }: OpenSpace): readonly SampleCall[] {
  const { write, edit, calls = {} } = samples;
  const own = Object.entries(calls).filter(([name]) => isChanging(definition.tools[name]));
  return [
    ...(write === undefined ? [] : [{ tool: 'write', args: write.args }]),
    ...(edit === undefined ? [] : [{ tool: 'edit', args: edit.args }]),
    ...own.map(([tool, args]) => ({ tool, args })),
  ].filter(({ tool }) => definition.tools[tool] !== undefined);
}

async function callsOf(open: OpenSpace, tool: ToolDefinition): Promise<readonly SampleCall[]> {
  const { name } = tool;
  const sample = open.samples.calls?.[name];
  if (sample !== undefined) return [{ tool: name, args: sample }];
  if (name === 'glob' || name === 'grep') {
    const found = await matchingCall(open, name);
    return found === undefined ? [] : [found];
  }
  if (name !== 'read') return callThatWorks(open, { tool: name, args: exampleArguments(tool) });
  const first = firstParam(tool);
  const target = await existingTarget(open);
  return [
    ...(first === undefined || 'default' in first ? [{ tool: name, args: {} }] : []),
    ...(first === undefined || target === undefined ? [] : [{ tool: name, args: { [first.name]: target } }]),
  ];
}

async function callThatWorks(open: OpenSpace, call: SampleCall): Promise<readonly SampleCall[]> {
  return (await open.call(call)).result.ok ? [call] : [];
}

function isChanging(tool: ToolDefinition | undefined): boolean {
  return tool !== undefined && tool.effect !== 'read';
}
