import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { checkResourcespace, type ResourcespaceContractOptions } from '@bae/testing';
import { writeManifest } from '@bae/plugins';
import { provideWorkspace } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { scaffoldNewSpace } from '../src/create/new-space.ts';
import { writeScaffold } from '../src/create/scaffold.ts';
import { runBae } from './run-bae.ts';
import { scratchFolder } from './scratch-folder.ts';

/** A project that has the packages of bae, as if they were installed there. */
function project() {
  const scratch = scratchFolder();
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(scratch.path, 'node_modules'));
  const say = async (...tags: readonly string[]) =>
    (await runBae(['do', '--yes'], { cwd: scratch.path, input: `${tags.join('\n')}\n` })).out;
  return { ...scratch, say };
}

describe.each([
  ['javascript', 'js'],
  ['typescript', 'ts'],
] as const)('a space in a project, in %s', (language, ending) => {
  it('has the manifest that bae manifest writes, and keeps the whole contract', async () => {
    const { path } = project();
    const folder = join(path, 'spaces/snow-report');
    const made = scaffoldNewSpace({ name: 'snow-report', language }, { root: path, folders: [], taken: new Set() });
    if (made.type === 'refused') throw new Error(made.reason);
    const { files, steps } = made;
    expect(steps.join('\n')).not.toContain('npm install');
    writeScaffold(folder, new Map([...files].map(([file, { text }]) => [file, text])));
    const before = readFileSync(join(folder, 'bae.manifest.json'), 'utf8');
    await writeManifest(folder, [provideWorkspace(path)]);
    expect(readFileSync(join(folder, 'bae.manifest.json'), 'utf8')).toBe(before);
    const samples = (await import(join(folder, `src/samples.${ending}`))) as Record<
      string,
      ResourcespaceContractOptions
    >;
    const { score } = await checkResourcespace(samples['snow_report']!);
    expect(score.passed).toBe(score.of);
  });

  it('can be made by a tag, registered, trusted and used', async () => {
    const { path, put, say } = project();
    if (language === 'typescript') put('src/a.ts', 'export const a: number = 1;\n');
    const made = await say('<source.W:weather></source.W>');
    expect(made).toContain(`Created space weather: ${language === 'typescript' ? 10 : 9} files in spaces/weather\n`);
    expect(existsSync(join(path, 'bae.config.json'))).toBe(false);

    // What the answer tells the user to do.
    const entry = /in bae\.config\.json: (\{.*?\}),/.exec(made)?.[1] ?? '';
    put('bae.config.json', entry);
    expect((await say('@weather()')).includes('0 notes')).toBe(false);
    expect((await runBae(['trust', '--yes'], { cwd: path })).out).not.toContain('was changed after');

    const used = await say(
      '<weather.W:oslo>Snow.</weather.W>',
      '@weather()',
      '<Grep:snow>',
      '<source.meta.R:>',
      '<source.W:weather></source.W>',
    );
    expect(used).toContain(' 1 note\n');
    expect(used).toContain('\noslo: Snow.\n');
    expect(used).toContain('\nweather -- spaces/weather (4 modules)\n');
    expect(used).toContain("'weather' cannot be the name of a new resourcespace: a space weather is here already.");

    const elsewhere = scratchFolder().path;
    await runBae(['do', '--yes', '--cwd', path], {
      cwd: elsewhere,
      env: { HOME: path },
      input: '<weather.W:rome>Sun.</weather.W>',
    });
    expect(readdirSync(join(path, 'weather')).toSorted()).toEqual(['oslo.md', 'rome.md']);
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('a space that is made by a tag', () => {
  it('is removed by one undo, in the session or after it', async () => {
    const { path, say } = project();
    const out = await say('<source.W:weather></source.W>', '<source.undo:>');
    expect(out.match(/Undid scaffold of /g)).toHaveLength(9);
    // The home folder of the user is here too.
    const list = () => readdirSync(path).filter((name) => name !== '.config');
    expect(list().toSorted()).toEqual(['.bae', 'node_modules']);
    await say('<source.W:weather></source.W>');
    expect((await runBae(['undo', '--yes'], { cwd: path })).code).toBe(0);
    expect(list().toSorted()).toEqual(['.bae', 'node_modules']);
  });

  it('needs consent', async () => {
    const { path } = project();
    const { out } = await runBae(['do'], { cwd: path, input: '<source.W:weather></source.W>' });
    expect(out).toContain('ApprovalError');
    expect(existsSync(join(path, 'spaces'))).toBe(false);
  });
});
