import { z } from 'zod';
import { MANIFEST_FORMAT, type PluginManifest } from './plugin-manifest.ts';

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
  manifest: z.literal(MANIFEST_FORMAT),
  name: z.string(),
  version: z.string(),
  code: z.string(),
  options: z.record(z.string(), z.unknown()).optional(),
  spaces: z.array(SPACE).min(1),
});

/**
 * Checks what a manifest file holds.
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
