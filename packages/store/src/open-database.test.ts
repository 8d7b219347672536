import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { Database, runTransaction } from './database.ts';
import { claimDatabase, openDatabase, refuseOtherPrograms, type DatabaseOptions } from './open-database.ts';

function open(file: string, options?: DatabaseOptions): Database {
  const database = openDatabase(file, options);
  onTestFinished(() => database.close());
  return database;
}

const failure = (message: string, hints: readonly string[] = ['move it away', 'use another file: --db FILE']) =>
  expect.objectContaining({ name: 'StoreError', code: 'BAE_STORE', message, hints });

describe('openDatabase', () => {
  it('waits for others, writes ahead, waits for the disk, and checks references', () => {
    const database = open(join(temporaryFolder(), 'bae.db'), { busyMs: 1234 });
    const settings = ['busy_timeout', 'journal_mode', 'synchronous', 'foreign_keys'];
    expect(settings.map((name) => Object.values(database.get(`PRAGMA ${name}`) ?? {})[0])).toEqual([1234, 'wal', 2, 1]);
  });

  it('makes the folders above, and a file that is nobody else’s', () => {
    const folder = temporaryFolder();
    open(join(folder, 'a/b/bae.db')).execute('CREATE TABLE t (x)');
    for (const name of readdirSync(join(folder, 'a/b')).filter((name) => name.startsWith('bae.db')))
      expect(statSync(join(folder, 'a/b', name)).mode & 0o777).toBe(0o600);
  });

  it('makes git ignore a folder that it makes, and no other', () => {
    const folder = temporaryFolder();
    open(join(folder, 'bae.db'));
    open(join(folder, '.bae/bae.db'));
    expect(existsSync(join(folder, '.gitignore'))).toBe(false);
    expect(readFileSync(join(folder, '.bae/.gitignore'), 'utf8')).toBe('*\n');
  });

  it('finds again what was there', () => {
    const file = join(temporaryFolder(), 'bae.db');
    const first = openDatabase(file);
    runTransaction(first, () => first.execute("CREATE TABLE t (x); INSERT INTO t VALUES ('kept')"));
    first.close();
    expect(open(file).all('SELECT * FROM t')).toEqual([{ x: 'kept' }]);
  });

  it('has its absolute path', () => {
    const file = join(temporaryFolder(), 'bae.db');
    expect(open(relative(process.cwd(), file)).file).toBe(file);
  });

  it.each([':memory:', 'file:bae.db?mode=memory', '?', "'"])('takes %j for the name of a file', (name) => {
    const file = join(temporaryFolder(), name);
    open(file).execute('CREATE TABLE t (x)');
    expect(existsSync(file)).toBe(true);
  });
});

describe('openDatabase, for a file that is something else', () => {
  it.each([1, 2, 14, 15, 16, 17, 99, 100, 511, 512, 513, 4096, 5000])('leaves %i bytes as they are', (length) => {
    const file = join(temporaryFolder(), 'notes.txt');
    const content = 'x'.repeat(length);
    writeFileSync(file, content);
    expect(() => openDatabase(file)).toThrow(failure(`${file}: it is not a database, and was left unchanged.`));
    expect(readFileSync(file, 'utf8')).toBe(content);
    expect(readdirSync(join(file, '..'))).toEqual(['notes.txt']);
  });

  it('leaves a damaged database as it is', () => {
    const file = join(temporaryFolder(), 'bae.db');
    const content = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(5000, 'x')]);
    writeFileSync(file, content);
    expect(() => openDatabase(file)).toThrow(/: it is (not a database, and was left unchanged|damaged)\.$/);
    expect(readFileSync(file).equals(content)).toBe(true);
  });

  it('leaves the database of another program as it is', () => {
    const file = join(temporaryFolder(), 'places.db');
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE places (x)');
    other.close();
    const before = readFileSync(file);
    expect(() => openDatabase(file)).toThrow(
      failure(`${file}: it is a database of another program, and was left unchanged.`, ['use another file: --db FILE']),
    );
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('takes an empty file for a new database', () => {
    const file = join(temporaryFolder(), 'bae.db');
    writeFileSync(file, '');
    expect(open(file).get('PRAGMA application_id')).toEqual({ application_id: 0x62616500 });
  });

  it('refuses folders and pipes at once', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'sub'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const name of ['sub', 'pipe'])
      expect(() => openDatabase(join(folder, name))).toThrow(failure(`${join(folder, name)}: it is not a file.`));
  });

  it('refuses a path through a file', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'file'), '');
    for (const path of ['file/bae.db', 'file/sub/bae.db'])
      expect(() => openDatabase(join(folder, path))).toThrow(
        failure(`${join(folder, path)}: a part of the path is a file, not a folder.`),
      );
  });
});

describe('openDatabase, while another process is at work', () => {
  it('reports that the file is locked when it has been for too long', () => {
    const file = join(temporaryFolder(), 'bae.db');
    const other = new DatabaseSync(file);
    onTestFinished(() => other.close());
    other.exec('BEGIN EXCLUSIVE');
    expect(() => openDatabase(file, { busyMs: 30 })).toThrow(
      failure(`${file}: another process has kept it locked for too long.`, [
        'end the other process',
        'use another file: --db FILE',
      ]),
    );
  });

  it('keeps the locks that keep others from taking the file away', () => {
    const file = join(temporaryFolder(), 'bae.db');
    open(file).execute('CREATE TABLE t (x)');
    openDatabase(file).close();
    const takeAway = `
      const { DatabaseSync } = require('node:sqlite');
      new DatabaseSync(process.argv[1]).exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');`;
    const { status, stderr } = spawnSync(process.execPath, ['-e', takeAway, file], { encoding: 'utf8' });
    expect(stderr).toContain('database is locked');
    expect(status).toBe(1);
  });

  it('does not wait for a writer', () => {
    const file = join(temporaryFolder(), 'bae.db');
    const writer = open(file);
    writer.execute('CREATE TABLE t (x)');
    writer.execute('BEGIN IMMEDIATE');
    expect(open(file, { busyMs: 0 }).all('SELECT * FROM t')).toEqual([]);
    writer.execute('ROLLBACK');
  });
});

/** A database in which another process does something after the first look. */
class Watched extends Database {
  readonly #then: () => void;
  #looks = 0;

  constructor(file: string, then: () => void) {
    super(new DatabaseSync(file), file);
    this.#then = then;
  }

  override get(...query: Parameters<Database['get']>): ReturnType<Database['get']> {
    const row = super.get(...query);
    if (++this.#looks === 1) this.#then();
    return row;
  }
}

it('takes a database for its own that another process of bae makes at the same moment', () => {
  const file = join(temporaryFolder(), 'bae.db');
  const other = new Database(new DatabaseSync(file), file);
  const watched = new Watched(file, () => {
    claimDatabase(other);
    other.execute('CREATE TABLE sessions (id)');
  });
  expect(() => refuseOtherPrograms(watched)).not.toThrow();
  watched.close();
  other.close();
});

describe('openDatabase, in the folder of bae that a repository ships', () => {
  it.each(['.bae', '.bae/tasks.db', '.bae/tasks.db-wal', '.bae/tasks.db-shm', '.bae/tasks.db-journal'])(
    'follows no link at %s, and makes nothing where it leads',
    (link) => {
      const outside = temporaryFolder();
      const folder = temporaryFolder();
      if (link !== '.bae') mkdirSync(join(folder, '.bae'));
      symlinkSync(link === '.bae' ? outside : join(outside, 'target'), join(folder, link));
      expect(() => openDatabase(join(folder, '.bae/tasks.db'))).toThrow(
        `${join(folder, link)}: it is a link, which may lead out of the workspace.`,
      );
      expect(readdirSync(outside)).toEqual([]);
    },
  );

  it('follows a link that a person names', () => {
    const outside = temporaryFolder();
    const folder = temporaryFolder();
    symlinkSync(outside, join(folder, 'data'));
    openDatabase(join(folder, 'data/mine.db')).close();
    expect(readdirSync(outside)).toContain('mine.db');
  });
});
