import { z } from 'zod';

/** Version of the format below. Version 1, which cannot describe tools that plan or confirm, is read too. */
export const MANIFEST_FORMAT = 2;

const FLAG = z.literal(true).optional();

const PARAM = z.object({
  name: z.string().min(1),
  type: z.string(),
  /** Present when the parameter may be left out, with or without a `default`. */
  optional: FLAG,
  default: z.unknown().optional(),
  body: z.boolean().optional(),
  doc: z.string().optional(),
  example: z.unknown().optional(),
  shape: z.string().optional(),
  /** The values it accepts, unless all of them are texts: the type alone does not distinguish `1` from `'1'`. */
  values: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .readonly()
    .optional(),
});

const TOOL = z.object({
  name: z.string().min(1),
  description: z.string(),
  effect: z.enum(['read', 'write', 'external']),
  /** What is known of the effect; absent in manifests of an earlier bae. */
  idempotent: z.boolean().optional(),
  destructive: z.boolean().optional(),
  openWorld: z.boolean().optional(),
  cost: z.string().optional(),
  params: z.array(PARAM).readonly(),
  rest: FLAG,
  range: FLAG,
  /** What code gets, as a TypeScript type; absent where it may be anything, and in manifests of an earlier bae. */
  returns: z.string().optional(),
  /** Milliseconds. */
  timeoutMs: z.number().positive().optional(),
  /** Present when the result confirms a change and is shown whole. */
  confirms: FLAG,
  /** Present when the tool names the target of a call, when it plans a change, and when it can preview one. */
  target: FLAG,
  plan: FLAG,
  preview: FLAG,
});

const SPACE = z.object({
  name: z.string().min(1),
  description: z.string(),
  group: z.string().optional(),
  /** Present when the space can be searched. */
  search: FLAG,
  tools: z.array(TOOL).readonly(),
  // The compiler does not follow the type through the declarations of the package without it.
  get children(): z.ZodReadonly<z.ZodArray<typeof SPACE>> {
    return z.array(SPACE).readonly();
  },
});

/** The functions of a hook. */
export const HOOK_PARTS = ['beforeCall', 'afterCall', 'beforeSend', 'onEvent'] as const;

const HOOK = z.object({
  name: z.string().min(1),
  parts: z.array(z.enum(HOOK_PARTS)).min(1).readonly(),
  /** Milliseconds. */
  timeoutMs: z.number().positive().optional(),
});

const MANIFEST = z.object({
  manifest: z.literal([1, MANIFEST_FORMAT]),
  name: z.string(),
  version: z.string(),
  /** SHA-256 of the code that it was made from. */
  code: z.string(),
  /** JSON Schema of the options; absent when there are none. */
  options: z.record(z.string(), z.unknown()).optional(),
  spaces: z.array(SPACE).min(1).readonly(),
  /** What takes part in everything that a session does; absent when nothing does. */
  hooks: z.array(HOOK).readonly().optional(),
});

/** One parameter of a tool: as in its signature, in a form that survives JSON. */
export type ParamManifest = Readonly<z.output<typeof PARAM>>;

/** One tool: everything that tables, binding and consent need before its code is loaded. */
export type ToolManifest = Readonly<z.output<typeof TOOL>>;

/** One hook: everything that has to be known before its code is loaded. */
export type HookManifest = Readonly<z.output<typeof HOOK>>;

/** One space with the spaces below it that existed when the manifest was written. */
export interface SpaceManifest extends Readonly<Omit<z.output<typeof SPACE>, 'children'>> {
  readonly children: readonly SpaceManifest[];
}

/** The description of a package that can be read without running it: the file that `bae manifest` writes. */
export type PluginManifest = Readonly<z.output<typeof MANIFEST>>;

/** The content of a manifest file, or one sentence about the first thing that is wrong with it. */
export function checkManifest(value: unknown): PluginManifest | string {
  const { success, data, error } = MANIFEST.safeParse(value);
  if (success) return data.manifest === 1 ? { ...data, spaces: data.spaces.map(addConfirms) } : data;
  const [issue] = error.issues;
  const place = issue!.path.join('.');
  return `${place === '' ? '' : `${place}: `}${issue!.message}`;
}

/** Completes a space of version 1, when the tools that confirm were known by their names. */
function addConfirms(space: SpaceManifest): SpaceManifest {
  const confirming = { confirms: true } as const;
  const tools = space.tools.map((tool) => (/^(write|edit)$/.test(tool.name) ? { ...tool, ...confirming } : tool));
  return { ...space, tools, children: space.children.map(addConfirms) };
}
