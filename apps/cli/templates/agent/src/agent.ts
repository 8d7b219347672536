import { join } from 'node:path';
import { createAgent, type Agent, type ApprovalPolicy, type Model } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { provideTasks, TasksSpace } from '@bae/tasks';
import { provideWorkspace } from '@bae/workspace';
import { approver } from './approver.ts';
import { home } from './home.ts';

/** What the agent is started with. */
export interface TemplateParts {
  /** The folder it works in. */
  readonly folder: string;
  readonly model?: Model | undefined;
  /** Asks a person about what no rule is for. Without it that is refused. */
  readonly ask?: ApprovalPolicy['ask'];
}

/** Puts the agent together: its home, the spaces below it, what they work on, and who decides. */
export function templateAgent({ folder, model, ask }: TemplateParts): Agent {
  return createAgent({
    ...(model && { model }),
    home,
    spaces: [FilesystemSpace, TasksSpace],
    provide: [
      provideWorkspace(folder, { journal: 'disk' }),
      provideTasks({ file: join(folder, '.bae/tasks.db'), caller: 'agent' }),
    ],
    approver: approver(ask),
    instructions: 'Write reports in plain words, at most one page.',
  });
}
