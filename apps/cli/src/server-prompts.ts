import { asModelText, type Agent, type SpaceTree } from '@bae/core';

/** Prompt of a server of the Model Context Protocol, which is requested by name: `/linear:triage bug`. */
export interface ServerPrompt {
  readonly name: string;
  readonly about: string;
  /** Names of its arguments, in order. */
  readonly fields: readonly string[];
}

/** Lists the prompts of the servers in a tree; those of servers that have not been entered are unknown. */
export function listServerPrompts(tree: SpaceTree): readonly ServerPrompt[] {
  return tree.below([]).flatMap(({ name: server }) => {
    const space = tree.at([server, 'prompts']);
    if (space?.description !== `Prompts of the server ${server}.`) return [];
    return Object.values(space.tools).map(({ name, description, spec }) => ({
      name: `${server}:${name}`,
      about: description,
      fields: spec.params.map((param) => param.name),
    }));
  });
}

/** Fetches the text of a prompt from its server. Each word is one field; the last field takes the rest. */
export async function fetchServerPrompt(
  { name, fields }: ServerPrompt,
  words: readonly string[],
  { agent, signal }: { readonly agent: Agent; readonly signal: AbortSignal },
): Promise<string> {
  const last = fields.length - 1;
  const values = fields.map((field, at) => [field, at < last ? words[at] : words.slice(at).join(' ')] as const);
  const call = {
    name: name.replace(':', '.prompts.'),
    arguments: Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== '')),
  };
  // Nothing in a word may be interpreted as a tag.
  const json = JSON.stringify(call).replaceAll('<', String.raw`\u003c`);
  const { calls } = await agent.run(asModelText(`<tool_call>${json}</tool_call>`), { signal });
  const result = calls[0]?.result;
  if (result?.ok === true) return result.text;
  throw new Error(result?.text ?? `the server did not answer for /${name}.`);
}
