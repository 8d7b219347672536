import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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

  it('explains what it takes', async () => {
    expect(await run('approvals', 'forget')).toMatchObject({
      code: 2,
      err: expect.stringContaining('forget') as string,
    });
    expect((await run('approvals', 'forget', 'abcd')).err).toContain('there is no session');
    expect((await run('approvals', 'frget', 'all')).err).toContain('Did you mean forget?');
  });
});
