import { inject, resourcespace, tool, type Change, type Resourcespace, type ToolOutput } from '@bae/core';
import { WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { findPackageFolder } from '../modules/find-packages.ts';
import {
  abbreviate,
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
    plan: true,
  })
  write(args: ChangeArgs) {
    return this.#plan('write', args);
  }

  @tool({
    description: 'The old and the new value. Replaces what stands at a key; comments and layout stay.',
    params: PARAMS.change,
    body: 'value',
    plan: true,
  })
  edit(args: ChangeArgs) {
    return this.#plan('edit', args);
  }

  @tool({
    description: 'The value that was there. Removes a key.',
    params: PARAMS.remove,
    effect: 'write',
    plan: true,
  })
  remove(args: z.output<typeof PARAMS.remove>) {
    return this.#plan('remove', args);
  }

  async #plan(verb: ConfigChange['verb'], args: Omit<ChangeArgs, 'value'> & Partial<ChangeArgs>): Promise<Change> {
    const files = await listConfigFiles(this.#root, await findPackageFolder(this.#root, args.package));
    const value = args.value === undefined ? undefined : parseValue(args.value);
    const { change, old } = await planConfig(this.#root, { verb, target: findConfigTarget(files, args.key), value });
    return change.map(() => {
      if (verb === 'remove') return `Removed ${args.key} (was ${abbreviate(old)})`;
      return `Set ${args.key}: ${old === undefined ? '' : `${abbreviate(old)} -> `}${abbreviate(value)}`;
    });
  }

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
