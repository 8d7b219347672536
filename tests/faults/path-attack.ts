import { allowAll, asModelText, createAgent, type CallReport } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { FilesystemSpace } from '@bae/filesystem';
import type { WorkspaceRoot } from '@bae/workspace';
import { WORKSPACE_ROOT } from '@bae/workspace';
import type { GuardedWorld } from './guarded-world.ts';

/** What a path is used for: each makes the lines of a response that do it. */
const USES = {
  read: (path: string) => json('read', { target: path }),
  view: (path: string) => `<E:${path}:1-2>`,
  glob: (path: string) => json('glob', { pattern: path }),
  'glob below': (path: string) => json('glob', { pattern: `${path}/**`, ignored: true }),
  grep: (path: string) => json('grep', { pattern: 'common|canary|root', path, ignored: true }),
  replace: (path: string) => json('edit', { target: path, old: 'common line', new: 'changed line' }),
  // Lines are replaced only in what was shown before.
  'replace lines': (path: string) =>
    `${json('read', { target: path })}\n${json('edit', { target: `${path}:1-2`, content: 'changed' })}`,
  write: (path: string) => json('write', { target: path, content: 'written\n' }),
} as const;

export type PathUse = keyof typeof USES;

/** What came of an attack. */
export interface AttackReport {
  /** Paths that were used. */
  readonly used: number;
  /** Paths that no parser takes for part of a call, for example one with a line break in a tag. */
  readonly unused: number;
  /** What must not be, each as a sentence. */
  readonly violations: readonly string[];
}

const BATCH = 100;
/** Longest time for one batch, in milliseconds: a thousand times what it takes. */
const PATIENCE = 30_000;

/** Uses each of many paths in one way through an agent, and looks after every batch what became of the outside. */
export async function attack(
  world: GuardedWorld,
  paths: readonly string[],
  options: AttackOptions,
): Promise<AttackReport> {
  const { use, root } = options;
  const agent = createAgent({
    home: FilesystemSpace,
    provide: [{ token: WORKSPACE_ROOT, value: root }],
    approver: allowAll,
  });
  const lines = paths.map((path) => USES[use](path));
  const calls = lines.filter(isCalled);
  const violations: string[] = [];
  for (let from = 0; from < calls.length; from += BATCH) {
    const batch = calls.slice(from, from + BATCH);
    const report = await inTime(agent.run(asModelText(batch.join('\n'))), batch);
    if (report.calls.length !== batch.join('\n').split('\n').length)
      violations.push(`calls are missing after ${batch[0]}`);
    violations.push(
      ...report.calls.flatMap((call) => faultsOf(call, world)),
      ...world.changes().map((path) => `${use} changed ${path}`),
    );
    if (violations.length > 0) break;
  }
  await agent.close();
  return { used: calls.length, unused: lines.length - calls.length, violations };
}

export interface AttackOptions {
  readonly use: PathUse;
  readonly root: Pick<WorkspaceRoot, keyof WorkspaceRoot>;
}

function json(name: string, parameters: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({ name, arguments: parameters });
}

function isCalled(lines: string): boolean {
  return parse(asModelText(lines)).calls.length === lines.split('\n').length;
}

async function inTime<T>(work: Promise<T>, batch: readonly string[]): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer to ${batch.join('\n').slice(0, 1000)}`)), PATIENCE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An answer gives nothing away, and is good or says clearly why not and what to do next. */
function faultsOf({ call, result }: CallReport, world: GuardedWorld): readonly string[] {
  const told = `${call.tag.slice(0, 200)} -> ${result.text.slice(0, 300)}`;
  const faults = world.leaksIn(result.text).map((sign) => `${sign} in ${told}`);
  if (result.ok) return faults;
  if (result.stack !== undefined) faults.push(`an error that nobody expected: ${told}`);
  // An answer that was given before is not repeated, only pointed at.
  if (!/\nTry: (?:<[A-Z]|\{)|^\(same as #\d+\)$/i.test(result.text)) faults.push(`no next step: ${told}`);
  return faults;
}
