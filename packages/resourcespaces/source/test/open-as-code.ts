import { allowAll, asModelText, type CodeRunner, type ToolResult } from '@bae/core';
import { openSource } from './open-source.ts';

type Args = Readonly<Record<string, unknown>>;

/** The same as `openSource`; calls can be made by code, too. */
export function openAsCode(files: Parameters<typeof openSource>[0]) {
  let result: ToolResult | undefined;
  // A block is the JSON of one call.
  const codeRunner: CodeRunner = {
    run: async (block, { dispatch }) => {
      const { tool: verb, args: kwargs } = JSON.parse(block) as { readonly tool: string; readonly args: Args };
      result = await dispatch({ verb, arg: '', kwargs, line: 1, tag: verb });
      return { ok: true, output: '' };
    },
  };
  const opened = openSource(files, allowAll, codeRunner);
  const data = async (tool: string, args: Args = {}): Promise<unknown> => {
    await opened.entered;
    await opened.agent.run(asModelText(`<run>\n${JSON.stringify({ tool, args })}\n</run>`));
    const { text = '', value = text } = result ?? {};
    return value;
  };
  return {
    ...opened,
    /** What code gets of a call, or its error. */
    data,
    /** The same as text, with a row on each line. */
    code: async (tool: string, args: Args = {}): Promise<string> => joinRows(await data(tool, args)),
  };
}

interface Row {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What code gets as text: one row a line, `module:12: text` of a search. */
function joinRows(value: unknown): string {
  if (!Array.isArray(value)) return value as string;
  return (value as (string | Row)[])
    .map((row) => (typeof row === 'string' ? row : `${row.path}:${row.line}: ${row.text}`))
    .join('\n');
}
