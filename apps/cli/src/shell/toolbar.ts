import { formatBreadcrumb } from '@bae/core/pipeline';
import type { Ledger } from '@bae/models';
import { TaskClient } from '@bae/tasks';
import { getPathKind, shortenHome } from '../config/disk.ts';
import { locateTasks } from '../config/settings.ts';
import { MODES } from '../consent/modes.ts';
import { makeLineVisible, truncate } from '../terminal/terminal-text.ts';
import type { ShellControl } from './shell-commands.ts';
import { formatQuantity } from '@bae/workspace';

/** State shown by a toolbar. */
export interface ToolbarState {
  readonly shell: Pick<ShellControl, 'mode' | 'views' | 'agent'>;
  readonly ledger: Ledger;
  /** Last response, if any. */
  readonly last: { readonly context: number } | undefined;
  /** Name of the model, if any. */
  readonly model: string | undefined;
  readonly tasks: TaskCount;
  readonly root: string;
  /** Home folder of the user. Default: that of the process. */
  readonly home?: string | undefined;
}

/** Number of open tasks, and number of those that wait for the person. */
export interface TaskCount {
  readonly tasks: number;
  readonly gates: number;
}

export const NO_TASKS: TaskCount = { tasks: 0, gates: 0 };

/** Counts the tasks of a folder; zero if they cannot be read. */
export async function countOpenTasks(root: string): Promise<TaskCount> {
  const file = locateTasks(root);
  if (getPathKind(file) !== 'file') return NO_TASKS;
  const client = new TaskClient({ file, caller: 'user' });
  try {
    const result = await client.call('read', { target: '' }, MOST_TASKS);
    if (result.kind !== 'list') return NO_TASKS;
    const { tasks, total } = result.page;
    return { tasks: total, gates: tasks.filter(({ pending }) => pending !== undefined).length };
  } catch {
    return NO_TASKS;
  } finally {
    await client.close();
  }
}

const MOST_TASKS = 200;

/** Items in display order. Empty items are omitted. */
const ITEMS: readonly (readonly [name: string, render: (state: ToolbarState) => string])[] = [
  ['mode', ({ shell }) => (shell.mode === 'ask' ? '' : MODES.find(({ id }) => id === shell.mode)!.name.toLowerCase())],
  ['view', ({ shell }) => (shell.views.current === 'user' ? '' : `view ${shell.views.current}`)],
  ['tasks', ({ tasks: { tasks } }) => count(tasks, 'task')],
  ['gates', ({ tasks: { gates } }) => count(gates, 'gate')],
  ['place', ({ shell }) => (shell.agent.location.length === 0 ? '' : formatBreadcrumb(shell.agent.location))],
  ['context', ({ last }) => (last === undefined ? '' : `${Math.round(last.context * 100)} % of the context`)],
  ['tokens', ({ ledger }) => renderTokens(ledger)],
  ['cost', ({ ledger }) => renderCost(ledger)],
  ['folder', ({ root, home }) => shortenHome(root, home)],
  ['model', ({ model = 'no model' }) => model],
];

/** Returns the line below the prompt. An item that fails is shown as an error and does not affect the others. */
export function renderToolbar(state: ToolbarState, columns: number): string {
  const parts = ITEMS.map(([name, render]) => {
    try {
      return makeLineVisible(render(state));
    } catch {
      return `[${name}:err]`;
    }
  });
  return truncate(parts.filter((part) => part !== '').join(' · '), columns - 1);
}

function count(number: number, noun: string): string {
  return number === 0 ? '' : formatQuantity(number, noun);
}

function renderTokens(ledger: Ledger): string {
  const { inputTokens, outputTokens } = ledger.total();
  const tokens = inputTokens + outputTokens;
  return tokens === 0 ? '' : `${tokens < 10_000 ? tokens : `${Math.round(tokens / 1000)}k`} tokens`;
}

function renderCost(ledger: Ledger): string {
  const { inputTokens, outputTokens, cost } = ledger.total();
  return cost === undefined || inputTokens + outputTokens === 0 ? '' : `$${cost.toFixed(2)}`;
}
