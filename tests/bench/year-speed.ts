import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { openDatabase, Store } from '@bae/store';
import { mediansInTurn, timeOf, type Measurement } from './measure.ts';
import { makeYearOfWork, RARE_WORD, type YearOfWork } from './year-of-work.ts';

const ROUNDS = 11;
/** A whole year has 1,000,000 entries and takes minutes to make; a tenth of it is made otherwise. */
const TURNS = process.env['BAE_WHOLE_YEAR'] === '1' ? 100 : 10;
const CLI = join(import.meta.dirname, '../../apps/cli/bin/bae.mjs');

/** After a year of work bae opens as fast as on the first day, finds what was said, and keeps little more than it. */
export async function yearSpeed(): Promise<readonly Measurement[]> {
  using few = makeYearOfWork(10, TURNS);
  using many = makeYearOfWork(1000, TURNS);
  const opened = await mediansInTurn({ few: () => openShell(few), many: () => openShell(many) }, ROUNDS);
  const store = Store.open(join(many.folder, '.bae', 'bae.db'), { key: many.key });
  const searches: Measurement[] = [];
  for (const words of [RARE_WORD, 'workspace', 'the', 'session store', 'tok']) {
    const { time } = await mediansInTurn({ time: () => timeOf(() => store.search(words)) }, ROUNDS);
    searches.push({ name: `search for ${words}`, value: time, unit: 'ms', limit: { atMost: 100 } });
  }
  store.keepNewest(500);
  store.close();
  const others = countOrphans(many);
  return [
    {
      name: 'opening with 1,000 sessions ÷ with 10',
      value: opened.many / opened.few,
      unit: 'x',
      limit: { atMost: 1.1 },
    },
    ...searches,
    {
      name: 'database ÷ events',
      value: many.size / many.bodies,
      unit: 'x',
      limit: { atMost: 2 },
    },
    { name: 'orphans after 500 sessions were removed', value: others, unit: 'rows', limit: { atMost: 0 } },
  ];
}

/** The shell is opened, shows where it is, and ends with its input. */
async function openShell({ folder, home }: YearOfWork): Promise<number> {
  return timeOf(() => {
    const { status, stderr } = spawnSync(process.execPath, [CLI, '--db', join(folder, '.bae', 'bae.db')], {
      cwd: folder,
      env: { ...process.env, BAE_HOME: home },
      input: '',
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`bae ended with ${String(status)}: ${stderr}`);
  });
}

/** Rows of no session, and words of no event. */
function countOrphans({ folder }: YearOfWork): number {
  const database = openDatabase(join(folder, '.bae', 'bae.db'));
  const ofTables = ['events', 'records', 'results'].map(
    (table) => `SELECT count(*) AS n FROM ${table} WHERE session NOT IN (SELECT id FROM sessions)`,
  );
  const ofWords = 'SELECT count(*) AS n FROM entry_words_docsize WHERE id NOT IN (SELECT id FROM events)';
  const ofTags = 'SELECT count(*) AS n FROM tags WHERE entry NOT IN (SELECT id FROM events)';
  const counts = [...ofTables, ofWords, ofTags].map((sql) => Number(database.get(sql)?.['n']));
  database.close();
  return counts.reduce((sum, count) => sum + count, 0);
}
