import { z } from 'zod';
import { PROBLEM } from './schemas.ts';
import type { Route } from './route.ts';

type Json = Readonly<Record<string, unknown>>;

const PROBLEM_STATUS: Readonly<Record<string, string>> = {
  400: 'The request does not match this document.',
  401: 'The token is missing or not valid.',
  403: 'The token does not allow this.',
  404: 'It does not exist, or belongs to another token.',
  409: 'It was already done, or does not apply to the current state.',
  413: 'The body is too long.',
  415: 'The body is not JSON.',
  421: 'The Host header names another server.',
  429: 'Too many requests or open streams; Retry-After has the seconds to wait.',
  503: 'The server cannot do this now; Retry-After has the seconds to wait.',
};

/** Describes the interface as an OpenAPI 3.1 document, using the schemas that validate the requests. */
export function describeInterface(routes: readonly Route[], version: string): Json {
  const schemas: Record<string, unknown> = {};
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) (paths[route.path] ??= {})[route.method] = describeRoute(route, schemas);
  return {
    openapi: '3.1.1',
    info: { title: 'bae', version, description: 'Agents of bae: sessions, prompts, their events, and consent.' },
    security: [{ token: [] }],
    paths,
    components: {
      schemas,
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'bae serve token create NAME' } },
    },
  };
}

function describeRoute(route: Route, schemas: Record<string, unknown>): Json {
  const { operation, summary, params, query, headers, body, status, mediaType, result } = route;
  const problem = { 'application/json': { schema: toSchema(PROBLEM, 'output', schemas) } };
  const headerSchemas = Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }));
  return {
    operationId: operation,
    summary,
    parameters: [...describeFields(params, 'path'), ...describeFields(query, 'query'), ...headerSchemas],
    ...(body && {
      requestBody: { required: true, content: { 'application/json': { schema: toSchema(body, 'input', schemas) } } },
    }),
    responses: {
      [status]: { description: summary, content: { [mediaType]: { schema: toSchema(result, 'output', schemas) } } },
      ...Object.fromEntries(
        Object.entries(PROBLEM_STATUS).map(([code, description]) => [code, { description, content: problem }]),
      ),
    },
  };
}

function describeFields(shape: z.ZodObject, place: 'path' | 'query'): readonly Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(shape, { io: 'input' });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }));
}

/** Converts a schema, and moves schemas with names to the components. */
function toSchema(schema: z.ZodType, io: 'input' | 'output', schemas: Record<string, unknown>): Json {
  const { $schema: _, $defs = {}, ...own } = moveReferences(z.toJSONSchema(schema, { io })) as Json & { $defs?: Json };
  for (const [name, value] of Object.entries($defs)) schemas[name] ??= removeId(value as Json);
  const id = own['id'];
  if (typeof id !== 'string') return own;
  schemas[id] ??= removeId(own);
  return { $ref: `#/components/schemas/${id}` };
}

function removeId(named: Json): Json {
  const { id: _, ...schema } = named;
  return schema;
}

function moveReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moveReferences);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
        : [key, moveReferences(inner)],
    ),
  );
}
