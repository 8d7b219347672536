import type { ServerResponse } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, existsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { event, serveModel, type ModelServer, type ServedResponse } from './model-server.ts';
import { runBae, startProgram } from './run-bae.ts';

let cwd: string;
let server: ModelServer | undefined;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-ask-'));
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\n');
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  rmSync(cwd, { recursive: true, force: true });
});

async function ask(script: readonly ServedResponse[], ...args: readonly string[]) {
  server = await serveModel(script);
  return runBae(['ask', 'What is in a.txt?', ...server.args, ...args], { cwd });
}

describe('bae ask', () => {
  it('prints the plain answer, and beside it the model and a line per call', async () => {
    const { code, out, err } = await ask(['I look.\n<R:a.txt>', 'Two lines.\nThat is all.']);
    expect(out).toBe('Two lines.\nThat is all.\n');
    expect(err).toBe('model: openai-compatible/test, asked for by name\n◆ read(a.txt) -> string (2 lines)\n');
    expect(code).toBe(0);
    expect(server?.prompts[0]).toMatch(/^\[Location: home\]\n/);
    expect(server?.prompts[1]).toMatch(/#1 [0-9a-f]{6} <R:a\.txt> \[home\] ok\none\ntwo/);
  });

  it('lets the model call functions instead of writing tags', async () => {
    const call = {
      index: 0,
      id: 'a',
      type: 'function',
      function: { name: 'call', arguments: '{"tool":"read","arguments":{"target":"a.txt"}}' },
    };
    const callFunction = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event({ delta: { tool_calls: [call] } }));
      response.end(`${event({ delta: {}, finish_reason: 'tool_calls' })}data: [DONE]\n\n`);
    };
    const { code, out } = await ask([callFunction, 'Two lines.'], '--protocol', 'tools');
    expect([code, out]).toEqual([0, 'Two lines.\n']);
    const { tools, messages } = JSON.parse(server?.requests[1] ?? '') as {
      tools: { function: { name: string } }[];
      messages: { role: string; content: unknown }[];
    };
    expect(tools.map((tool) => tool.function.name)).toEqual(['go', 'call', 'run', 'read_result']);
    expect(messages.find(({ role }) => role === 'tool')?.content).toContain('one\ntwo');
  });

  it('shows at the end what it took with --usage', async () => {
    const { code, out, err } = await ask(['<R:a.txt>', 'Two.'], '--usage');
    expect([code, out]).toEqual([0, 'Two.\n']);
    expect(err).toMatch(/by turn\n {2}turn 1 +2 .*\nby tool\n(?: {2}(?:home\.read|answer) +1 .*\n){2}by place\n/);
    expect(err).toMatch(/\n {2}total +2 +0 +0 +0 +-\n$/);
  });

  it('prints every event as a line of JSON', async () => {
    const { code, out } = await ask(['<R:a.txt>', 'Two.'], '--json');
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(events.map(({ type }) => type).filter((type) => type !== 'response-delta')).toEqual([
      'turn-start',
      'response-end',
      'call-start',
      'call-end',
      'response-end',
      'answer',
      'turn-end',
    ]);
    expect(code).toBe(0);
  });

  it('shows everything with --verbose: what the model is sent, and what it is told', async () => {
    const { out, err } = await ask(['<R:a.txt>', 'Two.'], '--verbose');
    expect(out).toBe('Two.\n');
    expect(err).toContain('[ai] is_error=false role=system type=prompt\n');
    expect(err).toContain('[ai] is_error=false role=user type=prompt\n  [Location: home]\n');
    expect(err).toContain('[code] is_error=false label=1 type=call-end\n');
    expect(err.match(/role=system/g)).toHaveLength(1);
  });

  it('refuses to write where nobody can be asked, and writes with --yes', async () => {
    const script = ['<W:b.txt>\nhi\n</W>', 'Done.'];
    const refused = await ask(script);
    expect(refused.err).toContain(
      "◆ write(b.txt) -> ApprovalError\nwrite was not run: it has the effect 'write', and no one is available to approve it. To allow it, start bae with --yes. ",
    );
    expect(server?.prompts[1]).toContain('start bae with --yes');
    expect(existsSync(join(cwd, 'b.txt'))).toBe(false);
    await server?.close();
    expect((await ask(script, '--yes')).err).toContain('◆ write(b.txt) -> string (3 chars)\n');
    expect(readFileSync(join(cwd, 'b.txt'), 'utf8')).toBe('hi\n');
  });

  it('stops at the limit, says so, and fails', async () => {
    const { code, out, err } = await ask(['<R:a.txt>', '<R:a.txt:1>', '<R:a.txt:2>'], '--max', '2');
    expect(err).toContain('stopped after 2 tool rounds; 1 call not run\n');
    expect({ code, out }).toEqual({ code: 1, out: '' });
  });

  it('takes the question from a pipe', async () => {
    server = await serveModel(['Fine.', 'Fine.']);
    expect((await runBae(['ask', ...server.args], { cwd, input: 'How are you?\n' })).out).toBe('Fine.\n');
    expect(server.prompts[0]).toContain('How are you?');
    expect((await runBae(['ask', '-', ...server.args], { cwd, input: 'And now?' })).out).toBe('Fine.\n');
  });

  it('cancels the turn on Ctrl-C, prints no late answer, and ends with 130', async () => {
    let asked = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      asked = resolve;
    });
    server = await serveModel([
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(event({ delta: { content: 'Let me ' } }));
        asked();
      },
    ]);
    const bae = startProgram(['ask', 'hi', ...server.args], { cwd });
    await reached;
    bae.child.kill('SIGINT');
    expect(await bae.end).toMatchObject({ code: 130, out: '' });
  });

  it('makes control characters of the answer visible', async () => {
    expect((await ask(['Done.\b\u202E'])).out).toBe('Done.␈<U+202E>\n');
  });
});

describe('bae ask, when the model fails', () => {
  const nothing: ServedResponse = (response) => void response.end();
  const failing =
    (status: number, body: string): ServedResponse =>
    (response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(body);
    };

  it.each([
    ['refuses the key', [failing(401, '{"error":{"message":"invalid api key"}}')]],
    ['does not exist', [failing(404, '{"error":{"message":"no such model"}}')]],
    ['answers with a page', [failing(200, '<html>It works!</html>')]],
    ['answers with nothing', [nothing]],
  ] as const)('says so in one sentence when it %s', async (_, script) => {
    const { code, out, err } = await ask(script);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expectNoStack(err);
    expect(err).toMatch(/^bae: .+/m);
  });

  it('shows what to try when its port refuses', async () => {
    const gone = await serveModel([]);
    await gone.close();
    const { code, out, err } = await runBae(['ask', 'hi', ...gone.args], { cwd });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expectNoStack(err);
    expect(err).toMatch(/^bae: openai-compatible\/test .+\nTry: .+\n$/m);
  });

  it('survives an endless response', async () => {
    const flood: ServedResponse = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const piece = event({ delta: { content: 'x'.repeat(1_000_000) } });
      const send = (left: number): void => {
        if (left === 0 || response.destroyed) response.end();
        else response.write(piece, () => send(left - 1));
      };
      send(50);
    };
    const { code, out, err } = await ask([flood]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expectNoStack(err);
  });

  it.each([
    ['no model', [], /^bae: there is no model to ask\.\nTry: export ANTHROPIC_API_KEY=…, --model ollama\/NAME, or/],
    ['a missing key', ['--model', 'anthropic/x'], /ANTHROPIC_API_KEY/],
    ['an unknown provider', ['--model', 'antropic/x'], /Did you mean 'anthropic\/x'\?/],
  ])('shows what to do about %s', async (_, args, message) => {
    const { code, out, err } = await runBae(['ask', 'hi', ...args], { cwd });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(message);
    expectNoStack(err);
  });
});

function expectNoStack(text: string): void {
  expect(text).not.toMatch(/^\s+at /m);
  expect(text).not.toContain('node:internal');
}
