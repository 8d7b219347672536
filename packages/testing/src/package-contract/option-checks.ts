import { createAgent, type Agent, type SpacePath } from '@bae/core';
import { z } from 'zod';
import type { CheckedOption, CheckedPackage, PackageCheckSpec } from './checked-package.ts';
import { collectHookTexts } from './hook-checks.ts';

/** Names of options that are secrets in all likelihood. */
const SECRET_NAME = /(?:^|[a-z])(?:[Tt]oken|[Ss]ecret|[Pp]assword|[Pp]assphrase|[Cc]redentials?)$|[Aa]pi_?[Kk]ey$/;
/** A secret that occurs nowhere else. */
const SECRET = 'bae-secret-e5e9fa1ba31ecd1a';
const LONGEST_DESCRIPTION = 120;

/** Checks of the options of a package. */
export const OPTION_CHECKS: readonly PackageCheckSpec[] = [
  { name: 'has options that a configuration can hold', has: listDeclaredOptions, look: checkOptionSchema },
  { name: 'describes every option', has: listNamedOptions, look: checkDescriptions },
  { name: 'works without options, or has an example that does', has: listDeclaredOptions, look: checkExamples },
  { name: 'has defaults that its options accept', has: listDefaults, look: checkDefaults },
  { name: 'marks the options that are secrets', has: listNamedOptions, look: checkSecretOptions },
  { name: 'shows no secret option in its places, their help and its hooks', has: listSecretOptions, look: checkShown },
];

function listDeclaredOptions({ hasOptions }: CheckedPackage): readonly unknown[] {
  return hasOptions ? [hasOptions] : [];
}

function listNamedOptions(checked: CheckedPackage): readonly CheckedOption[] {
  return checked.listOptions();
}

function listDefaults(checked: CheckedPackage): readonly CheckedOption[] {
  return checked.listOptions().filter(({ json }) => 'default' in json);
}

function listSecretOptions(checked: CheckedPackage): readonly CheckedOption[] {
  return checked.listOptions().filter(isSecretOption);
}

function isSecretOption({ json }: CheckedOption): boolean {
  return json['secret'] === true;
}

async function* checkOptionSchema(checked: CheckedPackage): AsyncGenerator<string> {
  if (checked.schema === undefined) {
    yield 'options: expected a schema of zod: z.strictObject({ … }).';
    return;
  }
  try {
    const { type } = checked.toJson();
    if (type !== 'object') {
      yield `options: expected an object; got ${JSON.stringify(type)}. Write z.strictObject({ … }).`;
      return;
    }
  } catch (error) {
    yield `options: JSON cannot express them: ${(error as Error).message}. Use texts, numbers, lists and objects.`;
    return;
  }
  const [example = {}] = checked.examples;
  if (checked.schema.safeParse({ ...(example as object), noSuchOption: true }).success)
    yield 'options: one that does not exist is accepted, so a misspelt one is not noticed. Write z.strictObject({ … }).';
}

async function* checkDescriptions(checked: CheckedPackage): AsyncGenerator<string> {
  for (const { name, json } of checked.listOptions()) {
    const { description } = json;
    if (typeof description !== 'string' || description.trim() === '')
      yield `options.${name} is not described. Say what it is for: .describe('name of the shop').`;
    else if (description.includes('\n') || description.length > LONGEST_DESCRIPTION)
      yield `options.${name}: describe it in one line of at most ${LONGEST_DESCRIPTION} characters.`;
    else if (description.trim().toLowerCase() === name.toLowerCase())
      yield `options.${name}: its description only repeats its name. Say what it is for.`;
  }
}

async function* checkExamples(checked: CheckedPackage): AsyncGenerator<string> {
  const { schema, examples } = checked;
  if (schema === undefined) return;
  const works = schema.safeParse({}).success || schema.safeParse(examples[0]).success;
  if (!works && examples.length === 0)
    yield 'options: without any the package does not work, and there is no example. Add .meta({ examples: [{ … }] }).';
  for (const [index, example] of examples.entries()) {
    const { error } = schema.safeParse(example);
    const [issue] = error?.issues ?? [];
    if (issue !== undefined)
      yield `options: its example ${index + 1} is refused: ${[...issue.path, issue.message].join(': ')}.`;
  }
  if (!works) return;
  try {
    checked.spaces(checked.fill());
    checked.hooks();
  } catch (error) {
    yield `its spaces and hooks cannot be made with options that it accepts: ${(error as Error).message}.`;
  }
}

async function* checkDefaults(checked: CheckedPackage): AsyncGenerator<string> {
  for (const { name, json, type } of listDefaults(checked)) {
    // A default is not checked by the schema that has it.
    const inner = (type as { def?: { innerType?: z.ZodType } } | undefined)?.def?.innerType ?? z.fromJSONSchema(json);
    const { error } = inner.safeParse(json['default']);
    const value = JSON.stringify(json['default']);
    if (error !== undefined) yield `options.${name}: its default ${value} is refused: ${error.issues[0]!.message}.`;
  }
}

async function* checkSecretOptions(checked: CheckedPackage): AsyncGenerator<string> {
  for (const option of checked.listOptions()) {
    const { name, json } = option;
    if (!isSecretOption(option)) {
      if (SECRET_NAME.test(name) && json['type'] === 'string')
        yield `options.${name} seems to be a secret. Mark it: .meta({ secret: true }), and bae keeps it out of all texts.`;
      continue;
    }
    if (json['type'] !== 'string') yield `options.${name}: a secret is a text, because a variable or file has it.`;
    if ('default' in json) yield `options.${name}: a secret has no default. Make it optional, or require it.`;
  }
}

async function* checkShown(checked: CheckedPackage): AsyncGenerator<string> {
  const secrets = listSecretOptions(checked).map(({ name }) => [name, `${SECRET}-${name}`] as const);
  const options = checked.fill(Object.fromEntries(secrets));
  const { spaces, provide } = checked.spaces(options);
  const agent = createAgent({ spaces, provide });
  const hooks = checked.hooks(options);
  try {
    const texts = [...(await collectPlaceTexts(agent)), ...(await collectHookTexts(hooks, checked.calls))];
    for (const [name, secret] of secrets)
      for (const where of new Set(texts.flatMap(([place, text]) => (text.includes(secret) ? [place] : []))))
        yield `${where} shows options.${name}, which is a secret. Leave it out.`;
  } finally {
    await agent.close();
  }
}

/** Collects the texts of all places, of the helps of their tools, and the hooks' own names. */
async function collectPlaceTexts(agent: Agent): Promise<readonly (readonly [where: string, text: string])[]> {
  const texts: (readonly [string, string])[] = [];
  const visit = async (path: SpacePath): Promise<void> => {
    const space = agent.tree.at(path)!;
    const place = path.join('.');
    texts.push([`${place}()`, await agent.describe(path)]);
    for (const { description, spec } of Object.values(space.tools))
      texts.push([`the help of ${place}.${spec.name}`, JSON.stringify([description, spec])]);
    for (const { name } of agent.tree.below(path)) await visit([...path, name]);
  };
  for (const { name } of agent.tree.below([])) await visit([name]);
  return texts;
}
