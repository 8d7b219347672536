import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** A message of the Agent Client Protocol. */
export interface AcpMessage {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

interface AcpSchema {
  readonly $defs: Readonly<Record<string, { readonly 'x-method'?: string }>>;
}

const sdk = join(dirname(createRequire(import.meta.url).resolve('@agentclientprotocol/sdk')), '../../..');
const schema = JSON.parse(readFileSync(join(sdk, 'schema/v1/schema.json'), 'utf8')) as AcpSchema;
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(schema, 'acp');

/** What is wrong with the messages of a connection, by the published schema of the protocol. */
export function checkAcpMessages(
  sides: Readonly<Record<'client' | 'agent', readonly AcpMessage[]>>,
): readonly string[] {
  return [...checkSide(sides.agent, sides.client), ...checkSide(sides.client, sides.agent)];
}

function checkSide(messages: readonly AcpMessage[], others: readonly AcpMessage[]): readonly string[] {
  const asked = new Map(others.flatMap(({ id, method }) => (method === undefined ? [] : [[id, method] as const])));
  return messages.flatMap((message) => {
    const { jsonrpc, id, method, params, result, error } = message;
    const shown = JSON.stringify(message);
    if (jsonrpc !== '2.0') return [`no jsonrpc: ${shown}`];
    const name = method ?? asked.get(id);
    if (name === undefined) return [`an answer to nothing: ${shown}`];
    if (error !== undefined) return checkAgainst('Error', error, shown);
    const ending = method === undefined ? 'Response' : id === undefined ? 'Notification' : 'Request';
    const definition = Object.keys(schema.$defs).find(
      (one) => schema.$defs[one]!['x-method'] === name && one.endsWith(ending),
    );
    if (definition === undefined) return [`the schema has no ${ending} ${name}: ${shown}`];
    return checkAgainst(definition, method === undefined ? result : params, shown);
  });
}

function checkAgainst(definition: string, value: unknown, shown: string): readonly string[] {
  const validate = ajv.getSchema(`acp#/$defs/${definition}`)!;
  return validate(value) === true ? [] : [`${definition}: ${ajv.errorsText(validate.errors)}\n${shown}`];
}
