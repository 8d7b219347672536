import { z } from 'zod';

const target = () =>
  z.string().meta({ description: 'File, with a line range where lines are meant', examples: ['src/main.ts'] });
const ignored = () => z.boolean().default(false).describe('Also what .gitignore excludes');

/** Parameters of the tools; the first one of each tool takes the argument of the tag. */
export const FILE_PARAMS = {
  read: () =>
    z.object({
      target: z
        .string()
        .default('')
        // The root folder can always be read; a file named in an example might not exist.
        .meta({ description: 'File, with a line range where lines are meant; or folder', examples: [''] }),
    }),
  write: () => z.object({ target: target(), content: z.string().describe('The whole file') }),
  edit: () =>
    z.object({
      target: target(),
      old: z.string().optional().describe('Text to replace; occurs once'),
      new: z.string().optional().describe('Replacement text'),
      every: z.boolean().default(false).describe('Replace every occurrence of old'),
      before: z.boolean().default(false).describe('Insert before the lines, or before old'),
      after: z.boolean().default(false).describe('Insert after the lines, or after old'),
      content: z.string().optional().describe('New lines, empty to delete; or blocks of <old>…</old><new>…</new>'),
    }),
  delete: () => z.object({ target: z.string().meta({ description: 'File or folder', examples: ['src/old.ts'] }) }),
  move: () =>
    z
      .object({
        target: z.string().meta({ description: 'File or folder', examples: ['src/old.ts'] }),
        to: z
          .string()
          .default('')
          .meta({ description: 'New path; or a folder, with a slash at its end', examples: ['src/new.ts'] }),
      })
      // Both paths may be in the argument: `<move:a.ts b.ts>`.
      .refine(({ target: from, to }) => to !== '' || /\S\s+\S/.test(from.trim()), {
        path: ['to'],
        message: 'required',
      }),
  mkdir: () => z.object({ target: z.string().meta({ description: 'New folder', examples: ['src/new'] }) }),
  glob: () =>
    z.object({
      pattern: z.string().meta({ description: 'File pattern: ** * ? {a,b} [a-z]', examples: ['src/**/*.ts'] }),
      path: z.string().optional().describe('Folder the pattern begins in'),
      ignored: ignored(),
    }),
  grep: () =>
    z.object({
      pattern: z.string().meta({ description: 'Regular expression of RE2; (?i) ignores case', examples: ['TODO'] }),
      path: z.string().optional().describe('File, folder or file pattern to search'),
      ignored: ignored(),
    }),
  undo: () =>
    z.object({
      steps: z.int().min(1).default(1).describe('How many changes to undo'),
    }),
} as const;

/** What code gets of the searches. */
export const FILE_OUTPUTS = {
  glob: () => z.array(z.string()),
  grep: () => z.array(z.object({ path: z.string(), line: z.int(), text: z.string() })),
} as const;

export type ArgsOf<T extends keyof typeof FILE_PARAMS> = z.output<ReturnType<(typeof FILE_PARAMS)[T]>>;
