import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import {
  allowAll,
  createAgent,
  defineResourcespace,
  tool,
  type Agent,
  type AgentEvent,
  type AgentOptions,
  type CodeRunner,
} from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { recordEvents, ScriptedModel, type ScriptedResponse } from '@bae/testing';
import { provideWorkspace } from '@bae/workspace';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

/** Evaluates run blocks in this very process: enough to test the loop, never a sandbox. */
export const evaluator: CodeRunner = {
  async run(code) {
    const value = runInNewContext(code) as string | number | undefined;
    return { ok: true, output: String(value ?? '') };
  },
};

/** A small space beside the files, with a counter for home. */
export const tasks = defineResourcespace({
  name: 'tasks',
  description: 'Things to do.',
  tools: {
    read: tool(
      'One task, or all of them.',
      { target: z.string().default('') },
      ({ target }) => `task ${target || 'list'}`,
    ),
    grep: tool('Matching tasks.', { pattern: z.string() }, ({ pattern }) => ({ text: `1 | ${pattern}`, rows: 1 })),
  },
  status: () => ({ open: 1 }),
});

/** An agent over a temporary folder, driven by a script. */
export interface Stage {
  readonly agent: Agent;
  readonly model: ScriptedModel;
  readonly events: readonly AgentEvent[];
  readonly folder: string;
  readonly read: (path: string) => string;
  readonly write: (path: string, text: string) => void;
}

/** Sets a scene: files, a script of responses, and whatever options a test wants otherwise. */
export function stage(
  script: readonly ScriptedResponse[],
  files: Record<string, string> = {},
  options: AgentOptions = {},
): Stage {
  const folder = mkdtempSync(join(tmpdir(), 'bae-loop-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const model = new ScriptedModel(script);
  const provide = [provideWorkspace(folder)];
  const agent = createAgent({
    model,
    home: FilesystemSpace,
    spaces: [tasks],
    provide,
    approver: allowAll,
    codeRunner: evaluator,
    ...options,
  });
  const recorder = recordEvents();
  agent.subscribe(recorder);
  return {
    agent,
    model,
    events: recorder.events,
    folder,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write: (path, text) => writeFileSync(join(folder, path), text),
  };
}

/** Text of the message that a send added: the last one of the request. */
export function sent(model: ScriptedModel, send: number): string {
  return model.sends[send]?.at(-1)?.text ?? '';
}
