import { z } from 'zod';

// Examples are shown in advice for any project, so optional parameters have none, unless the empty text is one.
const strict = () => z.boolean().default(false).describe('Refuse it when it brings type errors');
const test = () => z.string().optional().describe('Tests to run at once; it stays only if they pass');
const page = () => z.int().min(1).default(1).describe('Page of a list that is too long for one result');
/** The same for a list that code gets as rows: without a page it gets all of them. */
const rowsPage = () => z.int().min(1).optional().describe('Page of a list that is too long for one result');
const symbol = () =>
  z
    .string()
    .meta({ description: 'A symbol: Class.method, module.name, src/a.ts#name', examples: ['lib.greeting.greet'] });
const every = () => z.boolean().default(false).describe('Also files that only declare types');

/** Parameter of the tools that operate in one package. */
export const inPackage = () => z.string().default('').describe('Package of the project; default the one at its root');

/** Parameters of the tools; the first one of each tool takes the argument of the tag. */
export const SOURCE_PARAMS = {
  read: () =>
    z.object({
      target: z
        .string()
        .default('')
        .meta({ description: 'Package, folder, module, path or symbol; a line range may follow', examples: [''] }),
      page: page(),
      every: z.boolean().default(false).describe('Also private members, and files that only declare types'),
    }),
  glob: () =>
    z.object({
      pattern: z.string().meta({ description: 'Names with dots; * in one, ** across', examples: ['**'] }),
      every: every(),
    }),
  grep: () =>
    z.object({
      pattern: z.string().meta({ description: 'Regular expression, then perhaps an address', examples: ['TODO'] }),
      path: z
        .string()
        .optional()
        .meta({ description: 'Package, folder or module to search', examples: [''] }),
      every: every(),
    }),
  write: () =>
    z.object({
      target: z.string().meta({
        description: 'A new module, or a symbol to add: module.name, module.Class.member',
        examples: ['lib.greeting'],
      }),
      overwrite: z.boolean().default(false).describe('Replace a module that is there'),
      export: z.boolean().default(false).describe('Also export it from the index of its folder'),
      as: z.enum(['module', 'member']).optional().describe('What it becomes where that is not clear'),
      strict: strict(),
      test: test(),
      content: z
        .string()
        .meta({ description: 'The whole module or symbol; nothing for a new resourcespace', examples: ['…'] }),
    }),
  edit: () =>
    z.object({
      target: symbol(),
      old: z.string().optional().describe('Text in it to replace; occurs once'),
      new: z.string().optional().describe('Replacement text'),
      every: z.boolean().default(false).describe('Replace every occurrence of old'),
      before: z.boolean().default(false).describe('Insert the content before the symbol, or before old'),
      after: z.boolean().default(false).describe('Insert the content after the symbol, or after old'),
      rename: z.boolean().default(false).describe('The new text may have another name'),
      delete: z.boolean().default(false).describe('Remove the symbol'),
      strict: strict(),
      test: test(),
      content: z
        .string()
        .optional()
        .meta({
          description: 'The symbol as it is to be; new lines for a range; or blocks of <old>…</old><new>…</new>',
          examples: ['…'],
        }),
    }),
  references: () => z.object({ target: symbol(), page: rowsPage() }),
  diagnostics: () =>
    z.object({
      target: z
        .string()
        .default('')
        .meta({ description: 'Package, folder or module; default the whole project', examples: [''] }),
      page: rowsPage(),
    }),
  rename: () =>
    z.object({
      target: symbol(),
      to: z.string().meta({ description: 'Its new name', examples: ['Worker'] }),
    }),
  undo: () =>
    z.object({
      steps: z.int().min(1).default(1).describe('How many changes to undo'),
    }),
} as const;

/** Arguments of a tool call. */
export type ArgsOf<T extends keyof typeof SOURCE_PARAMS> = z.output<ReturnType<(typeof SOURCE_PARAMS)[T]>>;
