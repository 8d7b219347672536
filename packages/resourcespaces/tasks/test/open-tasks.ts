import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, allowAll, asModelText, type CodeRunner, createAgent, type ToolResult } from '@bae/core';
import { onTestFinished } from 'vitest';
import type { TaskCaller, TasksInFile } from '../src/task-store.ts';
import { provideTasks, TasksSpace } from '../src/tasks-space.ts';

/** A path of a database in a new folder, which is removed when the test is over. */
export function newFile(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-tasks-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, '.bae/tasks.db');
}

/** A session that stands in the tasks space. */
export interface OpenTasks {
  readonly file: string;
  readonly agent: Agent;
  /** Executes one tag as if a model had written it. */
  readonly send: (tag: string) => Promise<ToolResult>;
  /** The text of its result. */
  readonly say: (tag: string) => Promise<string>;
  /** The same for arguments that cannot stand in a tag. */
  readonly call: (tool: string, args: object) => Promise<ToolResult>;
}

/** A session over new tasks, or over those of a file; everything is allowed. */
export async function openTasks(
  options: Partial<TaskCaller & TasksInFile> = {},
  codeRunner?: CodeRunner,
): Promise<OpenTasks> {
  const { file = newFile(), caller = 'agent' } = options;
  const agent = createAgent({
    spaces: [TasksSpace],
    provide: [provideTasks({ ...options, file, caller })],
    approver: allowAll,
    ...(codeRunner && { codeRunner }),
  });
  onTestFinished(() => agent.close());
  await agent.run(asModelText('@tasks()'));
  const send = async (tag: string): Promise<ToolResult> => {
    const { calls, problems } = await agent.run(asModelText(tag));
    if (calls.length !== 1) throw new Error(`${tag} is ${calls.length} calls: ${JSON.stringify(problems)}`);
    return calls[0]!.result;
  };
  return {
    file,
    agent,
    send,
    say: async (tag) => (await send(tag)).text,
    call: (name, args) => send(JSON.stringify({ name, arguments: args })),
  };
}

/** A body with every section that a major needs before it begins. */
export const PLAN = `\
<assumptions><claim risk="low">Nobody uses it yet.</claim></assumptions>
<reasoning>It is asked for.</reasoning>
<background_research><finding claim="It is slow" source="bench" verified="yes"/></background_research>
<acceptance_criteria>It is fast.</acceptance_criteria>`;

/** The sections that a major needs to be done. */
export const OUTCOME = `\
<outcome>It is fast.</outcome>
<confidence>High: measured.</confidence>
<retrospective>Measure first.</retrospective>`;

/** A clock that can be set. */
export function clockAt(time: string): { now: () => Date; set: (time: string) => void } {
  let current = new Date(time);
  return { now: () => current, set: (next) => void (current = new Date(next)) };
}
