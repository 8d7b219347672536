import type { ToolContext } from '@bae/core';
import { showPath, unifiedDiff } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import { planEdit, type EditRequest } from './plan-edit.ts';
import { planWrite, type WriteRequest } from './plan-write.ts';

/**
 * Shows what an edit would change, and changes nothing.
 *
 * @throws what the edit would fail with
 */
export async function previewEdit(base: CodeBase, request: EditRequest, context: ToolContext): Promise<string> {
  const { target, after } = await planEdit(base, request, context);
  return diff(target.source.module.path, target.source.text, after);
}

/**
 * Shows what writing a module would change, and changes nothing.
 *
 * @throws what the write would fail with
 */
export async function previewWrite(base: CodeBase, request: WriteRequest, context: ToolContext): Promise<string> {
  const { path, before, text, index } = await planWrite(base, request, context);
  const exported = index === undefined ? '' : diff(index.source.module.path, index.source.text, index.text);
  return diff(path, before?.text, text) + exported;
}

function diff(path: string, before: string | undefined, after: string): string {
  return unifiedDiff({ path: showPath(path), before, after });
}
