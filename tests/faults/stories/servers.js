// The services of other people that the stories need, on this machine.
import { createServer } from 'node:http';

async function start(answer) {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    const { status = 200, value } = answer(request.method, request.url, { body, token: request.headers.authorization });
    response.writeHead(status).end(typeof value === 'string' ? value : JSON.stringify(value));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}`, close };
}

export const startSite = () =>
  start((_method, url) => (url === '/' ? { value: '<h1>Hello</h1>\n<p>World</p>' } : { status: 404, value: '' }));

/** Issues, two on a page, for those who have the token. */
export function startIssues(secret) {
  const issues = Array.from({ length: 5 }, (_, index) => ({
    number: index + 1,
    state: 'open',
    title: `Issue ${index + 1}`,
  }));
  return start((method, url, { body, token }) => {
    if (token !== `Bearer ${secret}`) return { status: 401, value: 'no' };
    const rest = url.replace('/repos/acme/shop/issues', '');
    if (method === 'POST') {
      const issue = { number: issues.length + 1, state: 'open', ...JSON.parse(body) };
      issues.push(issue);
      return { status: 201, value: issue };
    }
    const page = /^\?page=(\d+)$/.exec(rest)?.[1];
    if (page !== undefined) return { value: issues.slice((page - 1) * 2, page * 2) };
    const found = issues.find(({ number }) => `/${number}` === rest);
    return found === undefined ? { status: 404, value: 'no' } : { value: found };
  });
}

/** A calendar whose tokens are good for three requests, and whose refresh tokens for one token. */
export function startCalendar(first) {
  const days = { '2026-11-24': ['09:00 stand-up', '14:00 review'], '2026-11-25': ['10:00 dentist'] };
  let [refresh, access, left, turn] = [first, '', 0, 0];
  return start((_method, url, { body, token }) => {
    if (url === '/token') {
      if (new URLSearchParams(body).get('refresh_token') !== refresh) return { status: 400, value: 'no' };
      turn++;
      [refresh, access, left] = [`refresh-${turn}`, `access-${turn}`, 3];
      return { value: { access_token: access, refresh_token: refresh } };
    }
    if (token !== `Bearer ${access}` || left-- <= 0) return { status: 401, value: 'no' };
    if (url === '/days') return { value: Object.keys(days) };
    const found = days[url.replace('/days/', '')];
    return found === undefined ? { status: 404, value: 'no' } : { value: found };
  });
}
