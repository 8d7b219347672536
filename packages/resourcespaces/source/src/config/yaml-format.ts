import { isScalar, parseDocument, stringify, type Document } from 'yaml';
import { toSegments, type ConfigFormat } from './config-key.ts';

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

/** The style in which the document is written unchanged. */
function findStyle(document: Document, text: string): object {
  const styles = STYLES.map((style) => ({ ...style, lineWidth: 0, flowCollectionPadding: text.includes('[ ') }));
  return styles.find((style) => document.toString(style) === text) ?? { lineWidth: 0 };
}
