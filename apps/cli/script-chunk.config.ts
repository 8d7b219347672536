import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';
import { parseAst } from 'rolldown/parseAst';

/** Part of a syntax tree. */
interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

/** Names of `import.meta` and `import()` in the script. */
const [META, IMPORT] = ['importMeta$', 'import$'];

/**
 * Makes a chunk a script, which can be run with compiled functions, and a module that runs it and exports the same
 * names. Lines stay where they are, so that the source map fits.
 *
 * @param name of the chunk
 */
export function makeScript(name: string): Plugin {
  return {
    name: 'make-script',
    writeBundle({ dir = '.' }) {
      const file = join(dir, `${name}.js`);
      const { script, modules, names } = convertChunk(readFileSync(file, 'utf8'));
      // A parser would not accept a name twice, or what only a module may have.
      parseAst(script);
      writeFileSync(join(dir, `${name}.cjs`), script);
      const digest = createHash('sha256').update(script).digest('hex').slice(0, 32);
      const place = `import.meta.dirname + ${JSON.stringify(`/${name}.cjs`)}, '${digest}'`;
      const lines = [
        `import { runChunk } from './run-chunk.js';`,
        ...modules.map((path, index) => `import * as m${index} from '${path}';`),
        `const own = runChunk(${place})([${modules.map((_, index) => `m${index}`).join(', ')}], import.meta, (path, options) => import(path, options));`,
        ...names.map((one, index) => `const e${index} = own[${JSON.stringify(one)}];`),
        `export { ${names.map((one, index) => `e${index} as ${one}`).join(', ')} };`,
      ];
      writeFileSync(file, `${lines.join('\n')}\n`);
    },
  };
}

function convertChunk(code: string): { readonly script: string; readonly modules: string[]; readonly names: string[] } {
  const { body } = parseAst(code) as unknown as { readonly body: readonly SyntaxNode[] };
  const changes: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const [modules, names]: [string[], string[]] = [[], []];
  const locals = new Set<string>();
  for (const statement of body) {
    const { start, end } = statement;
    if (statement.type === 'ImportDeclaration') {
      const parts = readSpecifiers(statement).map(([local, imported]) => `${imported}: ${local}`);
      changes.push({ start, end, text: `const { ${parts.join(', ')} } = modules$[${modules.length}];` });
      modules.push((statement['source'] as { readonly value: string }).value);
    } else if (statement.type === 'ExportNamedDeclaration') {
      const parts = readSpecifiers(statement).map(([local, exported]) => {
        locals.add(local);
        names.push(exported);
        return `${exported}: ${local}`;
      });
      changes.push({ start, end, text: `return { ${parts.join(', ')} };` });
    } else if (statement.type.startsWith('Export')) throw new Error(`cannot convert ${statement.type}.`);
  }
  for (const { start, end } of findNodes(body, ({ type }) => type === 'MetaProperty'))
    if (code.slice(start, end) === 'import.meta') changes.push({ start, end, text: META });
  for (const { start } of findNodes(body, ({ type }) => type === 'ImportExpression'))
    changes.push({ start, end: start + 'import'.length, text: IMPORT });
  // Their escapes would stay in a raw text.
  for (const template of findNodes(body, isRaw))
    for (const { start, end } of findNodes(template['quasi'], ({ type }) => type === 'TemplateElement'))
      for (const { 0: text, index } of code.slice(start, end).matchAll(OTHER)) {
        if (code[start + index - 1] === '\\') throw new Error(`cannot convert \\${text} in a raw text.`);
        changes.push({ start: start + index, end: start + index + text.length, text: `\${"${text}"}` });
      }
  checkFinal(body, locals);
  let script = code;
  for (const { start, end, text } of changes.toSorted((a, b) => b.start - a.start))
    script = script.slice(0, start) + text + script.slice(end);
  const head = `module.exports = (function (modules$, ${META}, ${IMPORT}, module, exports, require, __filename, __dirname) { 'use strict'; `;
  const [before, map = ''] = script.split(/(?=\n\/\/# sourceMappingURL=)/);
  return { script: writeAscii(`${head}${before}\n});${map}`), modules, names };
}

/** Characters other than those of ASCII: a file without them takes a third of the time to read. */
const OTHER = /[\u0080-\uFFFF]/g;

/** Replaces characters by escapes, which mean the same in texts, patterns and names. */
function writeAscii(code: string): string {
  return code.replaceAll(OTHER, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function isRaw({ type, tag }: SyntaxNode): boolean {
  const { object, property } = (tag ?? {}) as { readonly object?: SyntaxNode; readonly property?: SyntaxNode };
  return type === 'TaggedTemplateExpression' && nameOf(object ?? {}) === 'String' && nameOf(property ?? {}) === 'raw';
}

/** Lists the local and the other name of what a statement imports or exports. */
function readSpecifiers(statement: SyntaxNode): readonly (readonly [local: string, other: string])[] {
  return (statement['specifiers'] as readonly SyntaxNode[]).map(
    (one) => [nameOf(one['local']), nameOf(one['imported'] ?? one['exported'])] as const,
  );
}

function nameOf(node: unknown): string {
  const { name, value } = node as { readonly name?: string; readonly value?: string };
  return name ?? value!;
}

/** @throws Error if a function assigns to an exported name: the module exports the value that it has at first */
function checkFinal(body: readonly SyntaxNode[], exported: ReadonlySet<string>): void {
  const isFunction = ({ type }: SyntaxNode) => /Function/.test(type);
  for (const inner of findNodes(body, isFunction)) {
    const own = new Set(
      findNodes([inner], ({ type }) => type === 'VariableDeclarator' || isFunction({ type } as SyntaxNode)).flatMap(
        listDeclared,
      ),
    );
    const isChange = ({ type }: SyntaxNode) => type === 'AssignmentExpression' || type === 'UpdateExpression';
    for (const change of findNodes([inner], isChange)) {
      const { name } = (change['left'] ?? change['argument']) as { readonly name?: string };
      if (name !== undefined && exported.has(name) && !own.has(name)) throw new Error(`${name} is assigned later.`);
    }
  }
}

function listDeclared(node: SyntaxNode): readonly string[] {
  const patterns = node.type === 'VariableDeclarator' ? [node['id']] : (node['params'] as unknown[]);
  return findNodes(patterns as SyntaxNode[], ({ type }) => type === 'Identifier').map(({ name }) => name as string);
}

/** Collects the parts of a tree that pass a test. */
function findNodes(tree: unknown, test: (node: SyntaxNode) => boolean): readonly SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const ahead: unknown[] = [tree];
  for (let node = ahead.pop(); ahead.length > 0 || node !== undefined; node = ahead.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (!Array.isArray(node) && test(node as SyntaxNode)) found.push(node as SyntaxNode);
    ahead.push(...(Object.values(node) as unknown[]));
  }
  return found;
}
