import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { z } from 'zod';

type Definition = Readonly<Record<string, unknown>>;
type JsonMessage = Readonly<Record<string, unknown>>;

const sdk = join(dirname(createRequire(import.meta.url).resolve('@agentclientprotocol/sdk')), '../../..');
// Kinds that a future version may add are excluded by `not`, which zod cannot read; without them, known ones are checked.
const withoutOthers = (_: string, value: unknown): unknown =>
  Array.isArray(value) ? value.filter((one: unknown) => !Object.hasOwn(Object(one) as object, 'not')) : value;
const { $defs } = JSON.parse(readFileSync(join(sdk, 'schema/v1/schema.json'), 'utf8'), withoutOthers) as {
  readonly $defs: Readonly<Record<string, Definition>>;
};

const schemas = new Map<string, z.ZodType>();

/** The published schema of the parameters, or of the result, of a method. */
function findSchema(method: string, ending: 'Request' | 'Notification' | 'Response'): z.ZodType {
  const [name] = Object.entries($defs).find(([one, definition]) => {
    return definition['x-method'] === method && one.endsWith(ending);
  }) ?? [undefined];
  if (name === undefined) throw new Error(`the schema has no ${ending} ${method}`);
  const known = schemas.get(name);
  if (known !== undefined) return known;
  const schema = z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs });
  schemas.set(name, schema);
  return schema;
}

/** What is wrong with the messages of an agent; `asked` are the methods that the client has asked for, by id. */
export function checkMessages(
  messages: readonly JsonMessage[],
  asked: ReadonlyMap<unknown, string>,
): readonly string[] {
  return messages.flatMap((message) => {
    const { method, id, params, result, error } = message;
    if (message['jsonrpc'] !== '2.0') return [`no jsonrpc: ${JSON.stringify(message)}`];
    if (error !== undefined) return [];
    const name = typeof method === 'string' ? method : asked.get(id);
    if (name === undefined) return [`an answer to nothing: ${JSON.stringify(message)}`];
    if (name.startsWith('$/')) return [];
    const ending = typeof method !== 'string' ? 'Response' : id === undefined ? 'Notification' : 'Request';
    const parsed = findSchema(name, ending).safeParse(typeof method === 'string' ? params : result);
    return parsed.success ? [] : [`${name} ${ending}: ${z.prettifyError(parsed.error)}\n${JSON.stringify(message)}`];
  });
}
