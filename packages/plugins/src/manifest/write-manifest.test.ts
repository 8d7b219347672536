import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createAgent, defineResourcespace, tool } from '@bae/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { IMPORTS, putPackage, spaceModule } from '../../test/sample-package.ts';
import { put, scratchFolder } from '../../test/scratch.ts';
import { makeLazyTool } from '../load/lazy-space.ts';
import { describeTree } from './describe-spaces.ts';
import { checkManifest } from './plugin-manifest.ts';
import { writeManifest } from './write-manifest.ts';

const name = 'bae-resourcespace-a';

async function failure(code: string): Promise<string> {
  const folder = putPackage(scratchFolder(), { name, code });
  return writeManifest(folder, []).then(
    () => 'nothing',
    (error: Error) => error.message,
  );
}

describe('writeManifest', () => {
  it('writes what a package has, and what its options are', async () => {
    const folder = putPackage(scratchFolder(), {
      name,
      version: '2.1.0',
      code: `${IMPORTS}
        export const options = z.object({ url: z.string().describe('where') }).meta({ examples: [{ url: 'x' }] });
        const inner = defineResourcespace({ name: 'inner', description: 'Below.', tools: {} });
        export const spaces = ({ url }) => defineResourcespace({
          name: 'a', description: 'At ' + url.length + '.', group: 'letters', children: () => ({ inner }),
          tools: { send: tool('Sent.', { to: z.enum(['x', 'y']).default('x'), text: z.string() }, () => '', { body: 'text', effect: 'external', timeoutMs: 5 }) },
        });`,
    });
    const { file, changed, manifest } = await writeManifest(folder, []);
    expect({ file, changed }).toEqual({ file: join(folder, 'dist/bae.manifest.json'), changed: true });
    expect(manifest).toEqual({
      manifest: 2,
      name,
      version: '2.1.0',
      code: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      options: {
        type: 'object',
        properties: { url: { type: 'string', description: 'where' } },
        required: ['url'],
        additionalProperties: false,
        examples: [{ url: 'x' }],
      },
      standalone: true,
      spaces: [
        {
          name: 'a',
          description: 'At 1.',
          group: 'letters',
          tools: [
            {
              name: 'send',
              description: 'Sent.',
              effect: 'external',
              timeoutMs: 5,
              params: [
                { name: 'to', type: 'x|y', optional: true, default: 'x' },
                { name: 'text', type: 'string', body: true },
              ],
            },
          ],
          children: [{ name: 'inner', description: 'Below.', tools: [], children: [] }],
        },
      ],
    });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(manifest);
    expect(statSync(file).mode & 0o777).toBe(0o644);
  });

  it('writes the same for the same code, and notices when it has changed', async () => {
    const folder = putPackage(scratchFolder(), { name, code: spaceModule('a') });
    await writeManifest(folder, []);
    expect((await writeManifest(folder, [])).changed).toBe(false);
    put(folder, { 'dist/index.js': spaceModule('b') });
    const { changed, manifest } = await writeManifest(folder, []);
    expect([changed, manifest.spaces[0]?.name]).toEqual([true, 'b']);
  });

  it('reports what is in the way', async () => {
    expect(await failure('throw new Error("boom");')).toBe(`${name} cannot be loaded: Error: boom.`);
    expect(await failure('export const spaces = () => [];')).toBe(
      `${name} has no spaces: spaces(options) returned none.`,
    );
    expect(await failure('export const spaces = () => { throw new Error("boom") };')).toBe(
      `${name}: its spaces cannot be made: Error: boom.`,
    );
    expect(await failure('export const spaces = () => 5;')).toBe(
      `${name}: its spaces cannot be made: InvalidSpaceError: a space is a decorated class, an instance of one, or what defineResourcespace() returns; got number.`,
    );
    const needy = `${IMPORTS} export const options = z.object({ a: z.string() }); export const spaces = () => [];`;
    expect(await failure(needy)).toBe(
      `${name}: its options have no example, and without any its spaces cannot be made. Write one: options = z.strictObject({ … }).meta({ examples: [{ … }] }).`,
    );
    const example = needy.replace('});', '}).meta({ examples: [{ a: 1 }] });');
    expect(await failure(example)).toMatch(
      /^bae-resourcespace-a: options\.a: .+ Change it where bae-resourcespace-a is mounted/,
    );
  });

  it('reports when the file cannot be written', async () => {
    const folder = putPackage(scratchFolder(), { name, code: spaceModule('a') });
    put(folder, { 'dist/bae.manifest.json/in-the-way': '' });
    await expect(writeManifest(folder, [])).rejects.toThrow(
      /bae\.manifest\.json cannot be written: .+ Make its folder writable\.$/,
    );
  });
});

describe('a tool', () => {
  const leaf = fc.constantFrom(
    z.string(),
    z.int(),
    z.number().min(3),
    z.boolean(),
    z.array(z.string()),
    z.enum(['a', 'b']),
    z.literal([1, 2]),
    z.union([z.string(), z.int()]),
    z.object({ x: z.bigint().default(5n) }),
    z.string().meta({ examples: ['such'] }),
  );
  const param = leaf.chain((schema) =>
    fc.constantFrom<z.ZodType>(
      schema,
      schema.optional(),
      schema.nullable(),
      schema.describe('A doc.'),
      z.object({ n: z.int() }).default({ n: 1 }),
    ),
  );

  it('has the same signature after it was written down and read again', { tags: ['long'] }, () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), param), (params) => {
        const space = defineResourcespace({
          name: 'a',
          description: 'A.',
          tools: { act: tool('Acts.', params, () => '') },
        });
        const written = describeTree(createAgent({ spaces: [space] }).tree);
        const manifest = { manifest: 1, name, version: '1', code: '', spaces: written };
        const read = checkManifest(JSON.parse(JSON.stringify(manifest)));
        if (typeof read === 'string') throw new Error(read);
        const real = space.tools['act']!;
        const lazy = makeLazyTool(read.spaces[0]!.tools[0]!, () => Promise.resolve(real));
        expect(Object.keys(lazy.params._zod.def.shape)).toEqual(Object.keys(real.params._zod.def.shape));
        expect(lazy.spec).toEqual(
          JSON.parse(
            JSON.stringify(real.spec, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
          ),
        );
        expect(lazy.spec.params.map((one) => 'default' in one)).toEqual(
          real.spec.params.map((one) => 'default' in one),
        );
      }),
    );
  });
});
