import { z } from 'zod';

const target = z
  .string()
  .meta({ description: 'Dotted address: package.module.Symbol', examples: ['core.agent.Agent'] });
const strict = z.boolean().default(false).describe('Refuse it when it brings type errors');
const test = z
  .string()
  .optional()
  .meta({ description: 'Tests to run at once; it stays only if they pass', examples: ['core.agent.agent.test'] });
const page = z.int().min(1).default(1).describe('Page of a list that is too long for one answer');
const symbol = z.string().meta({ description: 'Address of a symbol', examples: ['core.agent.Agent.run'] });
const all = z.boolean().default(false).describe('Also files that only declare types');

/** Parameters of the tools; the first of each takes the argument of the tag. */
export const SOURCE_PARAMS = {
  read: z.object({
    target: z.string().default('').describe('Package, folder, module or symbol, with dots; a line range may follow'),
    page,
    all,
  }),
  glob: z.object({
    pattern: z.string().meta({ description: 'Names with dots; * in one, ** across', examples: ['core.**'] }),
    all,
  }),
  grep: z.object({
    pattern: z.string().meta({ description: 'Regular expression, then perhaps an address', examples: ['TODO'] }),
    path: z
      .string()
      .optional()
      .meta({ description: 'Package, folder or module to search', examples: ['core.agent'] }),
    all,
  }),
  write: z.object({
    target,
    overwrite: z.boolean().default(false).describe('Replace a module that is there'),
    export: z.boolean().default(false).describe('Also export it from the index of its folder'),
    strict,
    test,
    content: z.string().describe('The whole module; nothing for a new resourcespace'),
  }),
  edit: z.object({
    target,
    rename: z.boolean().default(false).describe('The new text may have another name'),
    delete: z.boolean().default(false).describe('Remove the symbol'),
    strict,
    test,
    content: z.string().optional().describe('The symbol as it is to be'),
  }),
  references: z.object({ target: symbol, page }),
  diagnostics: z.object({
    target: z.string().default('').describe('Package, folder or module; default the whole project'),
    page,
  }),
  rename: z.object({
    target: symbol,
    to: z.string().meta({ description: 'Its new name', examples: ['Worker'] }),
  }),
  undo: z.object({
    steps: z.int().min(1).default(1).describe('How many changes to undo'),
  }),
} as const;

/** The arguments that a tool is called with. */
export type ArgsOf<T extends keyof typeof SOURCE_PARAMS> = z.output<(typeof SOURCE_PARAMS)[T]>;
