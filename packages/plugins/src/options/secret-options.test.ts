import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { asModelText, createAgent, TimeoutError, tool } from '@bae/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { IMPORTS, install, trustOf } from '../../test/sample-package.ts';
import { scratchFolder } from '../../test/scratch.ts';
import { placeMounts } from '../load/place-mounts.ts';
import { hideSecrets } from './hide-secrets.ts';
import { resolveMounts, type SpaceMount } from '../load/resolve-mounts.ts';

const SECRET = 'correct horse/battery';
const CODE = `${IMPORTS}
export const options = z.strictObject({
  token: z.string().min(8).meta({ secret: true, description: 'token of the shop' }),
  shop: z.string().default('acme'),
}).meta({ examples: [{ token: 'an example' }] });
class Handle { #name = 'its handle'; path = 'here'; by() { return this.#name; } }
export const spaces = ({ token, shop }, provided) => defineResourcespace({
  name: 'shop', description: 'A shop.', enter: () => 'open with ' + token,
  tools: {
    read: tool('All of it.', {}, async (_args, { output }) => {
      output('line ' + token + '\\n');
      return { shop, token, length: token.length, url: 'https://a.example/?t=' + encodeURIComponent(token), basic: btoa(token) };
    }),
    glob: tool('Names.', {}, () => ({ text: 'has ' + token, whole: () => [token] })),
    grep: tool('Fails.', { text: z.string() }, () => { throw new Error('refused ' + token); }),
    sell: tool('Sold.', {}, () => ({
      touches: [], token, preview() { return 'sells with ' + this.token; }, apply() { return 'sold with ' + this.token; },
    }), { plan: true }),
    login: tool('In other forms.', {}, () => ({ basic: btoa('x:' + token), url: Buffer.from('ada:' + token + ':end').toString('base64url'), [token]: 1, own: { toJSON: () => ({ token }) } }), { effect: 'read' }),
    split: tool('In two pieces.', {}, async function* () { yield 'one ' + token.slice(0, 5); yield token.slice(5) + ' two'; }, { effect: 'read' }),
    ends: tool('Pieces, and data.', {}, async function* () { yield 'looking\\n'; return { found: 1 }; }, { effect: 'read' }),
    page: tool('A page.', {}, () => new Blob(['the key is ', token], { type: 'text/plain' }), { effect: 'read' }),
    bytes: tool('Bytes.', {}, () => ({ text: '', attachments: [{ type: 'file', mediaType: 'text/plain', data: Buffer.from('x ' + token) }] }), { effect: 'read' }),
    breaks: tool('Breaks.', {}, async function* () { yield 'one\\n'; throw new Error('no ' + token); }, { effect: 'read' }),
    refuses: tool('Refuses.', {}, () => ({ touches: [], preview: () => '', apply: async (context) => { context.output('with ' + token); throw new Error('not with ' + token); } }), { plan: true }),
    turn: tool('Turned.', {}, (_args, { target }) => ({ touches: [], preview: () => '', apply: () => 'turned ' + target.by() }), { plan: true, target: () => new Handle() }),
    yields: tool('Pieces.', {}, async function* () { yield 'one ' + token; }, { effect: 'read' }),
    data: tool('Where it keeps things.', {}, () => String(provided.get(Symbol.for('bae.data-folder'))), { effect: 'read' }),
  },
});`;

/** What comes of calls of a package with these options. */
async function use(options: object, env: Readonly<Record<string, string>> = {}, more: Partial<SpaceMount> = {}) {
  const from = scratchFolder();
  await install(from, { name: 'bae-resourcespace-shop', code: CODE });
  const entries = [{ use: 'shop', options: options as Record<string, unknown>, ...more }];
  const trust = trustOf('trusted');
  const found = await resolveMounts({ entries, discover: false, disabled: [], from, builtIn: {}, trust });
  if (found.problems.length > 0) return { problems: found.problems };
  const dataFolder = join(from, 'data');
  const spaces = placeMounts(found.mounts, [], { env, folder: from, dataFolder });
  const shown: string[] = [];
  const approver = {
    approve: async ({ preview }: { preview?: () => Promise<string> }) => {
      shown.push((await preview?.()) ?? '');
      return { allow: true } as const;
    },
  };
  const agent = createAgent({ spaces, approver });
  const events: string[] = [];
  agent.subscribe((event) => void events.push(JSON.stringify(event)));
  const run = async (text: string): Promise<string> => {
    const { calls } = await agent.run(asModelText(text));
    return calls.map(({ result }) => `${result.text}${JSON.stringify(result.value ?? '')}`).join('\n');
  };
  return { from, problems: [], run, shown, events, dataFolder };
}

// Time stands still: on a slow machine a process starts later than a package may be loaded.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

describe('a secret option', () => {
  it('comes from a variable, is what the code gets, and is seen nowhere', { tags: ['long'] }, async () => {
    const { run, shown, events } = await use({ token: { env: 'SHOP_TOKEN' } }, { SHOP_TOKEN: ` ${SECRET}\n` });
    const seen = await run!('@shop()\n<R:>\n<G:>\n<Grep:x>\n<sell:>\n<yields:>');
    expect(seen).toContain('open with ‹masked secret›');
    expect(seen).toContain(`"length": ${SECRET.length}`);
    expect(seen).toContain('Error: refused ‹masked secret›');
    expect(seen).toContain('sold with ‹masked secret›');
    expect(seen).toContain('one ‹masked secret›');
    expect(shown).toEqual(['sells with ‹masked secret›']);
    const everything = [seen, ...shown!, ...events!].join('\n');
    for (const form of [SECRET, encodeURIComponent(SECRET), btoa(SECRET).replace(/=+$/, '')])
      expect(everything).not.toContain(form);
    expect(events!.some((event) => event.includes('call-output'))).toBe(true);
  });

  it.each(['process', false] as const)(
    'is seen in no other form either, and nothing else is lost, isolated: %j',
    { tags: ['long'] },
    async (isolate) => {
      const { run, events } = await use({ token: { env: 'SHOP_TOKEN' } }, { SHOP_TOKEN: SECRET }, { isolate });
      const seen = await run!(
        '<shop.login:>\n<shop.split:>\n<shop.ends:>\n<shop.page:>\n<shop.bytes:>\n<shop.breaks:>\n<shop.refuses:>\n<shop.turn:>',
      );
      expect(seen).toContain('"‹masked secret›": 1');
      expect(seen).toContain('"token": "‹masked secret›"');
      expect(seen).toContain('one ‹masked secret› two');
      expect(seen).toContain('"found": 1');
      expect(seen).toContain('Error: no ‹masked secret›');
      expect(seen).toContain('Error: not with ‹masked secret›');
      expect(seen).toContain('turned its handle');
      const page = await run!('<R:result:1>\n<R:result:2>');
      expect(page).toContain('the key is ‹masked secret›');
      expect(page).toContain('x ‹masked secret›');
      const everything = [seen, page, ...events!].join('\n');
      expect(everything).not.toContain(SECRET);
      for (const text of everything.match(/[\w+/-]{8,}/g) ?? [])
        expect(Buffer.from(text, 'base64').toString()).not.toContain(SECRET.slice(2, -2));
    },
  );

  it('comes from a file that nobody else can read', { tags: ['long'] }, async () => {
    const file = join(scratchFolder(), 'token');
    writeFileSync(file, SECRET, { mode: 0o600 });
    const { run } = await use({ token: { file } });
    expect(await run!('<shop.R:>')).toContain(`"length": ${SECRET.length}`);
    chmodSync(file, 0o644);
    const { run: runAgain } = await use({ token: { file } });
    expect(await runAgain!('<shop.R:>')).toContain(
      `PluginError: bae-resourcespace-shop: options.token: ${file} can be read by others (mode 644).\nTry: chmod 600 ${file}`,
    );
  });

  it(
    'that cannot be had is the result of the call, which names the variable or the file',
    { tags: ['long'] },
    async () => {
      const { run } = await use({ token: { env: 'SHOP_TOKEN' } });
      expect(await run!('<shop.R:>')).toContain(
        'PluginError: bae-resourcespace-shop: options.token: the variable SHOP_TOKEN is not set.\nTry: export SHOP_TOKEN=…',
      );
      const { run: runHome } = await use({ token: { file: '~/no-such-token-of-bae' } });
      expect(await runHome!('<shop.R:>')).toContain(
        `${join(homedir(), 'no-such-token-of-bae')} is not there, or is empty.`,
      );
      const { run: runOther, from } = await use({ token: { file: './nothing' } });
      expect(await runOther!('<shop.R:>')).toContain(`${join(from!, 'nothing')} is not there, or is empty.`);
      const { run: runShort } = await use({ token: { env: 'SHORT' } }, { SHORT: 'abc' });
      expect(await runShort!('<shop.R:>')).toContain('options.token: Too small');
    },
  );

  it.each([[SECRET], [{ variable: 'X' }], [{ env: '' }], [{ env: 'X', file: 'y' }], [null]])(
    'is never in the configuration itself: %j',
    async (token) => {
      expect((await use({ token })).problems).toEqual([
        'spaces[0].options.token: expected where the secret is, {"env": "NAME"} or {"file": "PATH"}; a secret is not written into the configuration.',
      ]);
    },
  );

  it('is required where the schema says so, and other options are checked besides it', async () => {
    expect((await use({})).problems).toEqual([
      'spaces[0].options.token: expected string (token of the shop); got nothing.',
    ]);
    expect((await use({ token: { env: 'X' }, shopp: 'a' })).problems).toEqual([
      'spaces[0].options.shopp: no such option of bae-resourcespace-shop. Did you mean shop?',
    ]);
  });
});

it('a package in the process of bae has a data folder of its own, which is not made before it is asked for', async () => {
  const { run, dataFolder } = await use({ token: { env: 'T' } }, { T: SECRET }, { isolate: false });
  const folder = join(dataFolder!, 'bae-resourcespace-shop');
  expect(await run!('<shop.data:>')).toContain(folder);
  expect(existsSync(folder)).toBe(false);
});

it('hides a secret in what a tool says when its time is up', () => {
  const explainTimeout = () => new TimeoutError(`stopped at ${SECRET}`, [`@shop(${SECRET})`]);
  const sell = tool('Sold.', {}, () => '', { explainTimeout }).named('sell');
  const shop = { name: 'shop', description: 'A shop.', tools: { sell }, enter: () => '', children: () => ({}) };
  const { tools } = hideSecrets(shop, () => [SECRET]);
  expect(tools['sell']!.explainTimeout!(1000)).toMatchObject({
    message: 'stopped at ‹masked secret›',
    hints: ['@shop(‹masked secret›)'],
  });
});
