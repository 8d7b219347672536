import type { CodeRunner, RunOptions, RunOutcome, ToolCall, ToolResult } from '@bae/core';

/** A signature of text parameters. */
function spec(name: string, ...params: readonly string[]) {
  return { name, params: params.map((param) => ({ name: param, type: 'string' })) };
}

/** What code of these tests has in scope. */
const SCOPE: ReturnType<NonNullable<RunOptions['scope']>> = {
  tools: [spec('read', 'target'), spec('waits')],
  spaces: [
    { name: 'source', tools: [spec('read', 'target')] },
    { name: 'source.tests', tools: [spec('run')] },
  ],
};

function answer(text: string, more: Partial<ToolResult> = {}): ToolResult {
  return { ok: true, text, space: 'home', ran: true, lines: 1, ms: 0, ...more };
}

/** Answers `data` with data, `missing` with an error, `waits` never, and everything else with its own name. */
async function answerTo({ verb, arg }: ToolCall): Promise<ToolResult> {
  if (verb === 'waits') return new Promise(() => undefined);
  if (arg === 'data') return answer('', { value: { rows: [1, 2], name: 'data' } });
  if (arg === 'missing') return answer('FileNotFoundError: missing', { ok: false, errorType: 'FileNotFoundError' });
  return answer(`text of ${arg}`);
}

/** One block of a session, and the calls that reached the host because of it. */
export async function runBlock(
  runner: CodeRunner,
  code: string,
  session = 'session',
): Promise<RunOutcome & { readonly calls: readonly ToolCall[] }> {
  const calls: ToolCall[] = [];
  const outcome = await runner.run(code, {
    signal: new AbortController().signal,
    session,
    scope: () => SCOPE,
    dispatch: (call) => {
      calls.push(call);
      return answerTo(call);
    },
  });
  return { ...outcome, calls };
}
