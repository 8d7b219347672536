import type { ToolDefinition } from '@bae/core';
import { firstParam } from '../example-arguments.ts';
import { firstLine } from '../first-line.ts';
import type { Findings } from '../findings.ts';
import { placesOf } from '../places.ts';
import type { SpaceCheckSpec } from '../space-check.ts';

type Tools = Readonly<Record<string, ToolDefinition>>;

/** Types whose values can stand after the colon of a tag. */
const WRITABLE = /^(?!json$)/;
const SEARCHES: readonly string[] = ['glob', 'grep'];
const LOOKS = new Set(['read', ...SEARCHES]);

/** Whether read, write, edit, glob and grep are what every model takes them for. */
export const VERBS_KEPT: readonly SpaceCheckSpec[] = [
  {
    name: 'honours the verbs',
    async look(bench, findings) {
      const open = await bench.open();
      for (const { path, space } of placesOf(open)) checkVerbs(path, space.tools, findings);
      const { read } = open.definition.tools;
      if (read === undefined || !('default' in (firstParam(read) ?? { default: '' }))) return;
      const { result } = await open.call({ tool: 'read', args: {} });
      const refused = `read without an argument is refused: ${firstLine(result.text)} List there what can be read.`;
      findings.expect(result.ok, refused);
    },
  },
];

function checkVerbs(path: string, tools: Tools, findings: Findings): void {
  for (const tool of Object.values(tools)) {
    const name = `${path}.${tool.name}`;
    if (LOOKS.has(tool.name)) checkLook(tool, name, findings);
    if (SEARCHES.includes(tool.name)) checkSearch(tool, name, findings);
    if (tool.name === 'write') checkWrite(tool, name, findings);
    if (tool.name === 'edit') checkEdit(tool, { name, canRead: tools['read'] !== undefined }, findings);
    const first = firstParam(tool);
    const isWritable = first === undefined || WRITABLE.test(first.type);
    findings.expect(
      isWritable,
      `${name}: ${first?.name} comes first, and its values cannot be written into a tag. Put a text or number first.`,
    );
  }
}

function checkLook({ spec, effect }: ToolDefinition, name: string, findings: Findings): void {
  const body = spec.params.find((param) => param.body === true);
  findings.expect(
    body === undefined,
    `${name} takes a body, ${body?.name}, which a tag of this verb cannot have. Take away body.`,
  );
  findings.expect(
    effect !== 'write',
    `${name} has the effect write, but looking changes nothing. Take effect away, or name the tool otherwise.`,
  );
}

function checkSearch(tool: ToolDefinition, name: string, findings: Findings): void {
  const first = firstParam(tool);
  const remedy = "Put the pattern first: { pattern: z.string().describe('…') }.";
  findings.expect(
    first !== undefined && first.type === 'string',
    `${name} takes no pattern as its argument. ${remedy}`,
  );
}

function checkWrite(tool: ToolDefinition, name: string, findings: Findings): void {
  const body = tool.spec.params.find((param) => param.body === true);
  findings.expect(firstParam(tool) !== undefined, `${name} does not say what it writes to. Put a target first.`);
  findings.expect(
    body !== undefined,
    `${name} takes no body. Name the parameter that takes the text: body: 'content'.`,
  );
}

function checkEdit(
  { spec }: ToolDefinition,
  { name, canRead }: { name: string; canRead: boolean },
  findings: Findings,
): void {
  findings.expect(canRead, `${name}: an edit that changes nothing is answered by read, and there is none. Add read.`);
  const news = spec.params.filter((param) => param.body === true || param.name === 'new');
  for (const { name: param, default: fallback } of news) {
    const isSafe = fallback === undefined;
    findings.expect(
      isSafe,
      `${name}: without ${param} it would write ${JSON.stringify(fallback)} over what is there. Make ${param} .optional() or required, without a default.`,
    );
  }
}
