import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One thing that is kept of a session. */
export interface KeptEntry {
  readonly session: string;
  readonly seq: number;
  /** Null for what a server wrote, and for records, which have none. */
  readonly epoch: number | null;
  /** JSON of the event; null for a record. */
  readonly body: string | null;
}

/** What a worker wrote down: that it took a session over, or that it was told that an event was written. */
export type JournalEntry =
  | { readonly type: 'take'; readonly session: string; readonly epoch: number; readonly time: number }
  | { readonly type: 'written'; readonly session: string; readonly epoch: number; readonly event: object };

/** What a tool wrote down. */
export interface NoteEntry {
  readonly type: 'begin' | 'end';
  readonly session: string;
  readonly target: string;
  readonly process: number;
}

/** Everything that happened to the sessions of a database. */
export interface WorkHistory {
  /** In the order of sessions and places. */
  readonly kept: readonly KeptEntry[];
  /** By the name of a worker. */
  readonly journals: ReadonlyMap<string, readonly JournalEntry[]>;
  readonly notes: readonly NoteEntry[];
  /** Names of prompts that were taken. */
  readonly prompts: readonly string[];
}

/** What the workers of a folder wrote down. */
export function readJournals(folder: string): Pick<WorkHistory, 'journals' | 'notes'> {
  const files = readdirSync(folder).filter((name) => name.startsWith('worker-'));
  const journals = new Map(files.map((name) => [name, readLines<JournalEntry>(join(folder, name))]));
  return { journals, notes: readLines<NoteEntry>(join(folder, 'notes.jsonl')) };
}

/** The lines of a file; one that a killed process did not finish was told to nobody. */
function readLines<T>(file: string): readonly T[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.flatMap((line) => (line.startsWith('{') && line.endsWith('}') ? [JSON.parse(line) as T] : []));
}

/** What is wrong with a history; nothing, as a rule. */
export function findFaults(history: WorkHistory): readonly string[] {
  return [
    ...findGaps(history),
    ...findMixedEpochs(history),
    ...findLostEvents(history),
    ...findWrongCalls(history),
    ...findOpenPrompts(history),
  ];
}

function findGaps({ kept }: WorkHistory): readonly string[] {
  return groupBySession(kept).flatMap(([session, entries]) => {
    const wrong = entries.find(({ seq }, index) => seq !== index + 1);
    return wrong === undefined ? [] : [`${session}: a gap before place ${wrong.seq}`];
  });
}

/** After somebody has written under an epoch, nobody writes under an earlier one; and an epoch has one writer. */
function findMixedEpochs({ kept, journals }: WorkHistory): readonly string[] {
  const late = groupBySession(kept).flatMap(([session, entries]) => {
    let highest = 0;
    return entries.flatMap(({ seq, epoch }) => {
      if (epoch === null) return [];
      if (epoch < highest) return [`${session}: place ${seq} was written under epoch ${epoch}, after ${highest}`];
      highest = epoch;
      return [];
    });
  });
  const writers = new Map<string, string>();
  const shared = [...journals].flatMap(([worker, entries]) =>
    entries.flatMap(({ session, epoch }) => {
      const key = `${session}, epoch ${epoch}`;
      const other = writers.get(key) ?? worker;
      writers.set(key, worker);
      return other === worker ? [] : [`${key}: ${other} and ${worker} have it`];
    }),
  );
  return [...late, ...shared];
}

function findLostEvents({ kept, journals }: WorkHistory): readonly string[] {
  const there = new Set(kept.map(({ session, epoch, body }) => `${session} ${epoch} ${body}`));
  return [...journals.values()].flat().flatMap((entry) => {
    if (entry.type !== 'written') return [];
    const body = JSON.stringify(entry.event);
    return there.has(`${entry.session} ${entry.epoch} ${body}`) ? [] : [`${entry.session}: lost: ${body}`];
  });
}

/** A call begins once, and not before its start was written. */
function findWrongCalls({ kept, notes }: WorkHistory): readonly string[] {
  const starts = new Map<string, number>();
  for (const { session, body } of kept) {
    if (body === null || !body.includes('"call-start"')) continue;
    const { tag } = JSON.parse(body) as { tag: string };
    const key = `${session} ${tag}`;
    starts.set(key, (starts.get(key) ?? 0) + 1);
  }
  const begun = new Map<string, number>();
  for (const { type, session, target } of notes) {
    const key = `${session} <W:${target}>`;
    if (type === 'begin') begun.set(key, (begun.get(key) ?? 0) + 1);
  }
  return [...begun].flatMap(([key, times]) => [
    ...(times > 1 ? [`${key} was run ${times} times`] : []),
    ...(starts.has(key) ? [] : [`${key} was run without a start`]),
  ]);
}

function findOpenPrompts({ kept, prompts }: WorkHistory): readonly string[] {
  const ends = new Map<string, string[]>();
  for (const { body } of kept) {
    if (body === null || !body.includes('"prompt-end"')) continue;
    const { prompt, outcome } = JSON.parse(body) as { prompt: string; outcome: string };
    ends.set(prompt, [...(ends.get(prompt) ?? []), outcome]);
  }
  return prompts.flatMap((prompt) => {
    const outcomes = ends.get(prompt) ?? [];
    return outcomes.join() === 'answered' ? [] : [`prompt ${prompt} ended as: ${outcomes.join(', ') || 'nothing'}`];
  });
}

function groupBySession(kept: readonly KeptEntry[]): readonly (readonly [string, readonly KeptEntry[]])[] {
  return [...Map.groupBy(kept, ({ session }) => session)];
}
