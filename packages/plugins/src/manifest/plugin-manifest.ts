import type { ToolDefinition } from '@bae/core';
import type { ParamSpec } from '@bae/core/pipeline';
import { z } from 'zod';

/** Version of the format below. Version 1, which cannot describe tools that plan, is read too. */
export const MANIFEST_FORMAT = 2;

/** One parameter of a tool: as in its signature, in a form that survives JSON. */
export interface ParamManifest extends ParamSpec {
  /** Present when the parameter may be left out, with or without a `default`. */
  readonly optional?: true;
  /** The values it accepts, unless all of them are texts: the type alone does not distinguish `1` from `'1'`. */
  readonly values?: readonly (string | number | boolean)[];
}

/** One tool: everything that tables, binding and consent need before its code is loaded. */
export interface ToolManifest {
  readonly name: string;
  readonly description: string;
  readonly effect: ToolDefinition['effect'];
  readonly params: readonly ParamManifest[];
  readonly rest?: true;
  readonly range?: true;
  /** Milliseconds. */
  readonly timeoutMs?: number;
  /** Present when the tool names the target of a call, when it plans a change, and when it can preview one. */
  readonly target?: true;
  readonly plan?: true;
  readonly preview?: true;
}

/** One space with the spaces below it that existed when the manifest was written. */
export interface SpaceManifest {
  readonly name: string;
  readonly description: string;
  readonly group?: string;
  /** Present when the space can be searched. */
  readonly search?: true;
  readonly tools: readonly ToolManifest[];
  readonly children: readonly SpaceManifest[];
}

/** The description of a package that can be read without running it: the file that `bae manifest` writes. */
export interface PluginManifest {
  readonly manifest: 1 | typeof MANIFEST_FORMAT;
  /** Name and version of the package. */
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the code that it was made from. */
  readonly code: string;
  /** JSON Schema of the options; absent when there are none. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly spaces: readonly SpaceManifest[];
}

const PARAM = z.looseObject({
  name: z.string().min(1),
  type: z.string(),
  optional: z.literal(true).optional(),
  default: z.unknown().optional(),
  body: z.boolean().optional(),
  doc: z.string().optional(),
  example: z.unknown().optional(),
  values: z.array(z.union([z.string(), z.number(), z.boolean()])).optional(),
});

const TOOL = z.looseObject({
  name: z.string().min(1),
  description: z.string(),
  effect: z.enum(['read', 'write', 'external']),
  params: z.array(PARAM),
  rest: z.literal(true).optional(),
  range: z.literal(true).optional(),
  timeoutMs: z.number().positive().optional(),
  target: z.literal(true).optional(),
  plan: z.literal(true).optional(),
  preview: z.literal(true).optional(),
});

const SPACE = z.looseObject({
  name: z.string().min(1),
  description: z.string(),
  group: z.string().optional(),
  search: z.literal(true).optional(),
  tools: z.array(TOOL),
  get children() {
    return z.array(SPACE);
  },
});

const MANIFEST = z.looseObject({
  manifest: z.literal([1, MANIFEST_FORMAT]),
  name: z.string(),
  version: z.string(),
  code: z.string(),
  options: z.record(z.string(), z.unknown()).optional(),
  spaces: z.array(SPACE).min(1),
});

/**
 * Checks the content of a manifest file.
 *
 * @returns the manifest, or one sentence about the first thing that is wrong
 */
export function checkManifest(value: unknown): PluginManifest | string {
  const checked = MANIFEST.safeParse(value);
  if (checked.success) return checked.data as PluginManifest;
  const [issue] = checked.error.issues;
  const place = issue!.path.join('.');
  return `${place === '' ? '' : `${place}: `}${issue!.message}`;
}
