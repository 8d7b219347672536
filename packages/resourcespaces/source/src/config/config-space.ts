import { inject, resourcespace, tool, type Resourcespace, type ToolContext, type ToolOutput } from '@bae/core';
import { retryOnConflict, renderUnifiedDiff, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { findPackageFolder } from '../find-package.ts';
import {
  findConfigTarget,
  listConfigFiles,
  openConfig,
  planConfig,
  readConfig,
  type ConfigChange,
  type ConfigFile,
} from './config-file.ts';

const inPackage = z.string().default('').describe('Package of the project; default the one at its root');
const key = z.string().meta({ description: 'File and key', examples: ['package.scripts.test'] });
const value = z.string().describe('JSON, or plain text for a string');

const PARAMS = {
  read: z.object({
    key: z
      .string()
      .default('')
      .meta({ description: 'File, and perhaps a key in it', examples: ['package.scripts'] }),
    package: inPackage,
  }),
  change: z.object({ key, value, package: inPackage }),
  remove: z.object({ key, package: inPackage }),
} as const;

type ChangeArgs = z.output<typeof PARAMS.change>;
type RemoveArgs = z.output<typeof PARAMS.remove>;

/** Longest value in a result, in characters. */
const LONGEST_VALUE = 100;

/** The settings of a project: package.json, tsconfig.json and others, by dotted key. */
@resourcespace({ name: 'config', description: 'Settings by key.' })
export class ConfigSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
  }

  async enter(): Promise<string> {
    const files = await listConfigFiles(this.#root, '');
    return files.length === 0 ? '(no settings files)' : files.map(({ name }) => name).join(', ');
  }

  @tool({ description: 'Settings files with their keys, a whole file, or what stands at a key.', params: PARAMS.read })
  async read({ key, package: name }: z.output<typeof PARAMS.read>): Promise<ToolOutput> {
    const files = await listConfigFiles(this.#root, await findPackageFolder(this.#root, name));
    if (key === '') {
      const rows = (await Promise.all(files.map((file) => this.#summarize(file)))).join('\n');
      return { text: rows || '(no settings files)', format: 'plain', whole: () => rows };
    }
    const target = findConfigTarget(files, key);
    const isFile = target.key.length === 0;
    const text = isFile ? (await this.#root.readText(target.file.path)).text : await readConfig(this.#root, target);
    return { text, format: 'code' };
  }

  @tool({
    description: 'The key that was added. Adds a key with a value; what is there is never replaced.',
    params: PARAMS.change,
    body: 'value',
    preview(this: ConfigSpace, args) {
      return this.preview('write', args);
    },
  })
  write(args: ChangeArgs, context: ToolContext) {
    return this.#change('write', args, context);
  }

  @tool({
    description: 'The old and the new value. Replaces what stands at a key; comments and layout stay.',
    params: PARAMS.change,
    body: 'value',
    preview(this: ConfigSpace, args) {
      return this.preview('edit', args);
    },
  })
  edit(args: ChangeArgs, context: ToolContext) {
    return this.#change('edit', args, context);
  }

  @tool({
    description: 'The value that was there. Removes a key.',
    params: PARAMS.remove,
    effect: 'write',
    preview(this: ConfigSpace, args) {
      return this.preview('remove', args);
    },
  })
  remove(args: RemoveArgs, context: ToolContext) {
    return this.#change('remove', args, context);
  }

  /** The change of the file, as a diff. */
  private async preview(verb: ConfigChange['verb'], args: ChangeArgs | RemoveArgs): Promise<string> {
    const change = await this.#resolve(verb, args);
    const { before, after } = await planConfig(this.#root, change);
    return renderUnifiedDiff({ path: change.target.file.path, before: before.text, after });
  }

  async #change(verb: ConfigChange['verb'], args: ChangeArgs | RemoveArgs, { session }: ToolContext): Promise<string> {
    const change = await this.#resolve(verb, args);
    const { path } = change.target.file;
    const plan = () => planConfig(this.#root, change);
    return this.#root.exclusively(path, () =>
      retryOnConflict(plan, async ({ before, after, old }) => {
        const action = `${verb} of a setting`;
        await this.#root.write(path, after, { expected: before.hash, session: session.id, action });
        if (verb === 'remove') return `Removed ${args.key} (was ${abbreviate(old)})`;
        const was = old === undefined ? '' : `${abbreviate(old)} -> `;
        return `Set ${args.key}: ${was}${abbreviate(change.value)}`;
      }),
    );
  }

  async #resolve(verb: ConfigChange['verb'], args: ChangeArgs | RemoveArgs): Promise<ConfigChange> {
    const files = await listConfigFiles(this.#root, await findPackageFolder(this.#root, args.package));
    const target = findConfigTarget(files, args.key);
    return { verb, target, ...('value' in args ? { value: parseValue(args.value) } : {}) };
  }

  /** A settings file with its keys, as a line. */
  async #summarize(file: ConfigFile): Promise<string> {
    if (file.format === undefined) return `${file.name} (code, read only)`;
    try {
      const { data } = await openConfig(this.#root, file);
      return `${file.name}: ${Object.keys(data ?? {}).join(', ')}`;
    } catch (error) {
      return `${file.name}: ${(error as Error).message}`;
    }
  }
}

/** Parses JSON; any other text is the value itself. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.trim();
  }
}

function abbreviate(data: unknown): string {
  const text = JSON.stringify(data);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}
