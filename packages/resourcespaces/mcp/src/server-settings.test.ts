import { describe, expect, it } from 'vitest';
import { describeServer, expandVariables, readServers } from './server-settings.ts';

const read = (servers: unknown) => readServers({ mcpServers: servers }, '.mcp.json');

describe('the settings of servers', () => {
  it('are those that other agents read', () => {
    const servers = read({
      github: { command: 'npx', args: ['-y', 'server-github'], env: { TOKEN: '${GITHUB_TOKEN}' }, disabled: false },
      docs: { type: 'http', url: 'https://docs.example/mcp', headers: { authorization: 'Bearer ${DOCS:-none}' } },
    });
    expect([...servers.keys()]).toEqual(['github', 'docs']);
    expect(describeServer(servers.get('github')!)).toEqual([
      'starts: npx -y server-github',
      '  with the variables TOKEN',
    ]);
    expect(describeServer(servers.get('docs')!)).toEqual([
      'connects to https://docs.example/mcp',
      '  with the headers authorization',
    ]);
    const asking = read({ a: { command: 'x', sampling: true } }).get('a');
    expect(describeServer(asking!)).toEqual(['starts: x', '  and may ask your model']);
    const secret = read({ a: { url: 'https://a.example', oauth: { clientId: 'known', clientSecret: 'hush' } } }).get(
      'a',
    );
    expect(describeServer(secret!)).toEqual(['connects to https://a.example', '  with a client secret for its login']);
    expect(readServers({ servers: { a: { command: 'x' } } }, 'mcp.json').size).toBe(1);
  });

  it('are refused with the field that is wrong', () => {
    expect(() => read({ a: { args: [] } })).toThrow('.mcp.json: a.command');
    expect(() => read({ a: { url: 'file:///etc/passwd' } })).toThrow('.mcp.json: a.url');
    expect(() => read({ a: { url: 'https://me:secret@a.example' } })).toThrow('without a password');
    expect(() => read({ a: { command: 'x', sampling: 'yes' } })).toThrow('.mcp.json: a.sampling');
    expect(() => read(undefined)).toThrow('.mcp.json: mcpServers: expected an object');
  });

  it('get values of variables, and name one that is not set', () => {
    const { github, docs } = Object.fromEntries(
      read({
        github: { command: 'x', env: { TOKEN: '${GITHUB_TOKEN}' } },
        docs: { url: 'https://a.example', headers: { key: '${env:DOCS:-none}' } },
      }),
    );
    expect(expandVariables('github', github!, { GITHUB_TOKEN: 'secret' })).toMatchObject({ env: { TOKEN: 'secret' } });
    expect(expandVariables('docs', docs!, {})).toMatchObject({ headers: { key: 'none' } });
    expect(() => expandVariables('github', github!, {})).toThrow('github needs the variable GITHUB_TOKEN');
    const { asked } = Object.fromEntries(read({ asked: { command: 'x', env: { KEY: '${input:api-key}' } } }));
    expect(() => expandVariables('asked', asked!, {})).toThrow('asked wants ${input:api-key}, which only an editor');
  });
});
