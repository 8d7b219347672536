import { fileURLToPath } from 'node:url';
import type { LanguageReader, Outline, Span, SyntaxProblem } from '@bae/source';
import { Language, type Node, Parser, type Tree } from 'web-tree-sitter';
import { readDocstring, readAssignedFields, readSymbols } from './python-symbols.ts';

const GRAMMAR = fileURLToPath(new URL('../dist/tree-sitter-python.wasm', import.meta.url));
/** Prefix that makes indented text a valid program. */
const FRAME = 'if True:\n';
const LONGEST_SENTENCE = 120;

/** Loads the grammar and returns a reader of Python. */
export async function loadPython(): Promise<LanguageReader> {
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(GRAMMAR));

  /** Parses a text, passes its tree to a function, and frees the tree. */
  function withTree<T>(text: string, read: (root: Node) => T): T {
    const tree = parser.parse(text) as Tree;
    try {
      return read(tree.rootNode);
    } finally {
      tree.delete();
    }
  }

  return {
    outline({ text, inner = false }): Outline {
      return withTree(text, (root) => {
        const doc = readDocstring(root);
        const start = doc === undefined ? 0 : text.indexOf('\n', doc.end) + 1;
        const problem = findProblem(root, text);
        return {
          doc: doc === undefined ? '' : takeSentence(text.slice(doc.start, doc.end)),
          symbols: readSymbols(root, { place: 'module', inner }),
          stars: [],
          ...(start > 0 && { body: { start, end: text.length } }),
          ...(problem !== undefined && { problem }),
        };
      });
    },

    parse({ text }, place) {
      const frame = /^[^\S\n]/.test(text) ? FRAME : '';
      return withTree(frame + text, (root) => {
        const body = frame === '' ? root : (root.namedChild(0)?.childForFieldName('consequence') ?? root);
        const problem = findProblem(root, frame + text);
        const literals = findLongTexts(root).map(({ start, end }) => ({
          start: start - frame.length,
          end: end - frame.length,
        }));
        const line = problem && Math.max(1, problem.line - (frame === '' ? 0 : 1));
        return {
          symbols: [
            ...readSymbols(body, {
              place: place === 'class' || place === 'function' ? place : 'module',
              inner: place === 'function',
            }),
            ...(place === 'function' ? readAssignedFields(body) : []),
          ],
          offset: frame.length,
          literals,
          ...(problem !== undefined && { problem: { ...problem, line: line as number } }),
        };
      });
    },
  };
}

/** Finds the first syntax error in a text. */
function findProblem(root: Node, text: string): SyntaxProblem | undefined {
  if (!root.hasError) return undefined;
  let node = root;
  while (!node.isError && !node.isMissing) {
    const next = node.children.find((child) => child?.isError || child?.isMissing || child?.hasError);
    if (next === undefined || next === null) break;
    node = next;
  }
  const { row, column } = node.startPosition;
  const found =
    text
      .slice(node.startIndex, node.startIndex + 40)
      .split('\n')[0]
      ?.trim() ?? '';
  const message = node.isMissing ? `'${node.type}' is missing` : `unexpected '${found}'`;
  return { message, line: row + 1, column: column + 1 };
}

/**
 * Finds the multi-line strings whose indentation is part of their value; docstrings are indented with their function.
 */
function findLongTexts(root: Node): readonly Span[] {
  return root.descendantsOfType('string').flatMap((node) => {
    if (node === null || node.parent?.type === 'expression_statement') return [];
    return node.startPosition.row === node.endPosition.row ? [] : [{ start: node.startIndex, end: node.endIndex }];
  });
}

/** Returns the first sentence of a docstring as one line, at most 120 characters. */
function takeSentence(doc: string): string {
  // Removes the lines that underline titles.
  const [paragraph = ''] = doc
    .replaceAll(/^\s*([~=\-^"'*#])\1+\s*$/gm, '')
    .trim()
    .split(/\n\s*\n/);
  const line = paragraph.replaceAll(/\s+/g, ' ');
  const sentence = (/^.+?[.!?](?=\s|$)/.exec(line)?.[0] ?? line).replace(/\.$/, '');
  return sentence.length <= LONGEST_SENTENCE ? sentence : `${sentence.slice(0, LONGEST_SENTENCE - 1)}…`;
}
