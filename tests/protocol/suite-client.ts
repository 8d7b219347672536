// The client that the conformance suite of the protocol drives: `node suite-client.ts URL`, with the name of a scenario in
// MCP_CONFORMANCE_SCENARIO. It mounts the server at the address as a place, logs in where that is asked for, and calls
// every tool by a tag of a response, as a model would.
import { asModelText, createAgent } from '@bae/core';
import { learnTools, logIn, mcpServer, type KnownServer, type Login, type ServerSettings } from '@bae/mcp';

const url = process.argv.at(-1)!;
const scenario = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as {
  readonly client_id?: string;
  readonly client_secret?: string;
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
};
const described = scenario === 'auth/basic-cimd' ? 'https://conformance-test.local/client-metadata.json' : undefined;
const clientId = context.client_id ?? described;
const oauth = clientId === undefined ? undefined : { clientId, clientSecret: context.client_secret };
const settings = { url, headers: {}, ...(oauth && { oauth }) } as ServerSettings;

let login: Login | undefined;
const store = { read: () => login, write: (next: Login) => void (login = next) };
let known: KnownServer | undefined;
const memory = { read: () => known, write: (next: KnownServer) => void (known = next) };
const place = { folder: process.cwd(), env: {}, login: () => store };
const options = { name: 'box', settings, place, memory, trusted: true };
const signal = AbortSignal.timeout(200_000);

/** What a person does with the address: a browser follows it, and comes back with the consent. */
const show = (address: URL): void => {
  fetch(address, { redirect: 'manual' })
    .then(({ headers }) => fetch(headers.get('location')!))
    .catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
};
const person = { show, pasted: () => new Promise<never>(() => undefined), confirm: async () => true };
const logInAgain = () => logIn({ name: 'box', settings, env: {}, store, signal, ...person });

if (/bae mcp login|who is there/.test((await learnTools({ ...options, signal })) ?? '')) {
  await logInAgain();
  await learnTools({ ...options, signal });
}
const agent = createAgent({
  spaces: [mcpServer(options)],
  approver: { approve: async () => ({ allow: true }) },
  // The person accepts a form as it is: with its defaults.
  askPerson: async ({ fields }) =>
    Object.fromEntries(
      Object.entries(fields).flatMap(([name, field]) => (field.default === undefined ? [] : [[name, field.default]])),
    ),
});
try {
  process.stdout.write(await agent.describe(['box']));
  const tools = known?.tools ?? [];
  const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema;
  const calls =
    context.toolCalls ??
    tools.map(({ name, inputSchema }) => ({
      name,
      arguments: name === 'json_schema_echo' ? { schema } : makeArguments(inputSchema),
    }));
  for (const { name, arguments: args } of calls) {
    // What has no value is left out: the binder takes null only where a schema does.
    const given = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
    const tag = `<tool_call>${JSON.stringify({ name: `box.${name}`, arguments: given })}</tool_call>`;
    let { feedback } = await agent.run(asModelText(tag), { signal });
    process.stdout.write(`${tag}\n${feedback}\n`);
    // As long as the server wants more of the person than was allowed, and the person goes along.
    for (let count = 0; count < 3 && feedback.includes('bae mcp login box'); count++) {
      await logInAgain();
      ({ feedback } = await agent.run(asModelText(tag), { signal }));
      process.stdout.write(`${tag}\n${feedback}\n`);
    }
  }
} finally {
  await agent.close();
}

/** Arguments that fit a schema of plain fields. */
function makeArguments({
  properties = {},
  required = [],
}: {
  readonly properties?: object | undefined;
  readonly required?: readonly string[] | undefined;
}) {
  const values: Readonly<Record<string, unknown>> = {
    string: 'text',
    number: 2,
    integer: 3,
    boolean: true,
    array: [],
    object: {},
  };
  return Object.fromEntries(
    Object.entries(properties as Readonly<Record<string, { readonly type?: string }>>)
      .filter(([name]) => required.includes(name))
      .map(([name, { type = 'string' }]) => [name, values[type]]),
  );
}
