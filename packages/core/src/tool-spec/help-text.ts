import type { ToolSpec } from '../protocol/tool-definition.ts';
import { exampleTag } from './example-tag.ts';
import { plainLine } from './plain-line.ts';
import { signature } from './signature.ts';

/** Everything about one tool: its signature in both styles, its description, its parameters, one literal call. */
export function helpText(spec: ToolSpec): string {
  const doc = (spec.doc ?? '').trim();
  const described = spec.params.filter((param) => param.doc !== undefined);
  return [
    signature(spec, { style: 'call' }),
    signature(spec, { style: 'tag' }),
    ...(doc === '' ? [] : doc.split('\n').map((line) => plainLine(line).trim())),
    ...described.map((param) => `- ${plainLine(`${param.name}: ${param.doc ?? ''}`).trim()}`),
    `Example: ${exampleTag(spec)}`,
  ].join('\n');
}
