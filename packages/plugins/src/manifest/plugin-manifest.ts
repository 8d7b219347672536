import { z } from 'zod';

/** Version of the format below. Version 1, which cannot describe tools that plan or confirm, can also be read. */
export const MANIFEST_FORMAT = 2;

const FLAG = z.literal(true).optional();

const PARAM = z.object({
  name: z.string().min(1),
  type: z.string(),
  /** Present if the parameter is optional, with or without a `default`. */
  optional: FLAG,
  default: z.unknown().optional(),
  body: z.boolean().optional(),
  doc: z.string().optional(),
  example: z.unknown().optional(),
  shape: z.string().optional(),
  /** Accepted values, unless all of them are strings; the type alone does not distinguish `1` from `'1'`. */
  values: z
    .array(z.union([z.string(), z.number(), z.boolean()]))
    .readonly()
    .optional(),
});

const TOOL = z.object({
  name: z.string().min(1),
  description: z.string(),
  effect: z.enum(['read', 'write', 'external']),
  /** Declared details of the effect; absent in manifests of an earlier bae. */
  idempotent: z.boolean().optional(),
  destructive: z.boolean().optional(),
  openWorld: z.boolean().optional(),
  cost: z.string().optional(),
  params: z.array(PARAM).readonly(),
  rest: FLAG,
  open: FLAG,
  range: FLAG,
  /** Return type in code, as a TypeScript type; absent if it can be anything, and in manifests of an earlier bae. */
  returns: z.string().optional(),
  /** Time limit, in milliseconds. */
  timeoutMs: z.number().positive().optional(),
  /** Parameters that only select among what the space has; absent in manifests of an earlier bae. */
  selects: z.array(z.string()).readonly().optional(),
  /** Present if the result confirms a change and is shown completely. */
  confirms: FLAG,
  /** Present if the tool names the target of a call, plans a change, or can preview one, respectively. */
  target: FLAG,
  plan: FLAG,
  preview: FLAG,
});

const SPACE = z.object({
  name: z.string().min(1),
  description: z.string(),
  group: z.string().optional(),
  /** Other words for its subject, and the limit of its results in tokens; absent in manifests of an earlier bae. */
  synonyms: z.array(z.string()).readonly().optional(),
  answerLimit: z.number().positive().optional(),
  /**
   * Present if the space can be searched, knows what its addresses stand for, completes them, or finds them by name,
   * respectively.
   */
  search: FLAG,
  contentOf: FLAG,
  complete: FLAG,
  locate: FLAG,
  tools: z.array(TOOL).readonly(),
  // Without this type, the compiler does not follow it through the declarations of the package.
  get children(): z.ZodReadonly<z.ZodArray<typeof SPACE>> {
    return z.array(SPACE).readonly();
  },
});

/** Functions of a hook. */
export const HOOK_PARTS = ['beforeCall', 'afterCall', 'beforeSend', 'onEvent'] as const;

const HOOK = z.object({
  name: z.string().min(1),
  parts: z.array(z.enum(HOOK_PARTS)).min(1).readonly(),
  /** Time limit, in milliseconds. */
  timeoutMs: z.number().positive().optional(),
});

const MANIFEST = z.object({
  manifest: z.literal([1, MANIFEST_FORMAT]),
  name: z.string(),
  version: z.string(),
  /** SHA-256 of the code from which it was made. */
  code: z.string(),
  /** JSON Schema of the options; absent if there are none. */
  options: z.record(z.string(), z.unknown()).optional(),
  spaces: z.array(SPACE).min(1).readonly(),
  /**
   * Present if the spaces can run in a process of their own: they need nothing from the application but a data folder,
   * and their author does not say otherwise.
   */
  standalone: FLAG,
  /** Hooks that observe and influence the activity of a session; absent if there are none. */
  hooks: z.array(HOOK).readonly().optional(),
});

/** Parameter of a tool, as in its signature, in a form that JSON can represent. */
export type ParamManifest = Readonly<z.output<typeof PARAM>>;

/** Tool, with everything that tables, binding and consent need before its code is loaded. */
export type ToolManifest = Readonly<z.output<typeof TOOL>>;

/** Hook, with everything that must be known before its code is loaded. */
export type HookManifest = Readonly<z.output<typeof HOOK>>;

/** Space with the child spaces that existed when the manifest was written. */
export interface SpaceManifest extends Readonly<Omit<z.output<typeof SPACE>, 'children'>> {
  readonly children: readonly SpaceManifest[];
}

/** Description of a package, which can be read without running it. `bae manifest` writes it to a file. */
export type PluginManifest = Readonly<z.output<typeof MANIFEST>>;

/** Returns the content of a manifest file, or a sentence about its first problem. */
export function checkManifest(value: unknown): PluginManifest | string {
  const { success, data, error } = MANIFEST.safeParse(value);
  if (success) return data.manifest === 1 ? { ...data, spaces: data.spaces.map(addConfirms) } : data;
  const [issue] = error.issues;
  const place = issue!.path.join('.');
  return `${place === '' ? '' : `${place}: `}${issue!.message}`;
}

/** Reads spaces that a running package describes. @throws ZodError for anything else */
export function parseSpaces(value: unknown): readonly SpaceManifest[] {
  return z.array(SPACE).parse(value);
}

/** Completes a space of version 1, in which tools that confirm were known by their names. */
function addConfirms(space: SpaceManifest): SpaceManifest {
  const confirming = { confirms: true } as const;
  const tools = space.tools.map((tool) => (/^(write|edit)$/.test(tool.name) ? { ...tool, ...confirming } : tool));
  return { ...space, tools, children: space.children.map(addConfirms) };
}
