import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveModel, type ModelServer } from './model-server.ts';
import { openBae, runBae } from './run-bae.ts';

let top: string;
let server: ModelServer | undefined;
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'bae-instructions-')));
  mkdirSync(join(top, 'project/.git'), { recursive: true });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(top, { recursive: true, force: true });
});

const env = () => ({ BAE_HOME: join(top, 'home') });

function put(path: string, text: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
}

const run = (args: readonly string[], folder = 'project') => runBae(args, { cwd: join(top, folder), env: env() });

/** One question; what the model was sent with it, and what was printed beside the answer. */
async function ask(folder = 'project', ...args: readonly string[]) {
  await server?.close();
  server = await serveModel(['Yes.']);
  const { err } = await run(['ask', 'Is it?', ...args, ...server.args], folder);
  return { sent: server.prompts[0] ?? '', err };
}

describe('the instructions of a project', () => {
  it('are not followed before the user trusts the file, and then whatever the file says later', async () => {
    put('project/AGENTS.md', 'Use tabs.\n');
    const first = await ask();
    expect(first.sent).not.toContain('Use tabs.');
    expect(first.err).toContain('AGENTS.md: not followed until you trust it.');
    expect((await run(['trust'])).out).toContain('Use tabs.');
    expect(await run(['trust', 'AGENTS.md', '--yes'])).toMatchObject({ code: 0 });
    expect((await run(['trust', '--list'])).out).toMatch(/^trusted {3}AGENTS\.md -- /);
    put('project/AGENTS.md', 'Use blanks.\n');
    const { sent, err } = await ask();
    expect(sent).toContain(`[The user's instructions for this project.`);
    expect(sent).toContain('From AGENTS.md:\nUse blanks.\n');
    expect(err).not.toContain('AGENTS.md');
  });

  it('are no link to something else, which could be a secret, but may be one to a text of the project', async () => {
    put('project/docs/agents.md', 'Use tabs.\n');
    symlinkSync('docs/agents.md', join(top, 'project/AGENTS.md'));
    await run(['trust', '--yes']);
    expect((await ask()).sent).toContain('From AGENTS.md:\nUse tabs.\n');
    put('project/.env', 'KEY=hunter2\n');
    put('notes.md', 'hunter2\n');
    for (const secret of ['.env', '../notes.md', join(top, 'notes.md')]) {
      rmSync(join(top, 'project/AGENTS.md'));
      symlinkSync(secret, join(top, 'project/AGENTS.md'));
      expect((await ask()).sent).not.toContain('hunter2');
      expect((await run(['trust'])).out).not.toContain('hunter2');
    }
  });

  it('come once, with the first prompt of a session', async () => {
    put('project/AGENTS.md', 'Use tabs.\n');
    await run(['trust', 'AGENTS.md', '--yes']);
    await ask();
    await ask('project', '--resume');
    expect(server!.requests[0]!.split('Use tabs.')).toHaveLength(2);
  });

  it('are of the folder and those above it up to the repository, the nearest last', async () => {
    put('AGENTS.md', 'Of nobody.\n');
    put('project/CLAUDE.md', 'Of the project.\n');
    put('project/pkg/AGENTS.md', 'Of the package.\n');
    put('project/pkg/CLAUDE.md', 'Not read.\n');
    put('home/AGENTS.md', 'Of the user.\n');
    for (const file of ['CLAUDE.md', 'pkg/AGENTS.md']) await run(['trust', file, '--yes']);
    const { sent } = await ask('project/pkg');
    const places = ['Of the user.', 'Of the project.', 'Of the package.'].map((text) => sent.indexOf(text));
    expect(places.every((place, index) => place > (places[index - 1] ?? 0))).toBe(true);
    expect(sent).not.toContain('Of nobody.');
    expect(sent).not.toContain('Not read.');
  });

  it('of a folder below come when the model gets there, once', async () => {
    put('project/AGENTS.md', 'Use tabs.\n');
    put('project/packages/a/AGENTS.md', 'Use blanks.\n');
    put('project/packages/a/x.txt', 'x\n');
    put('project/packages/b/AGENTS.md', 'Not trusted.\n');
    put('project/packages/b/x.txt', 'x\n');
    put('project/node_modules/x/AGENTS.md', 'Nothing.\n');
    // Of a folder only the first file counts.
    put('project/packages/a/CLAUDE.md', 'Use points.\n');
    put('project/packages/c/CLAUDE.md', 'Use commas.\n');
    put('project/packages/c/x.txt', 'x\n');
    for (const file of ['AGENTS.md', 'packages/a/AGENTS.md', 'packages/c/CLAUDE.md'])
      await run(['trust', file, '--yes']);
    server = await serveModel([
      '<R:AGENTS.md>',
      '<R:packages/b/x.txt>',
      '<R:packages/a/x.txt>',
      '<R:packages/a>',
      '<R:packages/c/x.txt>',
      'Yes.',
    ]);
    const { err } = await run(['ask', 'Is it?', ...server.args]);
    expect(err).toContain('packages/b/AGENTS.md: not followed until you trust it.');
    expect(server.prompts[0]).toContain('which come when you get there: packages/a/, packages/c/\n');
    expect(server.prompts.map((sent) => sent.includes('Use blanks.'))).toEqual([
      false,
      false,
      false,
      true,
      false,
      false,
    ]);
    expect(server.prompts.map((sent) => sent.includes('Use commas.')).indexOf(true)).toBe(5);
    expect(server.prompts.join('')).not.toContain('Use points.');
    expect(server.prompts[3]).toMatch(
      /\n\[end \w+\]\n\n\[The user's instructions for what is below packages\/a\/\.\]\nUse blanks\.\n\[end of the instructions\]$/,
    );
    expect(server.prompts.join('')).not.toContain('Not trusted.');
  });

  it('of a folder below come once in each session', async () => {
    put('project/packages/a/AGENTS.md', 'Use blanks.\n');
    put('project/packages/a/x.txt', 'x\n');
    await run(['trust', 'packages/a/AGENTS.md', '--yes']);
    server = await serveModel(['<R:packages/a/x.txt>', 'Yes.', '<R:packages/a/x.txt>', 'Yes.']);
    await runBae(server.args, { cwd: join(top, 'project'), env: env(), input: 'Is it?\n@2 Is it?\n' });
    expect(server.prompts.map((sent) => sent.includes('Use blanks.'))).toEqual([false, true, false, true]);
  });

  it.each([
    '<Grep:x path=packages/a>',
    '<Grep:x path="packages/a/x.txt">',
    '<G:packages/a/**/*.ts>',
    '<R:link/x.txt>',
    '<move:packages/a/x.txt to=y.txt>',
    '<git.diff:path=packages/a>',
    '<terminal.exec:ls folder=packages/a/src>',
    '<terminal.exec:cat packages/a/x.txt>',
    '<terminal.sh:cd packages/a && ls>',
    '<source.R:pkgx>',
    '<source.R:pkgx.m>',
    '<source.references:f>',
    '<source.E:pkgx.m.f>\nexport const f = 2;\n</source.E>',
    '<source.grep:one path=pkgx>',
  ])('of a folder below come with every way to work there: %s', { tags: ['long'] }, async (tag) => {
    put('project/package.json', '{"name": "all", "workspaces": ["packages/*"]}\n');
    put('project/packages/a/AGENTS.md', 'Use blanks.\n');
    put('project/packages/a/package.json', '{"name": "@scope/pkgx"}\n');
    put('project/packages/a/src/m.ts', 'export const f = 1;\n');
    put('project/packages/a/x.txt', 'x\n');
    await run(['trust', 'packages/a/AGENTS.md', '--yes']);
    symlinkSync('packages/a', join(top, 'project/link'));
    server = await serveModel(['<W:notes.md>packages/a and pkgx.m</W>', tag, 'Yes.']);
    await run(['ask', 'Is it?', '--yes', '--allow-commands', ...server.args]);
    expect(server.prompts.map((sent) => sent.includes('Use blanks.'))).toEqual([false, false, true]);
  });

  it.each([
    '<Grep:packages/a/x.txt>',
    '<terminal.exec:echo "see packages/a/none.txt">',
    '<R:packages/b/x.txt>',
    '<Grep:x>',
  ])('of a folder below do not come with a call that only names it or finds something there: %s', async (tag) => {
    put('project/packages/a/AGENTS.md', 'Use blanks.\n');
    put('project/packages/a/x.txt', 'x\n');
    put('project/packages/b/x.txt', 'packages/a/x.txt\n');
    await run(['trust', 'packages/a/AGENTS.md', '--yes']);
    server = await serveModel([tag, 'Yes.']);
    await run(['ask', 'Is it?', '--yes', '--allow-commands', ...server.args]);
    expect(server.prompts).toHaveLength(2);
    expect(server.prompts.join('')).not.toContain('Use blanks.');
  });

  it('of a folder below do not come again when the session is resumed', async () => {
    put('project/packages/a/AGENTS.md', 'Use "blanks".\n');
    put('project/packages/b/AGENTS.md', 'Use points.\n');
    put('project/packages/a/x.txt', 'x\n');
    for (const name of ['a', 'b']) await run(['trust', `packages/${name}/AGENTS.md`, '--yes']);
    server = await serveModel(['<R:packages/a/x.txt>', 'Yes.']);
    await run(['ask', 'Is it?', ...server.args]);
    expect(server.prompts.at(-1)).toContain('Use "blanks".');
    await server.close();
    server = await serveModel(['<R:packages/a/x.txt>', '<R:packages/b/AGENTS.md>', 'Yes.']);
    await run(['ask', 'And now?', '--resume', ...server.args]);
    expect(server.prompts.join('')).not.toContain('Use "blanks".');
    expect(server.prompts.at(-1)).toContain("The user's instructions for what is below packages/b/");
  });

  it('come again, those of a folder below too, when the conversation was summed up', { tags: ['long'] }, async () => {
    put('project/AGENTS.md', 'Use tabs.\n');
    put('project/packages/a/AGENTS.md', 'Use "blanks".\n');
    put('project/packages/a/x.txt', 'x\n');
    await run(['trust', '--yes']);
    const read = '<R:packages/a/x.txt>';
    server = await serveModel([read, 'First.', 'It is summed up.', read, 'Second.']);
    const bae = openBae([...server.args], { cwd: join(top, 'project'), env: env(), interactive: true });
    await bae.shows('home>');
    bae.type('Is it?\r');
    await bae.shows('[ai:1] First.');
    bae.type('/compact\r');
    await bae.shows('the conversation was replaced by its summary');
    bae.type('And now?\r');
    await bae.shows('[ai:1] Second.');
    expect(server.prompts[3]).toContain('Use tabs.');
    expect(server.prompts[4]).toContain('Use "blanks".');
    bae.type('exit\r');
    await bae.end;
  });

  it('are cut within 1,500 tokens, with the headings of the rest and the tag that reads it', async () => {
    const section = (number: number) => `## Part ${number}\n\n${'Some words about how to work here. '.repeat(30)}\n\n`;
    put('project/AGENTS.md', Array.from({ length: 12 }, (_, number) => section(number)).join(''));
    await run(['trust', 'AGENTS.md', '--yes']);
    const { sent } = await ask();
    expect(sent).toMatch(/\[\d+ more lines: .*Part 10; Part 11 <R:AGENTS\.md:\d+->\]/);
    expect(sent.length).toBeLessThan(8000);
  });

  it('are shown to a person, who is asked once', async () => {
    put('project/AGENTS.md', 'Use tabs.\u001B[2J\n');
    server = await serveModel(['Yes.', 'Yes.']);
    const cwd = join(top, 'project');
    const first = openBae(['ask', 'Is it?', ...server.args], { cwd, env: env(), interactive: true });
    await first.shows('n = no, and do not ask again');
    expect(first.screen()).toContain('Use tabs.');
    expect(first.screen()).not.toContain('\u001B[2J');
    first.type('y\r');
    expect(await first.end).toMatchObject({ code: 0 });
    expect(server.prompts[0]).toContain('Use tabs.');
    const second = openBae(['ask', 'Is it?', ...server.args], { cwd, env: env(), interactive: true });
    expect(await second.end).toMatchObject({ code: 0 });
    expect(second.screen()).not.toContain('new here');
  });
});
