import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Store } from '@bae/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getFolderKey } from '../src/user-key.ts';
import { serveModel, type ModelServer } from './model-server.ts';
import { openBae, runBae } from './run-bae.ts';

let cwd: string;
let server: ModelServer | undefined;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-approvals-'));
  writeFileSync(join(cwd, 'a.txt'), 'one\n');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(cwd, { recursive: true, force: true });
});

async function ask(script: readonly string[], ...args: readonly string[]) {
  await server?.close();
  server = await serveModel(script);
  return runBae(['ask', 'Go.', ...args, ...server.args], { cwd });
}

const run = (...args: readonly string[]) => runBae(args, { cwd });

/** A session in which writes below docs are allowed, as the shell records it. */
function rememberConsent(): void {
  const store = Store.open(join(cwd, '.bae/bae.db'), { key: getFolderKey({ HOME: cwd }, cwd) });
  const log = store.log(store.createSession({ cwd }));
  const consent = { space: 'home', tool: 'write', scope: { below: 'docs' }, decision: 'allow' } as const;
  log.record({ kind: 'message', message: { role: 'user', text: 'Hello.' } });
  log.record({ kind: 'consent', consent });
  store.close();
}

describe('bae audit', () => {
  it('shows who allowed and refused what, and the change on request', async () => {
    await ask(['<W:b.txt>\nhello\n</W>', 'Done.'], '--yes');
    await ask(['<W:c.txt>\nhello\n</W>', 'Done.']);
    const { code, out } = await run('audit', '--changes');
    expect(out).toMatch(/refused by nobody {2}write in home: c\.txt/);
    expect(out).toMatch(/allowed by option {2}write in home: b\.txt.*\n {4}\(nobody was shown the change\)/);
    expect(out).toContain('Nothing in the record was changed: 2 sessions, each entry signed with your key.');
    expect(code).toBe(0);
  });

  it('shows the change that a person saw', async () => {
    server = await serveModel(['<W:b.txt>\nhello\n</W>', 'Done.']);
    const bae = openBae([...server.args], { cwd, interactive: true });
    await bae.shows('home>');
    bae.type('Go on please.\r');
    await bae.shows('n = no: ');
    bae.type('y\r');
    await bae.shows('Done.');
    bae.type('exit\r');
    await bae.end;
    const { out } = await run('audit', 'last', '--changes');
    expect(out).toMatch(/allowed by person {2}write in home: b\.txt/);
    expect(out).toContain('    +hello');
  });

  it('shows the decisions of sessions without a model: of bae do, and of the shell', async () => {
    await run('do', '<W:b.txt>hello</W>');
    await run('do', '--yes', '<W:b.txt>hello</W>');
    await run('do', '<R:b.txt>');
    const bae = openBae([], { cwd, interactive: true });
    await bae.shows('home>');
    bae.type('<W:c.txt>hello</W>\r');
    await bae.shows('n = no: ');
    bae.type('y\r');
    await bae.shows('home>', 2);
    bae.type('exit\r');
    await bae.end;
    const { out, code } = await run('audit', '--changes');
    expect(out.split('\n').map((line) => line.replace(/^\S+ \S+ {2}| {2}[0-9a-f-]{13}$/g, ''))).toEqual([
      'allowed by person  write in home: c.txt',
      '    --- /dev/null',
      '    +++ c.txt',
      '    @@ -0,0 +1 @@',
      '    +hello',
      '    \\ No newline at end of file',
      'allowed by option  write in home: b.txt',
      '    (nobody was shown the change)',
      'refused by nobody  write in home: b.txt',
      '    (nobody was shown the change)',
      'Nothing in the record was changed: 3 sessions, each entry signed with your key. Entries missing at its end are not noticed.',
      '',
    ]);
    expect(code).toBe(0);
    expect((await run('sessions')).out).toContain('(no sessions)');
  });

  it('only opens a database for a decision', async () => {
    await run('do', '<R:a.txt>');
    expect(existsSync(join(cwd, '.bae/bae.db'))).toBe(false);
    await run('do', '<W:b.txt>hello</W>');
    expect(existsSync(join(cwd, '.bae/bae.db'))).toBe(true);
    expect(readFileSync(join(cwd, '.bae/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('reports a record that was changed', async () => {
    await ask(['<W:b.txt>\nhello\n</W>', 'Done.'], '--yes');
    const database = new DatabaseSync(join(cwd, '.bae/bae.db'));
    database.exec(`UPDATE records SET mac = replace(mac, substr(mac, 1, 1), 'x') WHERE kind = 'approval'`);
    database.close();
    const { code, out } = await run('audit');
    expect(out).toContain('NOT VERIFIED: ');
    expect(code).toBe(1);
  });

  it('says so when there is nothing, and leaves no file behind', async () => {
    expect(await run('audit')).toMatchObject({
      code: 0,
      out: '(nothing has been decided yet)\nNo session has a record yet.\n',
    });
    expect(await run('sessions')).toMatchObject({ out: expect.stringContaining('(no sessions)') as string });
  });
});

describe('bae approvals', () => {
  it('lists what holds for the rest of a session', async () => {
    rememberConsent();
    const { out } = await run('approvals');
    expect(out).toMatch(/^[0-9a-f-]{13} {2}\d{4}-.*\n {2}allow {2}write in home: below docs\/\n/);
  });

  it('takes it back, so that a resumed session asks again', async () => {
    rememberConsent();
    expect(await run('approvals', 'forget', 'all')).toMatchObject({
      out: 'Forgotten: 1. A session that is running asks again once it is resumed.\n',
    });
    expect((await run('approvals')).out).toMatch(/^\(no answer applies/);
    const { err } = await ask(['<W:docs/x.txt>\nx\n</W>', 'Done.'], '--resume');
    expect(err).not.toContain('not written by your bae');
    expect((await run('audit')).out).toMatch(/refused by nobody {2}write in home: docs\/x\.txt/);
  });

  it('lists the rules that were made at a question, and forgets one or all of them', async () => {
    const bae = openBae([], { cwd, interactive: true });
    await bae.shows('home>');
    for (const [index, tag] of ['<W:b.txt>hello</W>', '<E:a.txt old="one" new="two">'].entries()) {
      bae.type(`${tag}\r`);
      await bae.shows('n = no: ', index + 1);
      bae.type('r\r');
      await bae.shows('home>', index + 2);
    }
    bae.type('exit\r');
    await bae.end;
    const { out } = await run('approvals');
    expect(out).toContain(
      '\nrules of yours for this folder, in ~/.config/bae/rules.json:\n  r1  allow  write in home\n  r2  allow  edit in home\n',
    );
    expect(JSON.parse((await run('approvals', '--json')).out)).toMatchObject({
      rules: [{ name: 'r1', tool: 'write', decision: 'allow' }, { name: 'r2' }],
    });
    expect((await run('approvals', 'forget', 'r3')).err).toContain('there is no rule r3 in this folder.');
    expect((await run('approvals', 'forget', 'r1')).out).toMatch(/^Forgotten: 1\./);
    expect((await run('approvals')).out).toContain('\n  r1  allow  edit in home\n');
    expect((await run('do', '<W:c.txt>x</W>')).out).toContain('ApprovalError');
    expect((await run('do', '<E:a.txt old="two" new="three">')).out).toContain('ok');
    expect((await run('approvals', 'forget', 'all')).out).toMatch(/^Forgotten: 1\./);
    expect((await run('do', '<E:a.txt old="three" new="four">')).out).toContain('ApprovalError');
    expect((await run('approvals')).out).not.toContain('rules of yours');
  });

  it('explains what it takes', async () => {
    expect(await run('approvals', 'forget')).toMatchObject({
      code: 2,
      err: expect.stringContaining('forget') as string,
    });
    expect((await run('approvals', 'forget', 'abcd')).err).toContain('there is no session');
    expect((await run('approvals', 'frget', 'all')).err).toContain('Did you mean forget?');
  });
});
