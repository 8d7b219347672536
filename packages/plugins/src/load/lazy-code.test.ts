import { inject, type Provision } from '@bae/core';
import { afterEach, describe, expect, it } from 'vitest';
import { IMPORTS, putPackage, spaceModule } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { writeManifest } from '../manifest/write-manifest.ts';
import { readPlugin } from '../package/read-plugin.ts';
import { PluginError } from '../plugin-error.ts';
import { createPluginCode, type PluginCode, type CodeOptions } from './lazy-space.ts';

const name = 'bae-resourcespace-a';
const shared = globalThis as { planCode?: { made: number; gone: string[] }; baeInject?: typeof inject };
shared.baeInject = inject;
afterEach(() => {
  delete shared.planCode;
});

interface Given extends Partial<Omit<CodeOptions, 'plugin'>> {
  /** For the manifest, which is made before. */
  readonly provided?: readonly Provision[];
}

async function codeOf(module: string, { provided = [], ...given }: Given = {}): Promise<PluginCode> {
  const folder = putPackage(scratchFolder(), { name, code: module });
  await writeManifest(folder, provided);
  return createPluginCode({ plugin: readPlugin(folder), provide: provided, permit: () => undefined, ...given });
}

const COUNTING = `${IMPORTS}
globalThis.planCode ??= { made: 0, gone: [] };
export const spaces = () => {
  globalThis.planCode.made++;
  return ['a', 'b'].map((name) => defineResourcespace({ name, description: 'One.', tools: {}, dispose: () => void globalThis.planCode.gone.push(name) }));
};`;

describe('PluginCode', () => {
  it('makes the spaces once, however many callers load them', async () => {
    const code = await codeOf(COUNTING);
    shared.planCode!.made = 0;
    expect(code.tree).toBeUndefined();
    const [one, two] = await Promise.all([code.load(), code.load()]);
    expect(one).toBe(two);
    expect(code.tree).toBe(one);
    expect(one.below([]).map((space) => space.name)).toEqual(['a', 'b']);
    expect(shared.planCode!.made).toBe(1);
  });

  it('disposes of what was made, and of nothing when nothing was', async () => {
    const code = await codeOf(COUNTING);
    shared.planCode!.gone.length = 0;
    await code.dispose();
    expect(shared.planCode!.gone).toEqual([]);
    await code.load();
    await code.dispose();
    await code.dispose();
    expect(shared.planCode!.gone).toEqual(['a', 'b']);
    expect(code.tree).toBeUndefined();
  });

  it('does not dispose of a space that the module shares with everybody', async () => {
    const module = `${IMPORTS} globalThis.planCode ??= { made: 0, gone: [] };
      export const a = defineResourcespace({ name: 'a', description: 'A.', tools: {}, dispose: () => void globalThis.planCode.gone.push('a') });`;
    const code = await codeOf(module);
    await code.load();
    await code.dispose();
    expect(shared.planCode!.gone).toEqual([]);
  });

  it('asks for permission before anything runs, each time', async () => {
    const answers = ['no', 'yes'];
    const module = `${spaceModule('a')} globalThis.planCode = { made: (globalThis.planCode?.made ?? 0) + 1, gone: [] };`;
    const code = await codeOf(module, {
      permit: () => {
        if (answers.shift() === 'no') throw new PluginError('not now.');
        return undefined;
      },
    });
    shared.planCode!.made = 0;
    await expect(code.load()).rejects.toThrow('not now.');
    expect(shared.planCode!.made).toBe(0);
    await code.load();
    expect(shared.planCode!.made).toBe(1);
  });

  it('passes constructors what they inject', async () => {
    const module = `${IMPORTS}
      class ClockSpace { constructor(zone) { this.zone = zone; } enter() { return 'time in ' + this.zone; } }
      globalThis.baeInject('zone')(ClockSpace, undefined, 0);
      resourcespace({ name: 'clock', description: 'The time.' })(ClockSpace);
      export { ClockSpace };`;
    const code = await codeOf(module, { provided: [{ token: 'zone', value: 'UTC' }] });
    expect(await (await code.load()).at(['clock'])!.enter()).toBe('time in UTC');
    const without = await codeOf(module, { provided: [{ token: 'zone', value: '' }], provide: [] });
    await expect(without.load()).rejects.toThrow(
      `${name}: its spaces cannot be made: InvalidSpaceError: cannot create ClockSpace: nobody provides zone`,
    );
  });

  it('hands a function what is provided, beside the options', async () => {
    const module = `${IMPORTS}
      export const spaces = (options, provided) => defineResourcespace({ name: 'a', description: 'A.', tools: {},
        enter: () => 'time in ' + provided.get('zone') + ' ' + JSON.stringify(options) });`;
    const code = await codeOf(module, { provided: [{ token: 'zone', value: 'UTC' }], options: { most: 3 } });
    expect(await (await code.load()).at(['a'])!.enter()).toBe('time in UTC {"most":3}');
  });

  it('tolerates code that throws null', async () => {
    await expect(codeOf('export const spaces = () => { throw null; };')).rejects.toMatchObject({
      message: `${name}: its spaces cannot be made: Error: null.`,
      hints: [],
    });
  });

  it('passes on what the code suggests to do next', async () => {
    const module = `${IMPORTS}
      import { ConfigurationError } from ${JSON.stringify(import.meta.resolve('@bae/core'))};
      export const spaces = (options, provided) => {
        if (!provided.has('zone')) throw new ConfigurationError('nobody provides a zone.', ['provide: [zone]']);
        return defineResourcespace({ name: 'a', description: 'A.', tools: {} });
      };`;
    const code = await codeOf(module, { provided: [{ token: 'zone', value: 'UTC' }], provide: [] });
    await expect(code.load()).rejects.toMatchObject({
      message: `${name}: its spaces cannot be made: ConfigurationError: nobody provides a zone.`,
      hints: ['provide: [zone]'],
    });
  });

  it('gives the options as their schema makes them', async () => {
    const module = `${IMPORTS}
      export const options = z.object({ shop: z.string().trim(), most: z.int().default(3) }).meta({ examples: [{ shop: 'x' }] });
      export const spaces = (given) => defineResourcespace({ name: 'a', description: 'A.', enter: () => JSON.stringify(given), tools: {} });`;
    const code = await codeOf(module, { options: { shop: ' acme ' } });
    expect(await (await code.load()).at(['a'])!.enter()).toBe('{"shop":"acme","most":3}');
    const wrong = await codeOf(module, { options: { shop: 5 } });
    await expect(wrong.load()).rejects.toThrow(
      /^bae-resourcespace-a: options\.shop: .+\. Change it where bae-resourcespace-a is mounted, in the configuration\.$/,
    );
  });

  it('does not hand out spaces that are not those of the manifest', async () => {
    const folder = putPackage(scratchFolder(), { name, code: COUNTING });
    await writeManifest(folder, []);
    const plugin = readPlugin(folder);
    put(folder, { 'dist/index.js': COUNTING.replace("['a', 'b']", "['a', 'c']") });
    shared.planCode!.gone.length = 0;
    const code = createPluginCode({ plugin, provide: [], permit: () => undefined });
    await expect(code.load()).rejects.toThrow('does not match its code: space b is in the manifest, not in the code.');
    expect(shared.planCode!.gone).toEqual(['a', 'c']);
    expect(code.tree).toBeUndefined();
  });
});
