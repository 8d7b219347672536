import type { ToolDefinition } from '@bae/core';
import * as z from 'zod';
import { exampleArguments } from '../example-arguments.ts';
import type { Findings } from '../findings.ts';
import { placesOf, toolsOf } from '../places.ts';
import type { SpaceCheckSpec } from '../space-check.ts';

const SAYS_NOTHING = new Set(['$schema', 'description', 'examples', 'default', 'title']);

/** Whether others than bae can use the tools. */
export const SCHEMAS: readonly SpaceCheckSpec[] = [
  {
    name: 'has parameters that JSON Schema can say',
    async look(bench, findings) {
      for (const { tool, name } of toolsOf(placesOf(await bench.open()))) {
        const { shape } = tool.params._zod.def;
        const converted = Object.entries(shape).map(([param, schema]) => converts(schema, { name, param }, findings));
        const clean = converted.every(Boolean);
        if (clean) checkBack(tool, name, findings);
        checkSpec(tool, name, findings);
      }
    },
  },
];

function converts(
  schema: z.core.$ZodType,
  { name, param }: { readonly name: string; readonly param: string },
  findings: Findings,
): boolean {
  const remedy = 'Use texts, numbers, booleans, enums, lists and objects of them; convert inside the tool.';
  const json = jsonSchemaOf(schema);
  const takesAnything = !(json instanceof Error) && Object.keys(json).every((key) => SAYS_NOTHING.has(key));
  findings.expect(!takesAnything, `${name}: ${param} takes anything. Say what it is: z.string(), z.object({ … }).`);
  return findings.expect(
    !(json instanceof Error),
    `${name}: ${param} cannot be said in JSON Schema: ${reason(json)}. ${remedy}`,
  );
}

function checkBack(tool: ToolDefinition, name: string, findings: Findings): void {
  const example = exampleArguments(tool);
  const back = backAndForth(tool.params);
  if (!findings.expect(!(back instanceof Error), `${name}: its JSON Schema cannot be read back: ${reason(back)}.`))
    return;
  const isSame = z.safeParse(back as z.ZodType, example).success;
  findings.expect(isSame, `${name}: its JSON Schema refuses ${JSON.stringify(example)}, which the tool takes.`);
}

/** What the table shows has to be what the schema checks. */
function checkSpec({ spec, params }: ToolDefinition, name: string, findings: Findings): void {
  const shown = spec.params
    .map((param) => param.name)
    .toSorted()
    .join(', ');
  const checked = Object.keys(params._zod.def.shape).toSorted().join(', ');
  findings.expect(
    shown === checked,
    `${name}: its signature shows ${shown || 'nothing'}, its schema checks ${checked || 'nothing'}. Make it with tool(…).`,
  );
}

function jsonSchemaOf(schema: z.core.$ZodType): z.core.JSONSchema.JSONSchema | Error {
  try {
    return z.toJSONSchema(schema, { io: 'input' });
  } catch (error) {
    return error as Error;
  }
}

function backAndForth(schema: z.core.$ZodType): z.ZodType | Error {
  const json = jsonSchemaOf(schema);
  if (json instanceof Error) return json;
  try {
    return z.fromJSONSchema(json);
  } catch (error) {
    return error as Error;
  }
}

function reason(result: unknown): string {
  return result instanceof Error ? result.message.replace(/\.$/, '') : '';
}
