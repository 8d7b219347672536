import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Document, isScalar, parseDocument, stringify } from 'yaml';

/** A change of the value at a key; without a value, the key is removed. */
interface ConfigEdit {
  /** Key path; has at least one part. */
  readonly path: readonly string[];
  readonly value?: unknown;
}

/** A settings file format whose values can be changed while the surrounding text stays the same. */
export interface ConfigFormat {
  /** Returns the data of a file; throws an Error with the reason when it cannot be parsed. */
  parse(text: string): unknown;
  /** Returns the text after a change of a key; comments and everything else stay the same. */
  apply(text: string, edit: ConfigEdit): string;
  /** Formats a value as it would be written in the file. */
  show(value: unknown): string;
}

/** Converts a key for the parsers of settings files: indexes of lists become numbers. */
function toSegments(path: readonly string[]): (string | number)[] {
  return path.map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

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
    if (value === undefined) return node === undefined ? text : removeEntry(text, node);
    const { indentAt, write } = readStyle(text);
    if (node !== undefined) return splice(text, [node.offset, findValueEnd(node)], write(value, indentAt(node.offset)));
    let parent: Node | undefined;
    let depth = path.length;
    while (parent === undefined) parent = findNodeAtLocation(tree, toSegments(path.slice(0, --depth)));
    const nested = path.slice(depth + 1).reduceRight<unknown>((inner, part) => ({ [part]: inner }), value);
    const name = parent.type === 'array' ? '' : `${JSON.stringify(path[depth])}: `;
    return insertEntry(text, parent, (indent) => name + write(nested, indent));
  },

  show: (value) => JSON.stringify(value, undefined, 2),
};

/** Returns the data of a node. Every key becomes an own property, including `__proto__`. */
function toData({ type, value, children = [] }: Node): unknown {
  if (type === 'array') return children.map(toData);
  if (type !== 'object') return value as unknown;
  const entries = children.map(({ children: [key, value] = [] }) => [key?.value as string, value && toData(value)]);
  return Object.fromEntries(entries) as unknown;
}

/** Adds an entry after the last one of an object or a list; `write` takes the indentation of its line. */
function insertEntry(text: string, parent: Node, write: (indent: string) => string): string {
  const { unit, lineBreak, indentAt } = readStyle(text);
  const last = parent.children?.at(-1);
  if (last === undefined) {
    const [start, end] = [parent.offset + 1, findValueEnd(parent) - 1];
    const indent = indentAt(parent.offset);
    const entry = `${lineBreak}${indent}${unit}${write(indent + unit)}`;
    // Comments in an empty object stay after the new entry.
    if (/\S/.test(text.slice(start, end))) return splice(text, [start, start], entry);
    return splice(text, [start, end], `${entry}${lineBreak}${indent}`);
  }
  const end = findValueEnd(last);
  const indent = indentAt(last.offset);
  const [, gap = '', comma = ''] = /^((?:[^\S\n]|\/\*.*?\*\/)*)(,?)/.exec(text.slice(end)) ?? [];
  const behind = end + (comma === '' ? 0 : gap.length + 1);
  const line = /^(?:[^\S\r\n]|\/\*.*?\*\/)*(?:\/\/[^\r\n]*)?(?=\r?\n)/.exec(text.slice(behind))?.[0];
  if (line === undefined) return splice(text, [end, behind], `, ${write(indent)}${comma}`);
  const entry = `,${line}${lineBreak}${indent}${write(indent)}${comma}`;
  return splice(text, [end, behind + line.length], entry);
}

/** Removes an entry with its comma, and its line if nothing else is on it. */
function removeEntry(text: string, value: Node): string {
  const entry = value.parent?.type === 'property' ? value.parent : value;
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
  // The previous entry becomes the last one and loses its comma.
  const between = text.slice(findValueEnd(before), start).replace(/^((?:\s|\/\*.*?\*\/)*),[^\S\n]*/, '$1');
  return splice(text, [findValueEnd(before), end], between);
}

/** Reads the style of a text (indentation and line breaks), and returns functions that format values in that style. */
function readStyle(text: string) {
  const unit = /\n([^\S\n]+)["/}\]]/.exec(text)?.[1] ?? '  ';
  const lineBreak = text.includes('\r\n') ? '\r\n' : '\n';
  return {
    unit,
    lineBreak,
    indentAt: (offset: number) => /^[^\S\n]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '',
    write: (value: unknown, indent: string) =>
      JSON.stringify(value, undefined, unit).replaceAll('\n', `${lineBreak}${indent}`),
  };
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
    // A scalar value is replaced in place, so that nothing else can change.
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
