import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Document, isScalar, parseDocument, stringify } from 'yaml';
import { type ConfigFormat, toSegments } from './config-file.ts';

const OPTIONS = { allowTrailingComma: true, disallowComments: false };

/** JSON with comments and trailing commas, as in tsconfig.json. */
export const JSON_FORMAT: ConfigFormat = {
  parse(text) {
    const errors: ParseError[] = [];
    const tree = parseTree(text.replace(/^\uFEFF/, ' '), errors, OPTIONS);
    const [first] = errors;
    if (first === undefined) return tree && toData(tree);
    const line = text.slice(0, first.offset).split('\n').length;
    throw new Error(`line ${line}: ${printParseErrorCode(first.error)}`);
  },

  apply(text, { path, value }) {
    const tree = parseTree(text.replace(/^\uFEFF/, ' '), [], OPTIONS);
    if (tree === undefined) return text;
    const node = findNodeAtLocation(tree, toSegments(path));
    if (value === undefined) return node === undefined ? text : removeEntry(text, writeEntry(node));
    if (node !== undefined)
      return splice(text, [node.offset, findValueEnd(node)], writeValue(value, { text, at: node.offset }));
    const [parent, rest] = findInnermost(tree, path);
    const [key = '', ...below] = rest;
    const nested = below.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
    return insertEntry({ text, parent, key: parent.type === 'array' ? undefined : key, value: nested });
  },

  show: (value) => JSON.stringify(value, undefined, 2),
};

/** The data of a node. Every key becomes an own property, also `__proto__`. */
function toData({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(toData);
  if (type !== 'object') return value as unknown;
  const entries = children.map(({ children: [key, value] = [] }) => [key?.value as string, value && toData(value)]);
  return Object.fromEntries(entries) as unknown;
}

interface Insertion {
  readonly text: string;
  readonly parent: Node;
  /** Undefined in a list. */
  readonly key: string | undefined;
  readonly value: unknown;
}

function insertEntry({ text, parent, key, value }: Insertion): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const last = parent.children?.at(-1);
  if (last === undefined) {
    const indent = getIndentAt(text, parent.offset);
    const entry = `${indent}${getIndentUnit(text)}`;
    const body = name + writeValue(value, { text, at: parent.offset, extra: getIndentUnit(text) });
    // Comments in an empty object stay behind the new entry.
    const close = /\S/.test(text.slice(parent.offset + 1, findValueEnd(parent) - 1))
      ? ''
      : `${chooseLineBreak(text)}${indent}`;
    const end = close === '' ? parent.offset + 1 : findValueEnd(parent) - 1;
    return splice(text, [parent.offset + 1, end], `${chooseLineBreak(text)}${entry}${body}${close}`);
  }
  const [, gap = '', comma = ''] = /^((?:[^\S\n]|\/\*.*?\*\/)*)(,?)/.exec(text.slice(findValueEnd(last))) ?? [];
  const behind = findValueEnd(last) + (comma === '' ? 0 : gap.length + 1);
  const line = /^(?:[^\S\r\n]|\/\*.*?\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(text.slice(behind))?.[0];
  const body = name + writeValue(value, { text, at: last.offset });
  if (line === undefined) return splice(text, [findValueEnd(last), behind], `, ${body}${comma}`);
  const entry = `${line}${chooseLineBreak(text)}${getIndentAt(text, last.offset)}${body}${comma}`;
  return splice(text, [findValueEnd(last), behind + line.length], `,${entry}`);
}

/** Removes an entry with its comma, and with its line when nothing else is on it. */
function removeEntry(text: string, entry: Node): string {
  let [start, end] = [entry.offset, findValueEnd(entry)];
  const after = /^\s*,/.exec(text.slice(end))?.[0];
  const siblings = entry.parent?.children ?? [];
  const before = siblings[siblings.indexOf(entry) - 1];
  if (after !== undefined) end += after.length;
  const wholeLine = /(?:^|\n)[^\S\n]*$/.exec(text.slice(0, start));
  const tail = /^[^\S\n]*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(text.slice(end));
  if (wholeLine !== null && tail !== null) {
    start -= wholeLine[0].replace(/^\n/, '').length;
    end += tail[0].length + (text.startsWith('\r\n', end + tail[0].length) ? 2 : 1);
  } else if (after !== undefined) {
    end += /^[^\S\n]*/.exec(text.slice(end))?.[0].length ?? 0;
  }
  if (after !== undefined || before === undefined) return splice(text, [start, end], '');
  // The entry before becomes the last one, and its comma goes.
  const between = text.slice(findValueEnd(before), start).replace(/^((?:\s|\/\*.*?\*\/)*),[^\S\n]*/, '$1');
  return splice(text, [findValueEnd(before), end], between);
}

/** The property that a value belongs to, or the element of a list itself. */
function writeEntry(value: Node): Node {
  return value.parent?.type === 'property' ? value.parent : value;
}

function findInnermost(tree: Node, path: readonly string[]): readonly [Node, readonly string[]] {
  for (let length = path.length - 1; length > 0; length--) {
    const node = findNodeAtLocation(tree, toSegments(path.slice(0, length)));
    if (node !== undefined) return [node, path.slice(length)];
  }
  return [tree, path];
}

function writeValue(
  value: unknown,
  { text, at, extra = '' }: { readonly text: string; readonly at: number; readonly extra?: string },
): string {
  const indent = getIndentAt(text, at) + extra;
  return JSON.stringify(value, undefined, getIndentUnit(text)).replaceAll('\n', `${chooseLineBreak(text)}${indent}`);
}

function getIndentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[^\S\n]*/.exec(text.slice(start))?.[0] ?? '';
}

function getIndentUnit(text: string): string {
  return /\n([^\S\n]+)["/}\]]/.exec(text)?.[1] ?? '  ';
}

function chooseLineBreak(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

function findValueEnd({ offset, length }: Node): number {
  return offset + length;
}

function splice(text: string, [start, end]: readonly [number, number], fresh: string): string {
  return text.slice(0, start) + fresh + text.slice(end);
}

const STYLES = [
  { indentSeq: true },
  { indentSeq: false },
  { indent: 4, indentSeq: true },
  { indent: 4, indentSeq: false },
];

/** YAML with comments, as in pnpm-workspace.yaml. */
export const YAML_FORMAT: ConfigFormat = {
  parse(text) {
    const document = parseDocument(text);
    const [first] = document.errors;
    if (first !== undefined) throw new Error(first.message.split('\n')[0]);
    return document.toJS() as unknown;
  },

  apply(text, { path, value }) {
    const document = parseDocument(text);
    const keys = toSegments(path);
    const node = document.getIn(keys, true);
    const isPlain = typeof value !== 'object' && value !== undefined;
    // A single value is replaced in its place, so that nothing else can change.
    if (isPlain && isScalar(node) && node.range) {
      return text.slice(0, node.range[0]) + stringify(value).trimEnd() + text.slice(node.range[1]);
    }
    const style = findStyle(document, text);
    if (value === undefined) document.deleteIn(keys);
    else document.setIn(keys, document.createNode(value));
    return document.toString(style);
  },

  show: (value) => stringify(value).trimEnd(),
};

function findStyle(document: Document, text: string): object {
  const styles = STYLES.map((style) => ({ ...style, lineWidth: 0, flowCollectionPadding: text.includes('[ ') }));
  return styles.find((style) => document.toString(style) === text) ?? { lineWidth: 0 };
}
