// Uses every operation of the interface by the types that are generated from its description.
import createClient from 'openapi-fetch';
import type { paths } from './api.ts';

/** Returns the names of the operations that it used. */
export async function useEveryOperation(baseUrl: string, token: string): Promise<readonly string[]> {
  const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
  const used: string[] = [];
  const use = <T extends { readonly response: Response }>(operation: string, status: number, result: T): T => {
    const { response } = result;
    if (response.status !== status) throw new Error(`${operation}: expected ${status}; got ${response.status}`);
    used.push(operation);
    return result;
  };
  const body = { workspace: { type: 'none' }, may: ['read', 'write'], budget: { calls: 5 } } as const;
  const made = use('createSession', 201, await client.POST('/v1/sessions', { body: { ...body, may: [...body.may] } }));
  const wrong = await client.POST('/v1/sessions', { body: { workspace: { type: 'cloud' } as never } });
  if (wrong.error?.error.code !== 'invalid') throw new Error(`expected invalid; got ${wrong.error?.error.code}`);
  const session = made.data;
  if (session === undefined) throw new Error('there is no session');
  const path = { id: session.id };
  const list = use('listSessions', 200, await client.GET('/v1/sessions', { params: { query: { limit: 5 } } }));
  if (list.data?.sessions[0]?.id !== session.id) throw new Error('the session is not in the list');
  use('getSession', 200, await client.GET('/v1/sessions/{id}', { params: { path } }));
  const params = { path, header: { 'Idempotency-Key': 'once' } };
  const asked = await client.POST('/v1/sessions/{id}/prompts', { params, body: { text: 'Add one.' } });
  const prompt = use('addPrompt', 202, asked).data!;
  const questions = await waitForQuestions();
  const [question] = use('listQuestions', 200, questions).data!.questions;
  if (question?.type !== 'approval') throw new Error('there is no question about the change');
  const about = { path: { ...path, question: question.id } };
  const reply = { decision: 'allow', hash: question.hash } as const;
  use('reply', 200, await client.POST('/v1/sessions/{id}/questions/{question}', { params: about, body: reply }));
  const events = await client.GET('/v1/sessions/{id}/events', { params: { path }, parseAs: 'stream' });
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of use('streamEvents', 200, events).data! as AsyncIterable<Uint8Array>) {
    text += decoder.decode(piece, { stream: true });
    if (text.includes('event: prompt-end')) break;
  }
  const at = { path: { ...path, prompt: prompt.id } };
  const ended = use('getPrompt', 200, await client.GET('/v1/sessions/{id}/prompts/{prompt}', { params: at }));
  if (ended.data?.outcome !== 'answered') throw new Error(`the prompt ended as ${ended.data?.outcome}`);
  use('cancel', 200, await client.POST('/v1/sessions/{id}/cancel', { params: { path } }));
  const lines = await client.GET('/v1/sessions/{id}/export', { params: { path }, parseAs: 'text' });
  if (!String(use('exportSession', 200, lines).data).includes('prompt-end')) throw new Error('the export is not whole');
  // The workspace is not a repository.
  use('getPatch', 409, await client.GET('/v1/sessions/{id}/patch', { params: { path }, parseAs: 'text' }));
  use(
    'pushBranch',
    409,
    await client.POST('/v1/sessions/{id}/branch', { params: { path }, body: { message: 'Added one' } }),
  );
  return used;

  async function waitForQuestions() {
    for (;;) {
      const result = await client.GET('/v1/sessions/{id}/questions', { params: { path } });
      if (result.data === undefined || result.data.questions.length > 0) return result;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
