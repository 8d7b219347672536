import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBae } from './run-bae.ts';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'bae-create-')));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const manifestOf = (folder: string) =>
  JSON.parse(readFileSync(join(cwd, folder, 'package.json'), 'utf8')) as Record<string, Record<string, string>>;

describe('bae create', () => {
  it('makes a package, and shows what is in it and what to type next', async () => {
    const { code, out, err } = await runBae(['create', 'space', 'weather'], { cwd });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(`\
bae-resourcespace-weather is made in bae-resourcespace-weather:
  .gitignore
  README.md
  package.json
  pnpm-workspace.yaml
  src/index.ts
  src/note-store.ts
  src/samples.ts
  src/weather-space.ts
  test/weather-space.test.ts
  tsconfig.build.json
  tsconfig.json
  vitest.config.ts
Its packages are links to this copy of bae; with --no-link they come from the registry.
Next:
  cd bae-resourcespace-weather
  npm install
  npm run build
  npm test
  npm run dev
`);
  });

  it('links what this copy of bae has, and leaves to others what it needs of them', async () => {
    await runBae(['create', 'space', 'weather'], { cwd });
    const { devDependencies, peerDependencies } = manifestOf('bae-resourcespace-weather');
    expect(Object.values(devDependencies!).every((range) => range.startsWith('file:/'))).toBe(true);
    expect(peerDependencies!['@bae/core']).toMatch(/^\^/);
    const settings = readFileSync(join(cwd, 'bae-resourcespace-weather/pnpm-workspace.yaml'), 'utf8');
    expect(settings).toContain(`  '@bae/core': "${devDependencies!['@bae/core']!.replace('file:', 'link:')}"\n`);
  });

  it('names versions with --no-link', async () => {
    await runBae(['create', 'space', 'weather', '--no-link', '--javascript', '--dir', 'deep/w'], { cwd });
    const { name, devDependencies } = manifestOf('deep/w');
    expect(name).toBe('bae-resourcespace-weather');
    expect(Object.values(devDependencies!).filter((range) => !/^\^?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
    expect(existsSync(join(cwd, 'deep/w/pnpm-workspace.yaml'))).toBe(false);
    expect(existsSync(join(cwd, 'deep/w/tsconfig.json'))).toBe(false);
  });

  it('touches nothing where something is', async () => {
    writeFileSync(join(cwd, 'mine.txt'), 'mine');
    const { code, out, err } = await runBae(['create', 'agent', 'reviewer', '--dir', '.'], { cwd });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toBe(
      `bae: ${cwd} already exists and is not empty. Nothing was written.\nTry: --dir DIR with a folder that does not exist yet\n`,
    );
  });

  it('tells programs what it made', async () => {
    const { out } = await runBae(['create', 'agent', 'reviewer', '--json'], { cwd });
    expect(JSON.parse(out)).toMatchObject({ package: 'reviewer', folder: join(cwd, 'reviewer'), linked: true });
  });

  it.each([
    [[], 'bae create needs a kind and a name: bae create space NAME, bae create agent NAME.'],
    [['space'], 'bae create needs a kind and a name; got "space": bae create space NAME, bae create agent NAME.'],
    [['spcae', 'x'], "bae create creates a space or an agent; got 'spcae'. Did you mean space?"],
    [['space', 'My Notes'], expect.stringMatching(/Did you mean my-notes\?$/)],
    [['agent', 'x', '--javascript'], '--javascript is for spaces; Node runs the TypeScript of an agent as it is.'],
    [['space', 'x', '--link', '--no-link'], '--link and --no-link cannot be combined. Give one of them.'],
  ])('answers %j with what would do', async (args, message) => {
    const { code, out, err } = await runBae(['create', ...args], { cwd });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.split('\n')[0]!.replace('bae: ', '')).toEqual(message);
    expect(err).toContain('More: bae create --help\n');
  });
});
