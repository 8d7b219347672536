import type { ToolDefinition } from '@bae/core';
import { firstParam } from './example-arguments.ts';
import { existingTarget } from './existing-target.ts';
import type { OpenSpace } from './open-space.ts';
import type { SampleArguments } from './space-samples.ts';
import { wholeText } from './whole-text.ts';
import { sampledChange, type Change } from './write-change.ts';

const REPLACEMENT = 'conformance';

/** How something that is there can be changed; undefined when only the author knows. */
export async function editChange(open: OpenSpace): Promise<Change | undefined> {
  const { edit } = open.definition.tools;
  if (edit === undefined) return undefined;
  if (open.samples.edit !== undefined) return sampledChange(open.samples.edit, edit);
  if (edit.effect === 'external') return undefined;
  const target = await existingTarget(open);
  const first = firstParam(edit);
  if (first === undefined || target === undefined) return undefined;
  const replaced = (await replacement(open, edit, target)) ?? newBody(edit);
  if (replaced === undefined) return undefined;
  const line = edit.spec.range === true && replaced['old'] === undefined ? `${target}:1-1` : target;
  return { args: { [first.name]: line, ...replaced }, readAs: target, shows: REPLACEMENT, sampled: false };
}

/** A word of the text and another in its place, for an edit that takes both. */
async function replacement(
  open: OpenSpace,
  { spec }: ToolDefinition,
  target: string | number,
): Promise<SampleArguments | undefined> {
  const names = new Set(spec.params.map(({ name }) => name));
  if (!names.has('old') || !names.has('new')) return undefined;
  const text = wholeText(await open.read(target));
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  const old = words.find((word) => text.split(word).length === 2);
  return old === undefined ? undefined : { old, new: REPLACEMENT };
}

function newBody({ spec }: ToolDefinition): SampleArguments | undefined {
  const body = spec.params.find((param) => param.body === true);
  return body === undefined ? undefined : { [body.name]: REPLACEMENT };
}
