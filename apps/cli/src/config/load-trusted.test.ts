import { mkdirSync, realpathSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { configurationSubject, TrustStore } from '@bae/plugins';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN } from '../built-in-spaces.ts';
import { loadConfig } from './load-config.ts';

let root: string;
let env: Readonly<Record<string, string>>;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'bae-trusted-')));
  env = { BAE_HOME: join(root, '.home') };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (name: string, text: string): string => {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
};
const trust = (file: string) => TrustStore.ofUser(env).remember([configurationSubject(file, [])], 'trusted');
const load = () => loadConfig({ root, env });
const names = (untrusted: readonly { readonly name: string }[]) => untrusted.map(({ name }) => name);

describe('loadConfig with trust', () => {
  it('takes a file as it is once it is trusted, and no longer when it changes', async () => {
    const file = put('bae.config.json', '{"approve": "all", "baseUrl": "https://elsewhere.example"}');
    expect(await load()).toMatchObject({ config: {}, untrusted: [{ name: 'bae.config.json', path: file }] });
    trust(file);
    expect(await load()).toEqual({
      config: { approve: 'all', baseUrl: 'https://elsewhere.example' },
      file,
      servers: [],
      foundServers: [],
      untrusted: [],
      notices: [],
    });
    put('bae.config.json', '{"approve": "all", "baseUrl": "https://other.example"}');
    expect(await load()).toMatchObject({ config: {}, untrusted: [{}], notices: [{}, {}] });
  });

  it('has nothing to ask about a file that does no harm', async () => {
    put('bae.config.json', '{"cap": 300}');
    expect(await load()).toMatchObject({ config: { cap: 300 }, untrusted: [], notices: [] });
  });

  it.each(['bae.config.ts', 'bae.config.js'])('runs %s when it is trusted', async (name) => {
    const file = put(name, `export default { cap: ${name.length * 100} };`);
    expect(await load()).toMatchObject({ config: {}, untrusted: [{ kind: 'configuration', name }] });
    trust(file);
    expect(await load()).toMatchObject({ config: { cap: 1300 }, file, untrusted: [] });
  });

  it('prefers TypeScript to JavaScript and both to data, but data to what it may not run', async () => {
    const data = put('bae.config.json', '{"cap": 100}');
    const script = put('bae.config.js', 'export default { cap: 200 };');
    expect(await load()).toMatchObject({ config: { cap: 100 }, file: data });
    trust(script);
    expect(await load()).toMatchObject({ config: { cap: 200 }, file: script, untrusted: [] });
    const typed = put('bae.config.ts', 'export default { cap: 300 };');
    const loaded = await load();
    expect(loaded).toMatchObject({ config: { cap: 100 }, file: data });
    expect(names(loaded.untrusted)).toEqual(['bae.config.ts']);
    expect(loaded.notices).toEqual([
      'bae.config.ts is code and was not run. To use it: bae trust, or --config bae.config.ts',
    ]);
    trust(typed);
    expect(await load()).toMatchObject({ config: { cap: 300 }, file: typed });
  });

  it('lists code and data together', async () => {
    put('bae.config.js', 'globalThis.baeRanHere = true;');
    put('bae.config.json', '{"discover": true}');
    const { untrusted, notices } = await load();
    expect(names(untrusted)).toEqual(['bae.config.js', 'bae.config.json']);
    expect(notices).toHaveLength(2);
    expect('baeRanHere' in globalThis).toBe(false);
  });

  it('trusts nothing, and asks nothing, when it cannot know', async () => {
    const file = put('bae.config.json', '{"discover": true}');
    trust(file);
    put('.home/trust.json', 'broken');
    const { untrusted, notices, spaces } = await load();
    expect({ untrusted, spaces }).toEqual({ untrusted: [], spaces: undefined });
    expect(notices[0]).toBe(
      `${join(root, '.home/trust.json')} does not hold what bae wrote there: nothing is trusted. Fix it or move it away.`,
    );
  });

  it('leaves out built-in spaces, whichever file disables them', async () => {
    put('bae.config.json', '{"disabled": ["tasks", "filesystem"]}');
    const { config, spaces } = await load();
    expect(config).toEqual({ disabled: ['tasks', 'filesystem'] });
    const left = ['source', 'memory', 'scripts', 'search'];
    expect(spaces!([])).toEqual(left.map((name) => BUILT_IN[name]));
  });

  it('has git where there is a repository, or the settings name it', async () => {
    const hasGit = async () => (await load()).spaces!([]).includes(BUILT_IN['git']!);
    put('bae.config.json', '{"disabled": ["tasks"]}');
    expect(await hasGit()).toBe(false);
    put('.git/HEAD', 'ref: refs/heads/main');
    expect(await hasGit()).toBe(true);
    rmSync(join(root, '.git'), { recursive: true });
    trust(put('bae.config.json', '{"spaces": ["git"]}'));
    expect(await hasGit()).toBe(true);
  });

  it('reports a mistake in what it names with the file and the key', async () => {
    const file = put('bae.config.json', '{"spaces": ["source", {"use": "tasks", "as": "source"}, "nowhere"]}');
    trust(file);
    await expect(load()).rejects.toThrow(
      'bae.config.json: spaces[2].use: no package bae-resourcespace-nowhere is installed. Install it: npm install bae-resourcespace-nowhere\n' +
        `bae.config.json: spaces[1]: two spaces are named source: bae's own source and bae's own tasks. Give one another name: {"use":"tasks","as":"source2"}`,
    );
  });
});
