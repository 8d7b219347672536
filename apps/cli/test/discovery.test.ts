import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serveModel, type ModelServer } from './model-server.ts';
import { runBae } from './run-bae.ts';

let cwd: string;
let server: ModelServer | undefined;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-discovery-'));
  mkdirSync(join(cwd, 'src'));
  execFileSync('git', ['init', '-q'], { cwd });
  writeFileSync(join(cwd, 'package.json'), '{"name": "shop", "type": "module"}');
  writeFileSync(join(cwd, 'src/login.ts'), '/** Logs a user in. */\nexport function login() {\n  return 1;\n}\n');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(cwd, { recursive: true, force: true });
});

/** Lets the model say one thing after the other; returns what it was sent after each. */
async function ask(...script: readonly string[]): Promise<readonly string[]> {
  await server?.close();
  server = await serveModel([...script, 'Done.']);
  await runBae(['ask', 'Go on.', '--yes', ...server.args], { cwd, env: { BAE_HOME: join(cwd, 'user') } });
  return server.prompts.slice(1);
}

describe('a search', () => {
  it('asks every place at once, and each hit has a tag that runs from where the model stands', async () => {
    await ask('<tasks.W:Fix the login></W>');
    const [sent = ''] = await ask('@scripts()\n<search.R:login>');
    expect(sent).toContain(`
home (1)
  src/login.ts:2 export function login() {  <home.R:src/login.ts:2>
memory (1)  @memory()
`);
    expect(sent).toContain(`
source (1)  @source()
  login:2 export function login() {  <source.R:login:2>
tasks (1)  @tasks()
  1 1 | OPEN | 0.0.0 | Fix the login  <tasks.R:1>
nothing in git, scripts
narrow: in=home,memory
`);
    const tags = [...sent.matchAll(/ {2}(<[\w.]+\.R:[^>]+>)$/gm)].map(([, tag = '']) => tag);
    expect(tags).toHaveLength(4);
    const read = await ask(`@git()\n${tags.join('\n')}`);
    expect(read[0]!.match(/^#\d+ .* ok$/gm)).toHaveLength(tags.length + 1);
  });

  it('is of some places when they are named, and says what there is when a name is wrong', async () => {
    const [some = '', wrong] = await ask('<search.R:login in=source,tasks>', '<search.R:login in=sauce>');
    expect(some).toContain('nothing in tasks');
    expect(some).not.toContain('home (');
    expect(wrong).toContain('in: there is no place "sauce".');
  });

  it('names a place that is not available, with its error', async () => {
    writeFileSync(join(cwd, 'src/broken.json'), 'x');
    rmSync(join(cwd, '.bae'), { recursive: true, force: true });
    mkdirSync(join(cwd, '.bae'));
    writeFileSync(join(cwd, '.bae/tasks.db'), 'this is not a database at all, '.repeat(100));
    const [sent = ''] = await ask('<search.R:login>');
    expect(sent).toMatch(/\ntasks: .*it is not a database/);
    expect(sent).toContain('source (');
  });

  it('finds the tool for what is to be done', async () => {
    const [sent = ''] = await ask('<search.find:craete a todo for later>');
    expect(sent).toMatch(/ok\n<tasks\.W:title/);
  });
});

describe('a model that looks around', () => {
  it('has home, its tools and every place in one line each, and of where it stands what it needs', async () => {
    const [entered = '', where = '', nav = ''] = await ask('@tasks()', '@where()', '@nav()');
    const [first = ''] = server!.prompts;
    for (const place of ['git', 'memory', 'search', 'source', 'tasks'])
      expect(first).toMatch(new RegExp(`^ {2}${place}\\(\\) -- .+`, 'm'));
    expect(entered).toContain('home > tasks -- Work items that you and the user share');
    expect(entered).toContain('Example: ');
    expect(where).toMatch(/ok\nhome > tasks -- read write edit glob grep[ \w]*\n/);
    expect(where.match(/home > tasks/g)).toHaveLength(2);
    expect(nav).toContain('memory');
  });

  it('is told what a place can do in at most 300 tokens', async () => {
    for (const place of ['git', 'memory', 'memory.facts', 'search', 'source', 'source.tests', 'tasks', 'scripts']) {
      const [entered = ''] = await ask(`@${place}()`);
      const shown = /Entering [^]*(?=\n\[end )/.exec(entered)?.[0] ?? '';
      expect(shown).toContain(place);
      expect(countTokens(shown)).toBeLessThanOrEqual(300);
    }
  });

  it('gets variables only when it asks for them', async () => {
    const sent = await ask('<run>\nconst secretive = 41;\nprint(secretive + 1);\n</run>', '<R:package.json>');
    expect(sent[0]).toContain('42');
    expect(sent[1]).not.toContain('secretive');
  });
});
