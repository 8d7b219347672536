import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent, type Approver } from '@bae/core';
import { provideWorkspace, type WorkspaceOptions } from '@bae/workspace';
import { FilesystemSpace } from '../src/filesystem-space.ts';
import { temporaryFolder } from './temporary-folder.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** An agent at home in a new folder; it executes responses as if a model had sent them. */
export function openHome(files: Files = {}, approver: Approver = allowAll, workspace: WorkspaceOptions = {}) {
  const folder = temporaryFolder(files);
  const agent = createAgent({ home: FilesystemSpace, provide: [provideWorkspace(folder, workspace)], approver });
  return {
    agent,
    folder,
    /** The results of the calls of one response. */
    send: async (text: string): Promise<readonly string[]> =>
      (await agent.run(asModelText(text))).calls.map(({ result }) => result.text),
    content: (path: string): string => readFileSync(join(folder, path), 'utf8'),
    /** Changes a file from outside. */
    change: (path: string, content: string): void => writeFileSync(join(folder, path), content),
  };
}
