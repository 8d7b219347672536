import fc from 'fast-check';
import { z } from 'zod';
import { serveAgents } from './serve-agents.ts';

type Schema = Readonly<Record<string, unknown>>;
type Parameter = { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Schema };

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Schema } } };
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What the requests were about, for what a test expects. */
export interface FuzzReport {
  /** How often each status came, by operation. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly failures: readonly string[];
  readonly unexpected: readonly unknown[];
}

/**
 * Sends requests made of the server's own description: some as it says, some with parts that are wrong. Looks for responses
 * that are errors of the server, that the description does not have, or that hold anything of another token.
 */
export async function sendFuzzedRequests(count: number, seed: number): Promise<FuzzReport> {
  const secret = 'ALICE-5f1d2c';
  const served = await serveAgents({
    script: (messages) => (messages.at(-1)!.text.includes(secret) ? `${secret} indeed` : '<add:1>'),
    requestsPerMinute: 1e9,
    // Names by chance would hardly ever be right.
    listSpaces: async () => undefined,
    most: 4,
  });
  const failures: string[] = [];
  const statuses = new Map<string, Map<number, number>>();
  try {
    const alice = await served.addToken('alice');
    const mallory = await served.addToken('mallory');
    const hers = (await alice.client.createSession()).id;
    await alice.client.ask(hers, `${secret}?`);
    const own = (await mallory.client.createSession()).id;
    const document = (await (await fetch(`${served.server.url}/openapi.json`)).json()) as Document;
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
    const checks = new Map<string, z.ZodType>();
    const ids = fc.oneof(fc.constant(own), fc.constant(hers), fc.uuid(), makeText());
    const requests = fc.oneof(
      ...operations.map(({ path, method, operation }) =>
        makeRequest(document, operation, ids).map((request) => ({ path, method, operation, ...request })),
      ),
    );
    const isDescribed = (operation: Operation, status: number, text: string): boolean => {
      const content = operation.responses[status]?.content;
      const schema = content?.['application/json']?.schema;
      if (content === undefined || schema === undefined) return content !== undefined;
      const key = `${operation.operationId} ${status}`;
      const whole = { ...schema, $defs: document.components.schemas };
      const check =
        checks.get(key) ??
        z.fromJSONSchema(JSON.parse(JSON.stringify(whole).replaceAll('#/components/schemas/', '#/$defs/')));
      checks.set(key, check);
      return check.safeParse(JSON.parse(text)).success;
    };
    for (const request of sampleInParts(requests, count, seed)) {
      const { operation, method, path, parameters, headers, body } = request;
      const stop = new AbortController();
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(parameters['path']![name] ?? ''),
      );
      const query = new URLSearchParams({
        ...parameters['query'],
        ...(path.endsWith('/events') && { follow: 'false' }),
      });
      const response = await fetch(`${served.server.url}${filled}?${String(query)}`, {
        method: method.toUpperCase(),
        headers: { authorization: `Bearer ${mallory.text}`, ...toHeaders({ ...parameters['header'], ...headers }) },
        ...(method === 'post' && body !== undefined && { body }),
        signal: stop.signal,
        redirect: 'manual',
      }).catch((error: unknown) => {
        const request = `${method} ${filled} ${JSON.stringify(headers)} ${body?.slice(0, 300)}`;
        throw new Error(`no response to ${request}`, { cause: error });
      });
      const text = await response.text();
      const counts = statuses.get(operation.operationId) ?? new Map<number, number>();
      statuses.set(operation.operationId, counts.set(response.status, (counts.get(response.status) ?? 0) + 1));
      const about = `${method} ${filled}?${String(query)} ${body?.slice(0, 300)} -> ${response.status} ${text.slice(0, 300)}`;
      if (response.status >= 500) failures.push(`an error of the server: ${about}`);
      else if (text.includes(secret)) failures.push(`something of another session: ${about}`);
      else if (![404, 405].includes(response.status) && !isDescribed(operation, response.status, text))
        failures.push(`not described: ${about}`);
    }
  } finally {
    await served.close();
  }
  return { statuses, failures, unexpected: served.unexpected };
}

/** Requests made at once: making them takes so long that idle connections would end meanwhile. */
const PART = 200;

function* sampleInParts<T>(requests: fc.Arbitrary<T>, count: number, seed: number): Generator<T, void> {
  for (let made = 0; made < count; made += PART)
    yield* fc.sample(requests, { numRuns: Math.min(PART, count - made), seed: seed + made });
}

interface FuzzedRequest {
  readonly parameters: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

function makeRequest(
  document: Document,
  { parameters, requestBody }: Operation,
  ids: fc.Arbitrary<string>,
): fc.Arbitrary<FuzzedRequest> {
  const places = Object.fromEntries(
    ['path', 'query', 'header'].map((place) => {
      const values = parameters
        .filter((one) => one.in === place)
        .map(
          ({ name, schema }) =>
            [name, place === 'path' ? ids : fc.oneof(makeValue(schema, document).map(String), makeText())] as const,
        );
      return [place, fc.record(Object.fromEntries(values), place === 'path' ? {} : { requiredKeys: [] })];
    }),
  );
  const schema = requestBody?.content['application/json'].schema;
  const right = schema === undefined ? fc.constant({}) : makeValue(schema, document);
  const body = fc.oneof(
    { weight: 6, arbitrary: right.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: right.chain(spoilValue).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: makeText() },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
  const type = fc.constantFrom('application/json', 'application/json; charset=utf-8', 'text/plain', '');
  const headers = type.map((value) => ({ 'content-type': value }));
  return fc.record({ parameters: fc.record(places) as fc.Arbitrary<FuzzedRequest['parameters']>, headers, body });
}

/** Values that a schema of the description allows. */
function makeValue(schema: Schema, document: Document): fc.Arbitrary<unknown> {
  const reference = schema['$ref'];
  if (typeof reference === 'string')
    return makeValue(document.components.schemas[reference.split('/').at(-1)!]!, document);
  const options = (schema['anyOf'] ?? schema['oneOf']) as readonly Schema[] | undefined;
  if (options !== undefined) return fc.oneof(...options.map((one) => makeValue(one, document)));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]));
  const read = (name: string, otherwise: number): number =>
    typeof schema[name] === 'number' ? schema[name] : otherwise;
  switch (schema['type']) {
    case 'object': {
      const fields = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
      const values = Object.fromEntries(fields.map(([name, field]) => [name, makeValue(field, document)]));
      return fc.record(values, { requiredKeys: (schema['required'] ?? []) as string[] });
    }
    case 'array':
      return fc.array(makeValue((schema['items'] ?? {}) as Schema, document), {
        minLength: read('minItems', 0),
        maxLength: 4,
      });
    case 'string':
      if (schema['format'] === 'uuid') return fc.uuid();
      if (typeof schema['pattern'] === 'string') return fc.stringMatching(new RegExp(schema['pattern']));
      return fc.string({
        minLength: read('minLength', 0),
        maxLength: Math.min(40, read('maxLength', 40)),
        unit: 'grapheme',
      });
    case 'integer':
      return fc.integer({ min: Math.max(-1e9, read('minimum', -1e9)), max: Math.min(1e9, read('maximum', 1e9)) });
    case 'number':
      return fc.double({ min: 0.1, max: 1e6, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue();
  }
}

/** A value with something in it that does not belong there. */
function spoilValue(value: unknown): fc.Arbitrary<unknown> {
  const odd = fc.oneof(
    fc.constantFrom<unknown>(
      null,
      -1,
      1e308,
      '',
      '__proto__',
      '../../etc/passwd',
      '\u0000',
      '\uD800',
      [],
      {},
      'x'.repeat(5000),
    ),
    fc.jsonValue(),
  );
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return odd;
  const names = [...Object.keys(value), 'constructor', '__proto__', 'owner', 'id'];
  return fc.tuple(fc.constantFrom(...names), odd).map(([name, spoiled]) => ({ ...value, [name]: spoiled }));
}

function makeText(): fc.Arbitrary<string> {
  return fc
    .oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '..',
        '../..',
        '%00',
        '%2e%2e',
        '/etc/passwd',
        "' OR 1=1 --",
        '\u0000',
        '😀'.repeat(50),
        '-1',
        '1e99',
      ),
    )
    .filter((text) => text.isWellFormed());
}

/** Headers hold only some characters: `fetch` itself refuses the others. */
function toHeaders(values: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    value.replaceAll(/[^\t\x20-\x7e]/g, '?').trim(),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}
