import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openFileStore } from '@bae/server';
import { Store } from '@bae/store';
import { getFolderKey } from '../src/user-key.ts';
import { serveModel, type ModelServer } from './model-server.ts';
import { runBae } from './run-bae.ts';

let cwd: string;
let server: ModelServer | undefined;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-memory-'));
  writeFileSync(join(cwd, 'server.ts'), 'const port = 3000;\n');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(cwd, { recursive: true, force: true });
});

const run = (...args: readonly string[]) => runAs(join(cwd, 'user'), ...args);
const runAs = (home: string, ...args: readonly string[]) => runBae(args, { cwd, env: { BAE_HOME: home } });

/** A session in which the model says one thing after the other; returns what it was sent last. */
const ask = (prompt: string, ...script: readonly string[]) => askAs(join(cwd, 'user'), prompt, ...script);

/** The same with the data of the user in a folder. */
async function askAs(home: string, prompt: string, ...script: readonly string[]): Promise<string> {
  await server?.close();
  server = await serveModel(script);
  await runAs(home, 'ask', prompt, '--yes', ...server.args);
  return server.prompts.at(-1)!;
}

it('a later session finds the facts of an earlier one, and is told when they are no longer true', async () => {
  await ask(
    'Where is the port?',
    '<R:server.ts>',
    '<memory.facts.W:PORT>The port is set in server.ts:1</W>',
    'In server.ts.',
  );
  expect(await ask('And now?', '<memory.facts.R:PORT>', 'The same.')).toContain('PORT -- verified');
  writeFileSync(join(cwd, 'server.ts'), 'const port = 8080;\n');
  const sent = await ask('Is it still?', '<memory.facts.R:PORT>', 'No.');
  expect(sent).toMatch(/unverified since \d{4}-\d\d-\d\d: server\.ts changed/);
  expect(sent).toContain('- 1| const port = 3000;\n+ 1| const port = 8080;');
});

it('a fact about a symbol holds as long as the symbol is as it was, wherever it is in its file', async () => {
  writeFileSync(join(cwd, 'package.json'), '{"name": "shop", "type": "module"}');
  writeFileSync(join(cwd, 'cart.ts'), 'export class Cart {\n  add() {\n    return 1;\n  }\n}\n');
  const kept = await ask('Add?', '<source.R:cart.Cart.add>', '<memory.facts.W:ADD>cart.Cart.add gives 1</W>', 'Yes.');
  expect(kept).toContain('Kept ADD in .agents/memory/ADD.md. It rests on <source.R:cart.Cart.add>.');
  const cart = readFileSync(join(cwd, 'cart.ts'), 'utf8');
  writeFileSync(join(cwd, 'cart.ts'), `// Another line.\n${cart}export const other = 1;\n`);
  expect(await ask('Still?', '<memory.facts.R:ADD>', 'Yes.')).toContain('ADD -- verified');
  writeFileSync(join(cwd, 'cart.ts'), cart.replace('return 1', 'return 2'));
  const sent = await ask('Now?', '<memory.facts.R:ADD>', 'No.');
  expect(sent).toContain('unverified: <source.R:cart.Cart.add> changed');
  expect(sent).toContain('- 2|     return 1;\n+ 2|     return 2;');
});

it('a later session searches earlier ones', async () => {
  await ask('Where is the port?', 'The port is in server.ts.');
  const sent = await ask('What did I ask before?', '<memory.R:>\n<memory.Grep:port>', 'About the port.');
  expect(sent).toContain('"Where is the port?"');
  expect(sent).toMatch(/#\d+ [0-9a-f-]{13} ai> The \[port\] is in server\.ts\./);
  // Results of look-ups repeat earlier entries, and come after them.
  const again = await ask('And where?', '<memory.Grep:port>', 'There.');
  expect(again).toMatch(/\n#\d+ [^\n]* (?:user|ai)> [^\n]*\n(?:#\d+ [^\n]* (?:user|ai)> [^\n]*\n)+#\d+ [^\n]* tool> /);
});

it('a new session begins with what was said in the last one, but never with what someone else said', async () => {
  await ask('Where is the port?', '<memory.E:1 tags=+decision>', 'The port is in server.ts.');
  await ask('Anything else?', 'No.');
  expect(server!.prompts[0]).toMatch(
    /\[What was said here in the session of .*\]\nuser \(decision\)> Where is the port\?\nai> The port is in server\.ts\.\n\[end of the last session\]\n\nAnything else\?/,
  );
  rmSync(join(cwd, 'user'), { recursive: true });
  await ask('And now?', 'No.');
  expect(server!.prompts[0]).not.toContain('What was said here');
  writeFileSync(join(cwd, 'bae.config.json'), '{"disabled": ["memory"]}');
  await ask('And then?', 'No.');
  expect(server!.prompts[0]).not.toContain('What was said here');
});

it('a new session is never told a key or a value of a protected file that was said in the last one', async () => {
  mkdirSync(join(cwd, 'api'));
  writeFileSync(join(cwd, 'api/.env'), 'DB_PASS=correct-horse\n');
  await ask(`My key is sk-proj-${'aB3d'.repeat(10)} for now.`, 'The database wants correct-horse.');
  await ask('Next.', 'Yes.');
  expect(server!.prompts[0]).toContain(
    'user> My key is ‹masked sk-p…› for now.\nai> The database wants ‹masked value›.\n[end',
  );
});

it('a later session enters, browses by day and session, and reads entry by entry', async () => {
  await ask('Where is the port?', '<R:server.ts>', 'In server.ts.');
  const day = new Date().toISOString().slice(0, 10);
  const found = await ask('Before?', '@memory()', 'Yes.');
  expect(found).toMatch(
    /\n2 sessions, 4 entries; tagged: 0; latest \d{4}-\d\d-\d\d \(1 entry\); 0 facts, 0 not verified\.\n/,
  );
  const listed = await ask('Which?', `<memory.R:${day}>`, 'These.');
  const [, id = ''] = /^([0-9a-f-]{13}) {2}.* {2}3 entries {2}"Where is the port\?"$/m.exec(listed) ?? [];
  const session = await ask('That one?', `<memory.R:${id}>`, 'Yes.');
  expect(session).toMatch(
    /\n#1 \d\d:\d\d user> Where is the port\?\n#4 \d\d:\d\d tool> <R:server\.ts> .*\n#6 \d\d:\d\d ai> In server\.ts\.\n\[entries 1-3 of 3\]\n/,
  );
  const entry = await ask('The second?', '<memory.R:4>', 'Yes.');
  expect(entry).toContain('\n<R:server.ts>\nconst port = 3000;\n\n[previous: <memory.R:1>; next: <memory.R:6>]\n');
});

it('tags outlive a session, and old results can be read whole', async () => {
  writeFileSync(join(cwd, 'long.txt'), Array.from({ length: 900 }, (_, index) => `line ${index} of many`).join('\n'));
  await ask('Look.', '<Grep:many>', '<memory.E:1 tags=+start>', 'Done.');
  expect(await ask('Again.', '<memory.R:tag:start>', 'Yes.')).toMatch(/#1 \d\d:\d\d user> Look\./);
  expect(await ask('Which?', '<memory.R:4>', 'That.')).toContain(
    '[whole result: <memory.R:4 whole=true>; previous: <memory.R:1>',
  );
  const whole = await ask('All of it?', '<memory.R:4 whole=true>', 'Yes.');
  expect(whole).toContain('long.txt:1: line 0 of many\n');
  expect(whole).toMatch(/full: <R:result:\d+>|next: <R:result:\d+/);
});

it('a folder that is moved keeps its memory and its facts, but no consents, and a clone keeps the facts', async () => {
  await ask(
    'Where is the port?',
    '<memory.facts.W:PORT>In server.ts:1</W>',
    '<memory.E:1 tags=+start>',
    'In server.ts.',
  );
  const [home, moved] = [mkdtempSync(join(tmpdir(), 'bae-home-')), `${cwd}-moved`];
  cpSync(join(cwd, 'user'), home, { recursive: true });
  renameSync(cwd, moved);
  cwd = moved;
  const sent = await askAs(home, 'And now?', '<memory.Grep:port>\n<memory.R:1>\n<memory.facts.R:PORT>', 'Yes.');
  expect(sent).toContain('PORT -- verified');
  expect(sent).toContain('user> Where is the [port]?');
  expect(sent).not.toContain('left out');
  expect(server!.prompts[0]).toContain('user (start)> Where is the port?\n');
  const env = { BAE_HOME: home };
  const store = Store.open(join(cwd, '.bae/bae.db'), { key: getFolderKey(env, cwd) });
  expect(store.sessions().map(({ id }) => store.isProven(id))).toEqual([true, false]);
  store.close();
  rmSync(join(cwd, '.bae'), { recursive: true });
  expect(await askAs(home, 'And now?', '<memory.facts.R:PORT>', 'Yes.')).toContain('PORT -- verified');
  expect(server!.prompts[0]).not.toContain('What was said here');
  rmSync(home, { recursive: true });
  expect(await askAs(home, 'And now?', '<memory.facts.R:PORT>', 'Yes.')).toContain('PORT -- (foreign');
  rmSync(home, { recursive: true });
});

it('a database of several folders tells each only of its own', async () => {
  await ask('Where is the port?', 'In server.ts.');
  const [database, home] = [join(cwd, '.bae/bae.db'), join(cwd, 'user')];
  const other = mkdtempSync(join(tmpdir(), 'bae-other-'));
  server = await serveModel(['Yes.']);
  await runBae(['ask', 'And here?', '--db', database, ...server.args], { cwd: other, env: { BAE_HOME: home } });
  expect(server.prompts[0]).not.toContain('What was said here');
  rmSync(other, { recursive: true });
});

it('bae memory forget removes a text from everything, and proves it', async () => {
  writeFileSync(join(cwd, 'notes.txt'), 'the pass phrase is Zebra-Crossing-77\n');
  mkdirSync(join(cwd, 'user'), { recursive: true });
  writeFileSync(join(cwd, 'user/history'), 'what is zebra-crossing-77?\nother\n');
  await ask(
    'Put Zebra-Crossing-77 away.',
    '<R:notes.txt>\n<E:notes.txt:1-1>\nnothing\n</E>\n<memory.facts.W:PHRASE>Our phrase: Zebra-Crossing-77 of notes.txt</W>',
    'Zebra-Crossing-77 is gone.',
  );
  expect(existsSync(join(cwd, '.agents/memory/PHRASE.md'))).toBe(true);
  expect(await run('memory', 'forget', 'Zebra-Crossing-77')).toMatchObject({
    code: 1,
    err: expect.stringContaining('no one is available'),
  });
  const { code, out } = await run('memory', 'forget', 'zebra-crossing-77', '--yes');
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(
      /^Forgotten in \d+ events, \d+ messages, 0 kept results, 1 old file, 1 fact, 1 typed line\. Facts: PHRASE\.\nThe bytes of \d+ files were searched: it is in none of them\.\nSearched: \.bae, user\. Not searched: your own files, and databases elsewhere \(--db, --data, --database\)\.\n$/,
    ),
  ]);
  expect(existsSync(join(cwd, '.agents/memory/PHRASE.md'))).toBe(false);
  expect(readFileSync(join(cwd, 'user/history'), 'utf8')).toBe('other\n');
  expect((await run('audit')).out).toContain('Nothing in the record was changed');
  const sent = await ask('What was it?', '<memory.R:1>\n<memory.Grep:zebra>', 'I do not know.');
  expect(sent).toContain('Put […] away.');
  expect(sent).toContain('(no matches)');
});

it('bae memory forget ignores the case of all letters, also in bytes', async () => {
  await ask('Straße MÜLLER', 'Hi Müller.');
  writeFileSync(join(cwd, '.bae/left.log'), `${'x'.repeat(4 * 1024 * 1024 - 3)} mÜLLER`);
  expect(await run('memory', 'forget', 'müller', '--yes')).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^Forgotten in [1-9]\d* events, [1-9]\d* messages,.*\n.* it is in 1\.\n/),
    err: expect.stringContaining('left.log'),
  });
  rmSync(join(cwd, '.bae/left.log'));
  expect(await run('memory', 'forget', 'STRASSE', '--yes')).toMatchObject({ code: 0 });
  expect(await ask('Which?', '<memory.Grep:müller>', '<memory.R:1>', 'Yes.')).toContain('user\n[…] […]\n');
});

it('bae memory forget also forgets what bae serve keeps, and leaves it signed', async () => {
  const folder = join(cwd, 'user/serve');
  const key = getFolderKey({ BAE_HOME: join(cwd, 'user') }, folder);
  const server = openFileStore(folder, { key });
  const { id } = await server.createSession({ owner: 'me', workspace: { type: 'folder', name: 'here' } } as never);
  await server.addPrompt(id, { text: 'The phrase is Zebra-Crossing-77.' });
  await server.append(id, {
    type: 'turn-start',
    prompt: 'The phrase is Zebra-Crossing-77.',
    label: '1',
    turn: 1,
  } as never);
  await server.close();
  for (const args of [[], ['--db', join(folder, 'sessions.db')], ['--data', folder]]) {
    const { code, out } = await run('memory', 'forget', 'zebra-crossing-77', '--yes', ...args);
    expect([code, out]).toEqual([0, expect.stringContaining('it is in none of them.\nSearched: ')]);
    if (args.length === 0)
      expect(out).toContain(
        '1 event, 0 messages, 0 kept results, 0 old files, 0 facts, 0 typed lines, 1 row of bae serve.',
      );
  }
  const bytes = ['sessions.db', 'server.db'].map((name) => readFileSync(join(folder, name), 'latin1')).join('');
  expect(bytes).not.toMatch(/zebra/i);
  const sessions = Store.open(join(folder, 'sessions.db'), { key });
  expect(sessions.entry(1)).toMatchObject({ content: 'The phrase is […].', isOwn: true });
  sessions.close();
});

it('bae memory forget names the files that still hold the text', async () => {
  await ask('Hello Giraffe.', 'Hi.');
  appendFileSync(join(cwd, '.bae/left.log'), 'a giraffe');
  const { code, out, err } = await run('memory', 'forget', 'giraffe', '--yes');
  expect([code, out]).toEqual([1, expect.stringMatching(/searched: it is in 1\.\nSearched: /)]);
  expect(err).toContain('it is still in ');
  expect(await run('memory', 'forget', 'abc', '--yes')).toMatchObject({ code: 2 });
  expect(await run('memory', 'recall', 'x')).toMatchObject({ code: 2 });
});

it('keepSessions removes older sessions once they are trusted to be', async () => {
  let time = Date.parse('2026-01-01T00:00:00Z');
  mkdirSync(join(cwd, '.bae'));
  const store = Store.open(join(cwd, '.bae/bae.db'), { now: () => new Date((time += 1000)) });
  for (let index = 0; index < 5; index++) store.createSession();
  const config = join(cwd, 'bae.config.json');
  writeFileSync(config, '{"keepSessions": 3}');
  await ask('Hello.', 'Hi.');
  expect(store.sessions()).toHaveLength(6);
  server = await serveModel(['Hi.']);
  await run('ask', 'Hello.', '--config', config, ...server.args);
  expect(store.sessions()).toHaveLength(3);
  store.close();
});
