// What the clients of the servers have in common.

/** @param isStream true to get the response itself */
export async function postJson(url, body, headers, isStream = false) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return isStream ? response : response.json();
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
