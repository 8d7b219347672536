import { describe, expect, it } from 'vitest';
import { ScriptedModel } from '@bae/testing';
import { parseArguments } from './command-line/options.ts';
import { chooseModelFor } from './choose-model.ts';
import type { Settings } from './config/settings.ts';

const settings = (changes: Partial<Settings>): Settings => ({
  root: '/',
  notices: [],
  servers: [],
  foundServers: [],
  untrusted: [],
  ...changes,
});
const choose = (changes: Partial<Settings>, argv: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  chooseModelFor(settings(changes), {
    options: parseArguments(argv, []).options,
    terminal: { cwd: '/', env: { OLLAMA_HOST: 'http://127.0.0.1:9', ...env } },
  });
const url = 'http://127.0.0.1:8080/v1';

describe('chooseModelFor', () => {
  it('prefers the model of the command line, without the configured address', async () => {
    const argv = ['--model', 'openai-compatible/a'];
    expect(
      await choose({ model: 'nobody/b', baseUrl: 'http://127.0.0.1:1' }, [...argv, '--base-url', url]),
    ).toMatchObject({ reason: 'openai-compatible/a, asked for by name' });
    await expect(choose({ model: 'openai-compatible/b', baseUrl: url }, argv)).rejects.toThrow();
  });

  it('takes the model of the configuration with its address', async () => {
    expect(await choose({ model: 'openai-compatible/b', baseUrl: url })).toMatchObject({
      reason: 'openai-compatible/b, from the configuration',
    });
  });

  it('takes a model object of the configuration as it is', async () => {
    const model = new ScriptedModel([]);
    expect((await choose({ model })).model).toBe(model);
  });

  it('looks for a key, and gives a reason when there is none', async () => {
    expect((await choose({}, [], { ANTHROPIC_API_KEY: 'x' })).reason).toContain('ANTHROPIC_API_KEY is set');
    expect(await choose({})).toMatchObject({
      model: undefined,
      reason: expect.stringMatching(/^no model/) as string,
    });
  });
});
