import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { VERBS } from '../protocol/verbs.ts';
import { makeExampleTag, makeExampleValue } from './example-tag.ts';
import { getFirstDocLine, stripControlCharacters } from './plain-text.ts';
import { renderSignature, type SignatureOptions } from './signature.ts';

/** Signatures by tool name; one without a name of its own is named by its key. */
export type ToolSpecs = Readonly<Record<string, Omit<ToolSpec, 'name'> & { readonly name?: string }>>;

const VERB_ORDER: ReadonlyMap<string, number> = new Map(VERBS.map((verb, index) => [verb, index]));

/** The tool whose example shows best how a space is used, in order of preference: looking before changing. */
const EXAMPLE_ORDER = ['grep', 'read', 'glob', 'write', 'edit'];

/** Tool names in the order of every list: read, write, edit, glob, grep, then alphabetically. */
export function sortToolNames(names: Iterable<string>): string[] {
  return Array.from(names).toSorted((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
}

function rankOf(name: string): number {
  return VERB_ORDER.get(name) ?? VERBS.length;
}

/**
 * All tools of a space, in their fixed order.
 *
 * In tag style a Markdown table; in call style one line per tool: `signature  -- doc`.
 */
export function renderToolSpecs(specs: ToolSpecs, options: SignatureOptions): string {
  const tools = sortToolNames(Object.keys(specs)).map((name): ToolSpec => ({ name, ...specs[name]! }));
  return options.style === 'tag' ? tagTable(tools) : callTable(tools, options);
}

function tagTable(tools: readonly ToolSpec[]): string {
  const rows = tools.map((spec) => {
    const cells = [spec.name, renderSignature(spec, { style: 'tag' }), getFirstDocLine(spec.doc)];
    return `| ${cells.map(escapeCell).join(' | ')} |`;
  });
  return ['| Tool | Signature | Description |', '|------|-----------|-------------|', ...rows].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

function callTable(tools: readonly ToolSpec[], options: SignatureOptions): string {
  const lines = tools.map((spec) => {
    const doc = getFirstDocLine(spec.doc);
    const call = renderSignature(spec, options);
    return doc === '' ? call : `${call}  -- ${doc}`;
  });
  return lines.join('\n');
}

/** The line below a tool table, `Example: <Grep:TODO path=src>`; empty for a space without tools. */
export function renderExampleLine(specs: ToolSpecs): string {
  const name = EXAMPLE_ORDER.find((verb) => Object.hasOwn(specs, verb)) ?? sortToolNames(Object.keys(specs))[0];
  if (name === undefined) return '';
  const spec: ToolSpec = { name, ...specs[name]! };
  const keyword = findKeywordToShow(spec);
  return `Example: ${makeExampleTag(spec, keyword && { [keyword.name]: makeExampleValue(keyword, name) })}`;
}

/** One keyword more than the call needs, to show how keywords are written; none whose example is empty. */
function findKeywordToShow({ name, params }: ToolSpec): ParamSpec | undefined {
  const [, ...others] = params.filter((param) => param.body !== true);
  return others.find((param) => {
    const isSearchedPath = name === 'grep' && param.name === 'path' && param.type === 'string';
    return param.example !== '' && (param.example !== undefined || isSearchedPath);
  });
}

/** Help on one tool: its signature in both styles, its description, its parameters, an example. */
export function renderToolHelp(spec: ToolSpec): string {
  const doc = (spec.doc ?? '').trim();
  const described = spec.params.filter((param) => param.doc !== undefined);
  return [
    renderSignature(spec, { style: 'call' }),
    renderSignature(spec, { style: 'tag' }),
    ...(doc === '' ? [] : doc.split('\n').map((line) => stripControlCharacters(line).trim())),
    ...described.map((param) => `- ${stripControlCharacters(`${param.name}: ${param.doc ?? ''}`).trim()}`),
    `Example: ${makeExampleTag(spec)}`,
  ].join('\n');
}
