import { describe, expect, it } from 'vitest';
import type { BaeConfig } from './bae-config.ts';
import { restrictConfig } from './load-config.ts';

const NAME = 'bae.config.json';

describe('withoutTrust', () => {
  it('keeps what does no harm', () => {
    const config: BaeConfig = { model: 'ollama/x', cap: 300, maxBatches: 3, approve: 'none', disabled: ['tasks'] };
    expect(restrictConfig(config, NAME)).toEqual({ config, ignored: [], notices: [] });
    expect(restrictConfig({ spaces: [], discover: false }, NAME)).toEqual({ config: {}, ignored: [], notices: [] });
  });

  it.each<readonly [BaeConfig, string]>([
    [{ approve: 'all' }, 'approve: "all"'],
    [{ approve: [{ tool: 'write', decision: 'allow' }] }, 'what approve allows'],
    [{ baseUrl: 'https://elsewhere.example' }, 'baseUrl'],
    [{ baseUrl: 'http://127.0.0.1:8080/v1' }, 'baseUrl'],
    [{ spaces: ['tickets'] }, 'spaces'],
    [{ discover: true }, 'discover'],
    [{ commands: true }, 'commands'],
    [{ commands: { limits: false } }, 'commands'],
  ])('leaves out what could, of %j', (config, setting) => {
    const { config: used, ignored, notices } = restrictConfig({ ...config, cap: 300 }, NAME);
    expect(ignored).toEqual([setting]);
    expect(notices).toEqual([
      `${NAME}: ${setting} is not used, because the file was only found here. To use it: bae trust, or --config ${NAME}`,
    ]);
    expect({ ...used, approve: undefined }).toEqual({ cap: 300, approve: undefined });
  });

  it('keeps what forbids', () => {
    const deny = { target: 'docs/**', decision: 'deny' } as const;
    const allow = { tool: 'write', decision: 'allow' } as const;
    expect(restrictConfig({ approve: [allow, deny] }, NAME).config).toEqual({ approve: [deny] });
    expect(restrictConfig({ approve: { rules: [deny] } }, NAME).ignored).toEqual([]);
  });
});
