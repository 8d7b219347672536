import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { asModelText } from '@bae/core';
import { writeManifest } from '@bae/plugins';
import { provideWorkspace } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { parseArguments } from '../src/command-line/options.ts';
import { composeAgent } from '../src/compose.ts';
import { loadSettings } from '../src/config/settings.ts';
import { scaffoldProjectSpace } from '../src/create/new-space.ts';
import { writeScaffold } from '../src/create/scaffold.ts';
import { openMemoryTerminal } from './memory-terminal.ts';
import { LAUNCHER, runBae, runProgram } from './run-bae.ts';
import { scratchFolder } from './scratch-folder.ts';

/** A project with a space that a function makes, trusted, and how to use it from another folder. */
async function project(language: 'javascript' | 'typescript', options: object = {}) {
  const { path, put } = scratchFolder();
  const elsewhere = scratchFolder().path;
  mkdirSync(join(path, 'node_modules/.bin'), { recursive: true });
  symlinkSync(LAUNCHER, join(path, 'node_modules/.bin/bae'));
  for (const name of ['@bae', 'zod'])
    symlinkSync(join(import.meta.dirname, '../node_modules', name), join(path, 'node_modules', name));
  const folder = join(path, 'spaces/weather');
  const files = scaffoldProjectSpace({ name: 'weather', language });
  writeScaffold(folder, new Map([...files].map(([file, { text }]) => [file, text])));
  put('bae.config.json', {
    spaces: [{ use: './spaces/weather', options }],
    approve: [{ space: 'source.meta', target: 'weather', decision: 'allow' }],
  });
  const env = { HOME: path };
  await runBae(['trust', './spaces/weather', '--yes'], { cwd: path, env });
  const sayTo =
    (run: typeof runBae) =>
    async (...tags: readonly string[]) => {
      const args = ['do', '--yes', '--cwd', path, '--config', join(path, 'bae.config.json')];
      return (await run(args, { cwd: elsewhere, env, input: `${tags.join('\n')}\n` })).out;
    };
  // Tests load modules by other means than Node, which know of no reload.
  return { path, elsewhere, folder, env, say: sayTo(runBae), sayToProgram: sayTo(runProgram) };
}

const OSLO = '<weather.W:oslo>Snow.</weather.W>';
const TAKEN_BACK = 'Undid write of weather/oslo.md (the new file is gone)';

describe.each(['javascript', 'typescript'] as const)('a note of a space that a function makes, in %s', (language) => {
  it('is below the folder that bae works in, and removed by one undo of the same session', async () => {
    const { path, elsewhere, say } = await project(language);
    expect(await say(OSLO, '<weather.R:oslo>')).toContain('\nSnow.\n');
    expect(readFileSync(join(path, 'weather/oslo.md'), 'utf8')).toBe('Snow.');
    expect(await say('<weather.W:rome>Sun.</weather.W>', '<undo:>', '<undo:>')).toMatch(
      /\nUndid write of weather\/rome\.md \(the new file is gone\)\n[^]*\nNothing to undo: no change of this session is left\.\n/,
    );
    expect(readdirSync(join(path, 'weather'))).toEqual(['oslo.md']);
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  // JavaScript differs from TypeScript only in how it is loaded.
  const tags = language === 'javascript' ? ['long'] : [];
  it('is taken back also by the code of the space that was loaded meanwhile', { tags }, async () => {
    const { path, sayToProgram } = await project(language);
    const out = await sayToProgram('<weather.R:>', '<source.meta.reload:weather>', OSLO, '<undo:>');
    expect(out).toContain('\nReloaded weather.\n');
    expect(out).toContain(`\n${TAKEN_BACK}\n`);
    expect(existsSync(join(path, 'weather'))).toBe(false);
  });
});

describe('the folder of the notes', () => {
  it.each([
    ['docs/notes [old]', 'docs/notes [old]/oslo.md'],
    ['./', 'oslo.md'],
  ])('may be %j', async (folder, file) => {
    const { path, say } = await project('javascript', { folder });
    expect(await say(OSLO, '@weather()', '<Grep:snow>')).toMatch(/ 1 note\n[^]*\noslo: Snow\.\n/);
    expect(readFileSync(join(path, file), 'utf8')).toBe('Snow.');
  });

  it.each(['../notes', '/etc'])('is not outside of the workspace: %j', async (folder) => {
    const { elsewhere, say } = await project('javascript', { folder });
    const out = await say('@weather()', OSLO);
    expect(out).toContain(`state unavailable: PathError: ${folder} is outside the workspace: `);
    expect(out).toContain('[weather] PathError');
    expect(readdirSync(elsewhere)).toEqual([]);
  });
});

describe('an agent that works in another folder than its process', () => {
  it('writes and undoes notes in its own', async () => {
    const { path, env } = await project('javascript');
    const words = ['do', '--yes', '--cwd', path, '--config', join(path, 'bae.config.json')];
    const { options } = parseArguments(words, ['do']);
    const terminal = openMemoryTerminal({ cwd: '/', env });
    const agent = composeAgent(await loadSettings({ options, terminal }), { options, terminal });
    const say = async (text: string) => (await agent.run(asModelText(text))).calls.at(-1)?.result.text;
    expect(await say(OSLO)).toBe('Wrote oslo.');
    expect(existsSync(join(path, 'weather/oslo.md'))).toBe(true);
    expect(await say('<undo:>')).toBe(TAKEN_BACK);
    expect(existsSync(join(path, 'weather'))).toBe(false);
    await agent.close();
  });
});

describe('a space that needs a workspace', () => {
  it('explains what to write when there is none', async () => {
    const { folder } = await project('javascript');
    await expect(writeManifest(folder, [])).rejects.toMatchObject({
      message:
        'bae-resourcespace-weather: its spaces cannot be made: ConfigurationError: no workspace is provided. Provide one where the agent is created.',
      hints: ["provide: [provideWorkspace('.')]"],
    });
    expect((await writeManifest(folder, [provideWorkspace(folder)])).changed).toBe(false);
  });
});
