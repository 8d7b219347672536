import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { VERBS } from '../protocol/verbs.ts';
import { makeExampleTag, makeExampleValue } from './example-tag.ts';
import { getFirstDocLine, stripControlCharacters } from './plain-text.ts';
import { renderSignature, type SignatureOptions } from './signature.ts';

/** Signatures by tool name; a signature without a name is named by its key. */
export type ToolSpecs = Readonly<Record<string, Omit<ToolSpec, 'name'> & { readonly name?: string }>>;

const VERB_ORDER: ReadonlyMap<string, number> = new Map(VERBS.map((verb, index) => [verb, index]));

/** Tools whose example best shows how a space is used, in order of preference: reading before changing. */
const EXAMPLE_ORDER = ['grep', 'read', 'glob', 'write', 'edit'];

/** Sorts tool names in the order of every list: read, write, edit, glob, grep, then alphabetically. */
export function sortToolNames(names: Iterable<string>): string[] {
  return Array.from(names).toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

function rankOf(name: string): number {
  return VERB_ORDER.get(name) ?? VERBS.length;
}

const LONGEST_DOC = 60;

/** Renders all tools of a space in their fixed order, one line each: `signature  -- doc`. */
export function renderToolSpecs(specs: ToolSpecs, options: SignatureOptions): string {
  return sortToolNames(Object.keys(specs))
    .map((name) => renderToolLine(nameSpec(name, specs[name]!), options))
    .join('\n');
}

/** Returns a spec with its name: the same object if it already has the name, because signatures are cached by spec. */
function nameSpec(name: string, spec: ToolSpecs[string]): ToolSpec {
  return spec.name === name ? (spec as ToolSpec) : { name, ...spec };
}

function renderToolLine(spec: ToolSpec, options: SignatureOptions): string {
  const doc = getFirstDocLine(spec.doc);
  const shown = options.style === 'tag' && doc.length > LONGEST_DOC ? truncateAtWord(doc) : doc;
  const signature = renderSignature(spec, options);
  return shown === '' ? signature : `${signature}  -- ${shown}`;
}

/** Returns the first whole words of a text, followed by a mark. */
function truncateAtWord(text: string): string {
  const start = text.slice(0, LONGEST_DOC - 1);
  return `${(/^(.{30,})[\s,;:.]+\S*$/s.exec(start)?.[1] ?? start).trimEnd()}…`;
}

/**
 * Renders the line below a tool table, `Example: <Grep:TODO path=src>`; empty for a space without tools.
 *
 * @param makeExample creates the example. Default: from the signature alone
 */
export function renderExampleLine(specs: ToolSpecs, makeExample = makeExampleTag): string {
  const name = EXAMPLE_ORDER.find((verb) => Object.hasOwn(specs, verb)) ?? sortToolNames(Object.keys(specs))[0];
  if (name === undefined) return '';
  const spec = nameSpec(name, specs[name]!);
  const keyword = findKeywordToShow(spec);
  return `Example: ${makeExample(spec, keyword && { [keyword.name]: makeExampleValue(keyword, name) })}`;
}

/** Finds one keyword that the call does not need, to show how keywords are written; none with an empty example. */
function findKeywordToShow({ name, params }: ToolSpec): ParamSpec | undefined {
  const [, ...others] = params.filter((param) => param.body !== true);
  return others.find((param) => {
    const isSearchedPath = name === 'grep' && param.name === 'path' && param.type === 'string';
    return param.example !== '' && (param.example !== undefined || isSearchedPath);
  });
}

/**
 * Renders help on one tool: its signature in both styles, its description, its parameters, an example.
 *
 * @param types the full types of parameters that take JSON
 */
export function renderToolHelp(
  spec: ToolSpec,
  example = makeExampleTag(spec),
  types: ReadonlyMap<string, string> = new Map(),
): string {
  const doc = (spec.doc ?? '').trim();
  const described = spec.params.filter((param) => param.doc !== undefined || types.has(param.name));
  return [
    renderSignature(spec, { style: 'call' }),
    renderSignature(spec, { style: 'tag' }),
    ...(doc === '' ? [] : doc.split('\n').map((line) => stripControlCharacters(line).trim())),
    ...described.map(({ name, doc: about }) => {
      const parts = [types.get(name), about].filter((part) => part !== undefined && part !== '');
      return `- ${stripControlCharacters(`${name}: ${parts.join(' -- ')}`).trim()}`;
    }),
    `Example: ${example}`,
  ].join('\n');
}
