import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseArguments } from '../command-line/options.ts';
import { loadSettings } from './settings.ts';

let cwd: string;
beforeEach(() => {
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'bae-settings-')));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const load = (...argv: readonly string[]) =>
  loadSettings({ options: parseArguments(argv, []).options, terminal: { cwd, env: process.env } });

describe('loadSettings', () => {
  it('works in the current folder without any configuration', async () => {
    expect(await load()).toEqual({ root: cwd, servers: [], foundServers: [], notices: [], untrusted: [] });
  });

  it('lets the command line win over the configuration', async () => {
    const configFile = join(cwd, 'bae.config.json');
    writeFileSync(configFile, '{"model": "ollama/a", "cap": 300, "maxBatches": 7, "approve": "none"}');
    expect(await load('--cap', '400')).toEqual({
      root: cwd,
      notices: [],
      servers: [],
      foundServers: [],
      untrusted: [],
      configFile,
      model: 'ollama/a',
      cap: 400,
      maxBatches: 7,
      approve: 'none',
    });
    expect(await load('--max', '0')).toMatchObject({ cap: 300, maxBatches: 0 });
  });

  it('mounts servers that end without a call for a time, where that is wanted', async () => {
    writeFileSync(join(cwd, 'mcp.json'), '{"mcpServers": {"box": {"url": "http://127.0.0.1:9/mcp"}}}');
    const source = { options: parseArguments([], []).options, terminal: { cwd, env: { BAE_HOME: cwd } } };
    const readIdleMs = ({ foundServers: [box] }: Awaited<ReturnType<typeof load>>) => box?.getOptions?.().place.idleMs;
    expect(readIdleMs(await loadSettings({ ...source, serverIdleMs: 5000 }))).toBe(5000);
    expect(readIdleMs(await loadSettings(source))).toBeUndefined();
  });

  it('looks for the configuration in the folder to work in, and for --config where bae was started', async () => {
    mkdirSync(join(cwd, 'inner'));
    writeFileSync(join(cwd, 'inner/bae.config.json'), '{"cap": 100}');
    writeFileSync(join(cwd, 'other.json'), '{"cap": 200}');
    expect(await load('--cwd', 'inner')).toMatchObject({ root: join(cwd, 'inner'), cap: 100 });
    expect(await load('--cwd', 'inner', '--config', 'other.json')).toMatchObject({
      root: join(cwd, 'inner'),
      cap: 200,
    });
  });

  it('refuses a folder that does not exist, or a file', async () => {
    writeFileSync(join(cwd, 'file'), '');
    await expect(load('--cwd', 'nope')).rejects.toThrow('--cwd nope: there is no such folder.');
    await expect(load('--cwd', 'file')).rejects.toThrow('--cwd file: it is not a folder.');
    await expect(load('--cwd', 'file/inner')).rejects.toThrow('--cwd file/inner: there is no such folder.');
  });
});
