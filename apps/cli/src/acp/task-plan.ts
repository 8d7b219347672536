import type { PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import { TaskClient, type Task } from '@bae/tasks';
import { getPathKind } from '../config/disk.ts';

/** Maximum number of tasks that an editor shows at once. */
const MOST = 50;

/** Tasks of a folder as the plan of an editor: open tasks, and those finished since they were first read. */
export class TaskPlan {
  readonly #file: string;
  readonly #known = new Map<number, PlanEntry>();

  /** @param file the file of the tasks, which may be missing */
  constructor(file: string) {
    this.#file = file;
  }

  /** Reads the current plan; undefined if there is none. */
  async read(): Promise<SessionUpdate | undefined> {
    if (getPathKind(this.#file) !== 'file') return undefined;
    const client = new TaskClient({ file: this.#file, caller: 'user' });
    try {
      const result = await client.call('read', { target: '' }, MOST);
      if (result.kind !== 'list') return undefined;
      const active = new Map(result.page.tasks.map((task) => [task.id, toEntry(task)]));
      for (const [id, entry] of this.#known)
        if (!active.has(id)) this.#known.set(id, { ...entry, status: 'completed' });
      for (const [id, entry] of active) this.#known.set(id, entry);
    } finally {
      await client.close();
    }
    return this.#known.size === 0 ? undefined : { sessionUpdate: 'plan', entries: [...this.#known.values()] };
  }
}

function toEntry({ title, status, priority }: Task): PlanEntry {
  const status_ = status === 'in_progress' ? 'in_progress' : 'pending';
  return { content: title, status: status_, priority: LEVELS[priority.major] ?? 'low' };
}

const LEVELS: readonly (PlanEntry['priority'] | undefined)[] = ['high', 'high', 'medium'];
