import { asModelText, type Agent, type BatchReport, type CallReport } from '@bae/core';
import { linesOf } from '../terminal/lines-of.ts';
import type { CommandContext } from './command.ts';

/** What a line is answered when it is not a request. */
interface Refusal {
  readonly error: { readonly message: string; readonly expected: string; readonly got: string };
}

const EXPECTED = 'one JSON object a line: {"text": "<R:package.json>"}';

/**
 * Answers requests line by line until the input ends: `{"text"}` in, a report out. One session serves
 * them all, so its location, its kept results and what it has read stay from line to line.
 */
export async function serveLines(
  agent: Agent,
  { terminal, signal }: Pick<CommandContext, 'terminal' | 'signal'>,
): Promise<void> {
  const { input, out } = terminal;
  const stop = (): void => void input.destroy(signal.reason as Error);
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const line of linesOf(input)) {
      if (line.trim() === '') continue;
      out.write(`${JSON.stringify(await answer(agent, line, signal))}\n`);
      // A reader slower than this writer must not make the answers pile up.
      await terminal.flush();
    }
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function answer(agent: Agent, line: string, signal: AbortSignal): Promise<object> {
  const request = parseRequest(line);
  if ('error' in request) return request;
  return reportAsData(await agent.run(asModelText(request.text), { signal }));
}

function parseRequest(line: string): { readonly text: string } | Refusal {
  let value: unknown;
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    return refusal(`the line is not JSON (${(error as Error).message})`, line);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refusal('the line is not a JSON object', line);
  const { text } = value as { readonly text?: unknown };
  if (typeof text === 'string') return { text };
  return refusal(text === undefined ? 'the object has no "text"' : '"text" is not a string', line);
}

function refusal(fact: string, line: string): Refusal {
  const got = line.length > 80 ? `${line.slice(0, 79)}…` : line;
  return { error: { message: `${fact}. Send ${EXPECTED}`, expected: EXPECTED, got } };
}

function reportAsData({ feedback, calls, runs, problems, location }: BatchReport): object {
  return {
    feedback,
    results: calls.map(callAsData),
    ...(runs.length > 0 && { runs: runs.map(runAsData) }),
    problems: problems.map(({ code, line }) => ({ code, line })),
    location,
  };
}

function runAsData({ id, ok, output, ms }: BatchReport['runs'][number]): object {
  return { id, ok, output, ms };
}

function callAsData({ id, call, result }: CallReport): object {
  const { space, ok, errorType, text, pruned, ref, ms } = result;
  return {
    id,
    tag: call.tag,
    verb: call.verb,
    space,
    ok,
    ...(errorType !== undefined && { errorType }),
    text,
    ...(pruned !== undefined && { pruned: true }),
    ...(ref !== undefined && { ref }),
    ms,
  };
}
