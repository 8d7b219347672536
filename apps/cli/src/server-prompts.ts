import { asModelText, type Agent, type SpaceTree } from '@bae/core';

/** A prompt of a server of the Model Context Protocol, which can be asked by its name: `/linear:triage bug`. */
export interface ServerPrompt {
  readonly name: string;
  readonly about: string;
  /** What may follow the name, in order. */
  readonly fields: readonly string[];
}

/** The prompts of the servers that are places of a tree; those of servers that have not been entered are not known. */
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

/** Gets the text of a prompt from its server. Each word is one field; the last field takes what is left. */
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
  // Nothing in a word may pass for a tag.
  const json = JSON.stringify(call).replaceAll('<', String.raw`\u003c`);
  const { calls } = await agent.run(asModelText(`<tool_call>${json}</tool_call>`), { signal });
  const result = calls[0]?.result;
  if (result?.ok === true) return result.text;
  throw new Error(result?.text ?? `the server did not answer for /${name}.`);
}
