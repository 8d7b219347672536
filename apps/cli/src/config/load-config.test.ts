import { mkdtempSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BUILT_IN } from '../built-in-spaces.ts';
import { loadConfig } from './load-config.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bae-config-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const FOUND = 'bae.config.json';
const put = (name: string, text: string): string => {
  const path = join(root, name);
  writeFileSync(path, text);
  return path;
};

const nameOf = (space: unknown): unknown =>
  Object.keys(BUILT_IN).find((name) => BUILT_IN[name] === space) ?? (space as { readonly name: string }).name;

describe('loadConfig', () => {
  it('reports nothing without a configuration', async () => {
    expect(await loadConfig({ root })).toEqual({
      config: {},
      servers: [],
      foundServers: [],
      notices: [],
      untrusted: [],
    });
  });

  it('finds bae.config.json in the folder', async () => {
    const file = put(FOUND, '\uFEFF{"model": "ollama/x", "cap": 300, "maxBatches": 0, "approve": "none"}');
    expect(await loadConfig({ root })).toEqual({
      config: { model: 'ollama/x', cap: 300, maxBatches: 0, approve: 'none' },
      file,
      notices: [],
      servers: [],
      foundServers: [],
      untrusted: [],
    });
  });

  it('uses nothing that was only found, where only what is trusted counts', async () => {
    put(FOUND, '{"cap": 300}');
    const { config, notices, untrusted } = await loadConfig({ root, trustedOnly: true });
    expect(config).toEqual({});
    expect(notices).toEqual([
      'bae.config.json is not used, because it was only found here. To use it: bae trust, or --config bae.config.json',
    ]);
    expect(untrusted.map(({ name, about }) => [name, about])).toEqual([
      ['bae.config.json', ['settings: harmless ones']],
    ]);
  });

  it('does not let a file that was only found approve writes or redirect questions', async () => {
    put(FOUND, '{"approve": "all", "baseUrl": "https://elsewhere.example/v1", "cap": 300}');
    const { config, notices } = await loadConfig({ root });
    expect(config).toEqual({ cap: 300 });
    expect(notices).toEqual([
      'bae.config.json: approve: "all" is not used, because the file was only found here. To use it: bae trust, or --config bae.config.json',
      'bae.config.json: baseUrl is not used, because the file was only found here. To use it: bae trust, or --config bae.config.json',
    ]);
  });

  it('lets a file that was only found forbid, but not allow', async () => {
    const deny = { target: 'docs/**', decision: 'deny' };
    const rules = [{ tool: 'write', decision: 'allow' }, deny, { decision: 'ask' }];
    for (const approve of [rules, { rules }]) {
      put(FOUND, JSON.stringify({ approve }));
      const { config, notices } = await loadConfig({ root });
      expect(config).toEqual({ approve: [deny, { decision: 'ask' }] });
      expect(notices).toEqual([
        'bae.config.json: what approve allows is not used, because the file was only found here. To use it: bae trust, or --config bae.config.json',
      ]);
    }
    put(FOUND, JSON.stringify({ approve: [deny] }));
    expect(await loadConfig({ root })).toMatchObject({ config: { approve: [deny] }, notices: [] });
  });

  it('takes rules from a file that was named as they are', async () => {
    const approve = { rules: [{ tool: 'write', decision: 'allow' }] };
    const file = put('mine.json', JSON.stringify({ approve }));
    expect((await loadConfig({ root, file })).config).toEqual({ approve });
  });

  it.each(['http://127.0.0.1:8080/v1', 'http://localhost:1', 'http://[::1]/', 'http://127.0.0.1.evil.example/'])(
    'takes no address from a found file: %s',
    async (baseUrl) => {
      put(FOUND, JSON.stringify({ baseUrl }));
      expect((await loadConfig({ root })).config).toEqual({});
    },
  );

  it('takes everything from a file that was named', async () => {
    const file = put('mine.json', '{"approve": "all", "baseUrl": "https://elsewhere.example/v1"}');
    const { config, notices } = await loadConfig({ root, file });
    expect(config).toEqual({ approve: 'all', baseUrl: 'https://elsewhere.example/v1' });
    expect(notices).toEqual([]);
  });

  it('does not run code that was only found', async () => {
    put('bae.config.js', 'globalThis.baeConfigRan = true; export default { cap: 300 };');
    expect(await loadConfig({ root })).toMatchObject({
      config: {},
      notices: ['bae.config.js is code and was not run. To use it: bae trust, or --config bae.config.js'],
      untrusted: [{ kind: 'configuration', name: 'bae.config.js', path: realpathSync(join(root, 'bae.config.js')) }],
    });
    expect('baeConfigRan' in globalThis).toBe(false);
  });

  it('runs code that was named, TypeScript too', async () => {
    const file = put(
      'bae.config.mts',
      'const cap: number = 300;\nexport default { cap, spaces: [{ name: "mine", description: "Mine.", tools: {}, enter: () => "", children: () => ({}) }] };',
    );
    const { config, spaces } = await loadConfig({ root, file });
    expect(config).toEqual({ cap: 300 });
    expect(spaces!([]).map(nameOf)).toEqual(['source', 'memory', 'scripts', 'search', 'tasks', 'mine']);
  });

  it.each([
    ['{"cap": "abc"}', 'bae.config.json: cap: expected a whole number of at least 50 (tokens); got "abc".'],
    ['{"cap": 3}', 'bae.config.json: cap: expected a whole number of at least 50 (tokens); got 3.'],
    ['{"modle": "x"}', 'bae.config.json: modle: no such setting. Did you mean model?'],
    [
      '{"zzzzzz": 1}',
      'bae.config.json: zzzzzz: no such setting. There are model, baseUrl, protocol, accepts, hooks, cap, maxBatches, maxTokens, maxCost, maxMinutes, prices, firstTokenSeconds, approve, spaces, mcpServers, discover, commands, editor, keepSessions, disabled.',
    ],
    ['{"model": ""}', 'bae.config.json: model: expected a name like "anthropic/claude-sonnet-5-5"; got "".'],
    [
      '{"baseUrl": "ftp://x"}',
      'bae.config.json: baseUrl: expected an address like "http://127.0.0.1:8080/v1"; got "ftp://x".',
    ],
    [
      '{"approve": "yes"}',
      'bae.config.json: approve: expected "ask", "all", "none", or rules like [{"tool": "write", "decision": "allow"}]; got "yes".',
    ],
    [
      '{"approve": {"rule": []}}',
      'bae.config.json: approve: expected "ask", "all", "none", or rules like [{"tool": "write", "decision": "allow"}]; got {"rule":[]}.',
    ],
    [
      '{"approve": [{"tool": "write"}, {"desicion": "deny"}]}',
      'bae.config.json: approve[0].decision: expected "allow", "ask" or "deny"; got nothing.\nbae.config.json: approve[1].desicion: no such field. Did you mean decision?',
    ],
    [
      '{"approve": {"rules": [{"decision": "dny"}]}}',
      'bae.config.json: approve.rules[0].decision: expected "allow", "ask" or "deny"; got "dny". Did you mean "deny"?',
    ],
    ['{"spaces": "tasks"}', 'bae.config.json: spaces: expected a list like ["tickets"]; got "tasks".'],
    [
      '{"spaces": [5]}',
      'bae.config.json: spaces[0]: expected the name of a package like "tickets", or {"use": "tickets", "as": "support"}; in code also a space; got 5.',
    ],
    [
      '{"spaces": ["a", {"as": "b", "optoins": {}}]}',
      'bae.config.json: spaces[1].optoins: no such field. Did you mean options?\nbae.config.json: spaces[1].use: expected the name of a package like "tickets", or {"use": "tickets", "as": "support"}; in code also a space; got nothing.',
    ],
    [
      '{"spaces": [{"use": "a", "as": 5, "under": "", "options": [1]}]}',
      'bae.config.json: spaces[0].as: expected a name like "support"; got 5.\nbae.config.json: spaces[0].under: expected the name of a space or place like "work"; got "".\nbae.config.json: spaces[0].options: expected an object; got [1].',
    ],
    ['{"discover": "yes"}', 'bae.config.json: discover: expected true or false; got "yes".'],
    ['{"disabled": "tasks"}', 'bae.config.json: disabled: expected a list of names like ["tasks"]; got "tasks".'],
    ['[]', 'bae.config.json: expected an object like {"cap": 500}; got [].'],
    ['null', 'bae.config.json: expected an object like {"cap": 500}; got null.'],
    [
      '{"cap": 1, "approve": 2}',
      'bae.config.json: cap: expected a whole number of at least 50 (tokens); got 1.\nbae.config.json: approve: expected "ask", "all", "none", or rules like [{"tool": "write", "decision": "allow"}]; got 2.',
    ],
  ])('refuses %s', async (text, message) => {
    put(FOUND, text);
    await expect(loadConfig({ root })).rejects.toThrow(message);
  });

  it('shows where JSON is broken', async () => {
    put(FOUND, '{\n  "cap": 5,\n}');
    await expect(loadConfig({ root })).rejects.toThrow(/^bae\.config\.json: cannot be read: .*line 3 column 1/);
  });

  it('explains why a file cannot be read', async () => {
    await expect(loadConfig({ root, file: join(root, 'no.json') })).rejects.toThrow(
      'no.json: cannot be read: there is no such file.',
    );
    await expect(loadConfig({ root, file: join(root, 'no.ts') })).rejects.toThrow(
      'no.ts: cannot be read: there is no such file.',
    );
    mkdirSync(join(root, FOUND));
    await expect(loadConfig({ root })).rejects.toThrow('bae.config.json: cannot be read: it is not a file.');
  });

  it('reports code that does not run', async () => {
    const file = put('broken.js', 'throw new Error("boom\\nsecond line");');
    await expect(loadConfig({ root, file })).rejects.toThrow(/^broken\.js: cannot be read: boom\.$/);
  });
});
