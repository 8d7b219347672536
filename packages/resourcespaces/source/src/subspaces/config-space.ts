import { inject, resourcespace, tool, type Resourcespace, type ToolContext } from '@bae/core';
import { carryOut, unifiedDiff, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { valueAt } from './config-edit.ts';
import { findConfigTarget, listConfigFiles, type ConfigFile } from './config-file.ts';
import { findPackageFolder } from './find-package.ts';
import { openConfig, planConfig, type ConfigOrder } from './plan-config.ts';

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

type Change = z.output<typeof PARAMS.change>;
type Remove = z.output<typeof PARAMS.remove>;

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
  async read({ key: target, package: name }: z.output<typeof PARAMS.read>) {
    const files = await listConfigFiles(this.#root, await findPackageFolder(this.#root, name));
    if (target === '') {
      const rows = await this.#overview(files);
      return { text: rows || '(no settings files)', format: 'plain' as const, whole: () => rows };
    }
    const found = findConfigTarget(files, target);
    const whole = found.key.length === 0;
    if (whole) return { text: (await this.#root.readText(found.file.path)).text, format: 'code' as const };
    const { data, format } = await openConfig(this.#root, found);
    const there = valueAt(data, found.key);
    // Says which keys there are instead.
    if (there === undefined) await planConfig(this.#root, { verb: 'remove', target: found });
    return { text: format.show(there), format: 'code' as const };
  }

  @tool({
    description: 'The key that was added. Adds a key with a value; what is there is never replaced.',
    params: PARAMS.change,
    body: 'value',
    preview(this: ConfigSpace, args) {
      return this.preview('write', args);
    },
  })
  write(args: Change, context: ToolContext) {
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
  edit(args: Change, context: ToolContext) {
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
  remove(args: Remove, context: ToolContext) {
    return this.#change('remove', args, context);
  }

  /** What a change would do to the file, as a diff. */
  private async preview(verb: ConfigOrder['verb'], args: Change | Remove): Promise<string> {
    const order = await this.#order(verb, args);
    const { before, after } = await planConfig(this.#root, order);
    return unifiedDiff({ path: order.target.file.path, before: before.text, after });
  }

  async #change(verb: ConfigOrder['verb'], args: Change | Remove, { session }: ToolContext): Promise<string> {
    const order = await this.#order(verb, args);
    const { path } = order.target.file;
    const plan = () => planConfig(this.#root, order);
    return this.#root.exclusively(path, () =>
      carryOut(plan, async ({ before, after, old }) => {
        await this.#root.write(path, after, {
          expected: before.hash,
          session: session.id,
          action: `${verb} of a setting`,
        });
        if (verb === 'remove') return `Removed ${args.key} (was ${shown(old)})`;
        const change = old === undefined ? shown(order.value) : `${shown(old)} -> ${shown(order.value)}`;
        return `Set ${args.key}: ${change}`;
      }),
    );
  }

  async #order(verb: ConfigOrder['verb'], args: Change | Remove): Promise<ConfigOrder> {
    const files = await listConfigFiles(this.#root, await findPackageFolder(this.#root, args.package));
    const target = findConfigTarget(files, args.key);
    return { verb, target, ...('value' in args ? { value: readValue(args.value) } : {}) };
  }

  async #overview(files: readonly ConfigFile[]): Promise<string> {
    const rows = files.map(async (file) => {
      if (file.format === undefined) return `${file.name} (code, read only)`;
      try {
        const { data } = await openConfig(this.#root, { file, key: [] });
        return `${file.name}: ${Object.keys(data ?? {}).join(', ')}`;
      } catch (error) {
        return `${file.name}: ${(error as Error).message}`;
      }
    });
    return (await Promise.all(rows)).join('\n');
  }
}

/** JSON where it is JSON, a text otherwise. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text.trim();
  }
}

function shown(data: unknown): string {
  const text = JSON.stringify(data);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
