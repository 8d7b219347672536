import { asModelText, type Agent, type BatchReport, type CallReport } from '@bae/core';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { composeAgent } from '../compose.ts';
import { openSettings } from '../config/settings.ts';
import { DecisionLog } from '../kept-session.ts';
import { readAll, readLines } from '../terminal/piped-input.ts';
import { makeVisible } from '../terminal/terminal-text.ts';

type Streams = Pick<CommandContext, 'terminal' | 'signal'>;

/**
 * Runs `bae do`, which executes tags without a model: the arguments, the whole input at once, or, with `--json`,
 * requests of a program line by line.
 */
export async function runDo(context: CommandContext): Promise<number> {
  const { positionals, options } = context;
  if (positionals.length > 0 && options.json)
    throw new UsageError(
      `bae do --json reads requests from standard input; got ${JSON.stringify(positionals.join(' '))}.`,
    );
  const settings = await openSettings(context);
  const decisions = new DecisionLog(settings, context);
  const agent = composeAgent(settings, context, { kept: { log: decisions } });
  try {
    return await (options.json ? serveLines(agent, context) : runOnce(agent, context, positionals));
  } finally {
    await agent.close();
    decisions.close();
  }
}

const NOTHING_TO_EXECUTE =
  'nothing to execute. A tag stands alone on its line: <R:package.json>; code stands between <run> and </run>';

async function runOnce(agent: Agent, { terminal, signal }: Streams, given: readonly string[]): Promise<number> {
  // A tag must be alone on its line.
  const isTyped = given.length > 0;
  const text = isTyped ? given.join('\n') : await readAll(terminal.input, signal);
  const report = await agent.run(asModelText(text), { signal, isTyped });
  if (report.feedback === '' && isTyped)
    throw new UsageError(`${NOTHING_TO_EXECUTE}; without arguments, bae do reads standard input.`);
  if (report.feedback === '') terminal.err.write(`bae: ${NOTHING_TO_EXECUTE}\n`);
  else terminal.out.write(`${terminal.out.isTerminal ? makeVisible(report.feedback) : report.feedback}\n`);
  const { problems, calls, runs } = report;
  const isDone =
    problems.length === 0 &&
    calls.every(({ result }) => result.ok && result.failed !== true) &&
    runs.every(({ ok }) => ok);
  return isDone ? 0 : 1;
}

/** Serves requests line by line in one session. It reads `{"text"}` and writes a report for each. */
export async function serveLines(agent: Agent, { terminal, signal }: Streams): Promise<0> {
  for await (const line of readLines(terminal.input, signal)) {
    if (line.trim() === '') continue;
    const request = parseRequestLine(line);
    const run = async (text: string) => serializeReport(await agent.run(asModelText(text), { signal }));
    const reply = 'error' in request ? request : await run(request.text);
    terminal.out.write(`${JSON.stringify(reply)}\n`);
    // Otherwise replies would pile up if the reader is slow.
    await terminal.flush();
  }
  return 0;
}

const EXPECTED = 'one JSON object a line: {"text": "<R:package.json>"}';

function parseRequestLine(line: string): { readonly text: string } | ReturnType<typeof refuse> {
  let value: unknown;
  try {
    value = JSON.parse(line.replace(/^\uFEFF/, ''));
  } catch (error) {
    return refuse(`the line is not JSON (${(error as Error).message})`, line);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('the line is not a JSON object', line);
  const { text } = value as { readonly text?: unknown };
  if (typeof text === 'string') return { text };
  return refuse(text === undefined ? 'the object has no "text"' : '"text" is not a string', line);
}

/** Creates the reply to a line that is not a request. */
function refuse(fact: string, line: string) {
  const got = line.length > 80 ? `${line.slice(0, 79)}…` : line;
  return { error: { message: `${fact}. Send ${EXPECTED}`, expected: EXPECTED, got } };
}

/** Creates the reply to a request, as JSON serializes it: without undefined values. */
function serializeReport({ feedback, calls, runs, problems, location }: BatchReport): object {
  return {
    feedback,
    results: calls.map(serializeCall),
    runs: runs.length > 0 ? runs.map(({ id, ok, output, ms }) => ({ id, ok, output, ms })) : undefined,
    problems: problems.map(({ code, line }) => ({ code, line })),
    location,
  };
}

function serializeCall({ id, call, result }: CallReport): object {
  const { space, ok, failed, errorType, text, pruned, ref, ms } = result;
  const { tag, verb } = call;
  const cut = pruned === undefined ? undefined : true;
  return { id, tag, verb, space, ok, failed, errorType, text, pruned: cut, ref, ms };
}
