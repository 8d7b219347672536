// What the clients of the servers have in common.

/** @throws Error with the body of a refusal */
export async function post(url, body, headers) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (response.ok) return response;
  throw new Error(`${url}: ${response.status} ${await response.text()}`);
}

export async function postJson(...request) {
  return (await post(...request)).json();
}

/** The data of each event. */
export async function* readServerSentEvents(response) {
  for await (const line of splitLines(response))
    if (line.startsWith('data: ') && line !== 'data: [DONE]') yield JSON.parse(line.slice(6));
}

export async function* readLines(response) {
  for await (const line of splitLines(response)) if (line !== '') yield JSON.parse(line);
}

async function* splitLines({ body }) {
  let rest = '';
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop();
    yield* lines;
  }
}
