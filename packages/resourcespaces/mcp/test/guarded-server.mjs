// A server over HTTP that wants a login, and the authorization server for it: `node guarded-server.mjs [KIND]`.
// Prints its address. `/move?to=URL&tokens=URL` makes it name another authorization server, or another place for
// tokens there; `/seen` lists what the place for tokens got as authorization. KIND: `short` for tokens that are good
// for one call, `once` for tokens that are never renewed, `issuing` for clients that get a secret.
import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';

const [kind = 'normal'] = process.argv.slice(2);
/** What is known of clients, codes and tokens. */
const clients = new Map();
const codes = new Map();
const access = new Set();
const refresh = new Set();
const counts = { registered: 0, renewed: 0 };
const named = {};
const seen = [];

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'guarded', version: '1.0.0' });
  server.registerTool('whoami', { description: 'Who is there.' }, () => ({
    content: [{ type: 'text', text: `registered ${counts.registered}, renewed ${counts.renewed}` }],
  }));
  return server;
});

async function respond(request, response) {
  const result = await answer(request);
  response.writeHead(result.status, Object.fromEntries(result.headers));
  response.end(Buffer.from(await result.arrayBuffer()));
}

const http = createServer((request, response) => void respond(request, response));
http.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${http.address().port}/mcp\n`));

async function answer(request) {
  const own = `http://127.0.0.1:${http.address().port}`;
  const address = new URL(request.url, own);
  const body = request.method === 'POST' ? await readText(request) : '';
  const form = () => new URLSearchParams(body);
  switch (address.pathname) {
    case '/.well-known/oauth-protected-resource':
    case '/.well-known/oauth-protected-resource/mcp':
      return Response.json({
        resource: `${own}/mcp`,
        authorization_servers: [named.to ?? own],
        scopes_supported: ['read'],
      });
    case '/.well-known/oauth-authorization-server':
      return Response.json({
        issuer: own,
        authorization_endpoint: `${own}/authorize`,
        token_endpoint: `${named.tokens ?? own}/token`,
        registration_endpoint: `${own}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
        authorization_response_iss_parameter_supported: true,
      });
    case '/register':
      return register(JSON.parse(body));
    case '/authorize':
      return authorize(address.searchParams, own);
    case '/move':
      Object.assign(named, Object.fromEntries(address.searchParams));
      return new Response('');
    case '/seen':
      return Response.json(seen);
    case '/token':
      seen.push(request.headers.authorization ?? '');
      return giveTokens(form(), request.headers.authorization);
    case '/mcp':
      return serve(request, body, own);
    default:
      return new Response('', { status: 404 });
  }
}

function register(metadata) {
  counts.registered++;
  const secret = kind.startsWith('issuing') ? { client_secret: randomUUID() } : {};
  const client = { ...metadata, client_id: randomUUID(), ...secret };
  clients.set(client.client_id, client);
  return Response.json(client, { status: 201 });
}

/** What happens when a person opens the address: they allow the access at once. */
function authorize(params, own) {
  const client = clients.get(params.get('client_id'));
  const isKnown = client?.redirect_uris.includes(params.get('redirect_uri')) ?? params.get('client_id') === 'known';
  if (!isKnown || params.get('code_challenge_method') !== 'S256') return new Response('', { status: 400 });
  const back = new URL(params.get('redirect_uri'));
  back.searchParams.set('state', params.get('state'));
  back.searchParams.set('iss', own);
  if (kind === 'refusing') {
    back.searchParams.set('error', 'access_denied');
    back.searchParams.set('error_description', 'the person said no');
  } else {
    const code = randomUUID();
    codes.set(code, { challenge: params.get('code_challenge'), redirect: params.get('redirect_uri') });
    back.searchParams.set('code', code);
  }
  return new Response('', { status: 302, headers: { location: back.href } });
}

function giveTokens(form, authorization = '') {
  if (form.get('grant_type') === 'refresh_token') {
    if (!refresh.delete(form.get('refresh_token'))) return refuse();
    counts.renewed++;
    return makeTokens();
  }
  const code = codes.get(form.get('code'));
  codes.delete(form.get('code'));
  const challenge = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isProven = code?.challenge === challenge && code.redirect === form.get('redirect_uri');
  if (kind.startsWith('secret') && authorization !== `Basic ${btoa('known:hush')}`) return refuse();
  return isProven ? makeTokens() : refuse();
}

function refuse() {
  return Response.json({ error: 'invalid_grant' }, { status: 400 });
}

function makeTokens() {
  const [token, renewal] = [randomUUID(), randomUUID()];
  access.add(token);
  if (kind !== 'once') refresh.add(renewal);
  return Response.json({ access_token: token, token_type: 'Bearer', expires_in: 3600, refresh_token: renewal });
}

async function serve(request, body, own) {
  const token = request.headers.authorization?.replace(/^Bearer /, '');
  if (!access.has(token)) {
    const challenge = `Bearer resource_metadata="${own}/.well-known/oauth-protected-resource/mcp"`;
    return new Response('', { status: 401, headers: { 'www-authenticate': challenge } });
  }
  const isCall = body.includes('"tools/call"');
  if (isCall && (kind.endsWith('short') || kind === 'once')) access.delete(token);
  const { method, headers } = request;
  return handler.fetch(new Request(`${own}/mcp`, { method, headers, ...(body !== '' && { body }) }));
}
