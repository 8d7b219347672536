import { describe, expect, it } from 'vitest';
import { ScriptedModel } from '@bae/testing';
import { chooseModelFor } from './choose-model.ts';
import type { Settings } from './config/settings.ts';

const settings = (changes: Partial<Settings>): Settings => ({ root: '/', notices: [], untrusted: [], ...changes });
const alone = { OLLAMA_HOST: 'http://127.0.0.1:9' };
const url = 'http://127.0.0.1:8080/v1';

describe('chooseModelFor', () => {
  it('takes the model of the command line first, and leaves the configured address out of it', async () => {
    const given = settings({
      modelName: 'openai-compatible/a',
      baseUrl: url,
      configured: 'nobody/b',
      configuredUrl: 'http://127.0.0.1:1',
    });
    expect(await chooseModelFor(given, alone)).toMatchObject({ reason: 'openai-compatible/a, asked for by name' });
    const withoutUrl = settings({
      modelName: 'openai-compatible/a',
      configured: 'openai-compatible/b',
      configuredUrl: url,
    });
    await expect(chooseModelFor(withoutUrl, alone)).rejects.toThrow();
  });

  it('takes the model of the configuration with its address', async () => {
    const configured = settings({ configured: 'openai-compatible/b', configuredUrl: url });
    expect(await chooseModelFor(configured, alone)).toMatchObject({
      reason: 'openai-compatible/b, from the configuration',
    });
  });

  it('takes a model object of the configuration as it is', async () => {
    const model = new ScriptedModel([]);
    expect((await chooseModelFor(settings({ configured: model }), alone)).model).toBe(model);
  });

  it('looks for a key, and has a reason when there is nothing', async () => {
    expect((await chooseModelFor(settings({}), { ...alone, ANTHROPIC_API_KEY: 'x' })).reason).toContain(
      'ANTHROPIC_API_KEY is set',
    );
    expect(await chooseModelFor(settings({}), alone)).toMatchObject({
      model: undefined,
      reason: expect.stringMatching(/^no model/) as string,
    });
  });
});
