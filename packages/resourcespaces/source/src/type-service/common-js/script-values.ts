import { type Comment, type Node, parseSync, visitorKeys } from 'oxc-parser';
import type { TypeQuery } from '../compiler-session.ts';
import { type FilePosition, toPlaceKey } from '../language-protocol.ts';

/** A script with the node around every node. */
export interface Script {
  readonly file: string;
  readonly program: Node;
  readonly comments: readonly Comment[];
  readonly parents: ReadonlyMap<Node, Node>;
  /** All identifiers, by offset. */
  readonly names: ReadonlyMap<number, Named>;
}

type Named = Extract<Node, { type: 'Identifier' | 'PrivateIdentifier' }>;
type NodeOf<T extends Node['type']> = Extract<Node, { type: T }>;

/**
 * The object that an expression stands for: a function, class, object or module that the code defines, or an instance of
 * what a function constructs.
 */
interface ScriptValue {
  readonly kind: 'itself' | 'instance';
  /** Place of its definition. */
  readonly key: string;
}

/** What takes more steps than this is not followed. */
const DEEPEST = 200;
const TYPE_OF_PARAMETER = /@param\s*\{\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*\}\s*\[?([\p{ID_Continue}$]+)/gu;

/**
 * Finds the objects that own the members of JavaScript code without classes: `this` in a function that is called with
 * `new`, what is assigned to `Cart.prototype`, `module.exports` and `require`, and what functions return. The compiler
 * leads from a name to its declaration, but knows none of these.
 */
export class ScriptValues {
  readonly #query: TypeQuery;
  readonly #scripts = new Map<string, Promise<Script>>();
  readonly #definitions = new Map<string, Promise<readonly FilePosition[]>>();
  readonly #values = new Map<Node, ScriptValue | undefined>();
  #depth = 0;

  constructor(query: TypeQuery) {
    this.#query = query;
  }

  script(file: string): Promise<Script> {
    const known = this.#scripts.get(file) ?? this.#parse(file);
    this.#scripts.set(file, known);
    return known;
  }

  /** Identifies the object to which the member that is named at an offset belongs; undefined when it is unknown. */
  async ownerAt(script: Script, offset: number): Promise<string | undefined> {
    const node = script.names.get(offset);
    const owner = node && (await this.#ownerOf(script, node));
    return owner && `${owner.kind} ${owner.key}`;
  }

  /** Finds the function or class that a script calls by a name, as the place of its definition. */
  async namedInScript(script: Script, name: string): Promise<string | undefined> {
    const declared = [...script.names].find(([, node]) => node.name === name && isDeclared(script, node));
    return declared && (await this.#valueOf(script, declared[1]))?.key;
  }

  /** Returns the place of the definition whose name is at an offset. */
  async definedAt(script: Script, offset: number): Promise<string | undefined> {
    const node = script.names.get(offset);
    return node && (await this.#valueOf(script, node))?.key;
  }

  async #ownerOf(script: Script, node: Named): Promise<ScriptValue | undefined> {
    const parent = script.parents.get(node);
    if (parent?.type === 'MemberExpression' && parent.property === node) return this.#valueOf(script, parent.object);
    if (parent?.type !== 'Property' || parent.key !== node) return undefined;
    const around = script.parents.get(parent);
    if (around?.type === 'ObjectExpression') return this.#valueOf(script, around);
    const declarator = around && script.parents.get(around);
    if (declarator?.type !== 'VariableDeclarator' || declarator.id !== around) return undefined;
    return this.#valueOf(script, declarator.init);
  }

  /** The value that is assigned to a member of the same owner, in one of the scripts that are known by then. */
  async #valueOfMember(script: Script, node: Node): Promise<ScriptValue | undefined> {
    if (node.type !== 'Identifier') return undefined;
    const owner = await this.#ownerOf(script, node);
    if (owner === undefined) return undefined;
    for (const known of this.#scripts.values()) {
      const other = await known;
      for (const named of other.names.values()) {
        const value = named.name === node.name ? getAssigned(other, named) : undefined;
        if (value === undefined) continue;
        const { kind, key } = (await this.#ownerOf(other, named)) ?? {};
        if (kind === owner.kind && key === owner.key) return this.#valueOf(other, value);
      }
    }
    return undefined;
  }

  async #valueOf(script: Script, node: Node | null | undefined): Promise<ScriptValue | undefined> {
    if (!node || this.#values.has(node) || this.#depth > DEEPEST) return node ? this.#values.get(node) : undefined;
    // What leads back to itself has no value.
    this.#values.set(node, undefined);
    this.#depth++;
    const value = await this.#findValue(script, node);
    this.#depth--;
    this.#values.set(node, value);
    return value;
  }

  async #findValue(script: Script, node: Node): Promise<ScriptValue | undefined> {
    const next = (inner: Node | null | undefined) => this.#valueOf(script, inner);
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'ClassDeclaration':
      case 'ClassExpression':
        return itself(script, node);
      case 'ObjectExpression':
        return this.#valueOfObject(script, node);
      case 'ParenthesizedExpression':
        return next(node.expression);
      case 'AssignmentExpression':
        return next(node.right);
      case 'LogicalExpression':
        return (await next(node.left)) ?? next(node.right);
      case 'ConditionalExpression':
        return (await next(node.consequent)) ?? next(node.alternate);
      case 'ThisExpression':
        return this.#valueOfThis(script, node);
      case 'NewExpression':
        return instanceOf(await next(node.callee));
      case 'CallExpression':
        return this.#valueOfCall(script, node);
      case 'MemberExpression':
        if (isWholeModule(node)) return this.#valueOfModule(script);
        if (readNodeName(node.property) === 'prototype') return instanceOf(await next(node.object));
        return (await next(node.property)) ?? this.#valueOfMember(script, node.property);
      case 'Identifier':
        return this.#valueOfName(script, node);
      default:
        return undefined;
    }
  }

  async #valueOfObject(script: Script, node: NodeOf<'ObjectExpression'>) {
    const parent = script.parents.get(node);
    const target = parent?.type === 'AssignmentExpression' && parent.right === node ? parent.left : undefined;
    const isPrototype = target?.type === 'MemberExpression' && readNodeName(target.property) === 'prototype';
    return isPrototype ? this.#valueOf(script, target) : itself(script, node);
  }

  /** `this` of a function: what it constructs, or the object that it is a method of. */
  async #valueOfThis(script: Script, node: Node): Promise<ScriptValue | undefined> {
    const inside = findScriptNodeAround(script, node, isThisScope);
    if (inside === undefined || !isFunctionNode(inside)) return undefined;
    const parent = script.parents.get(inside);
    if (
      parent?.type === 'AssignmentExpression' &&
      parent.left.type === 'MemberExpression' &&
      !isWholeModule(parent.left)
    )
      return this.#valueOf(script, parent.left.object);
    if (parent?.type === 'Property') return this.#valueOf(script, script.parents.get(parent));
    if (parent?.type === 'MethodDefinition') return undefined;
    return { kind: 'instance', key: makeValueKey(script, inside) };
  }

  /** `require('./cart')`, `Object.create(Cart.prototype)`, and calls of functions that return something known. */
  async #valueOfCall(script: Script, node: NodeOf<'CallExpression'>) {
    const {
      callee,
      arguments: [first],
    } = node;
    if (callee.type === 'Identifier' && callee.name === 'require') {
      const [module] = first === undefined ? [] : await this.#definitionsAt(script, first.start);
      return module && this.#valueOfModule(await this.script(module.file));
    }
    if (callee.type === 'MemberExpression' && readNodeName(callee.object) === 'Object')
      return this.#valueOf(script, first);
    const called = await this.#valueOf(script, callee);
    if (called?.kind !== 'itself') return undefined;
    const [start, file] = splitKey(called.key);
    const other = await this.script(file);
    for (const result of listReturned(other, start)) {
      const value = await this.#valueOf(other, result);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  async #valueOfModule(script: Script): Promise<ScriptValue> {
    for (const node of script.parents.keys()) {
      if (node.type !== 'AssignmentExpression' || !isWholeModule(node.left)) continue;
      const value = await this.#valueOf(script, node.right);
      if (value !== undefined) return value;
    }
    return itself(script, script.program);
  }

  async #valueOfName(script: Script, node: NodeOf<'Identifier'>): Promise<ScriptValue | undefined> {
    const known = await this.#valueOfDeclaration(script, node);
    if (known !== undefined) return known;
    for (const { file, position } of await this.#definitionsAt(script, node.start)) {
      const offset = (await this.#query.texts.get(file)).lines.offsetAt(position);
      if (file === script.file && offset === node.start) continue;
      const other = await this.script(file);
      const declared = other.names.get(offset);
      const value = declared && (await this.#valueOfDeclaration(other, declared));
      if (value !== undefined) return value;
    }
    return node.name === 'exports' ? this.#valueOfModule(script) : undefined;
  }

  async #valueOfDeclaration(script: Script, node: Named): Promise<ScriptValue | undefined> {
    const parent = script.parents.get(node);
    if (parent === undefined) return undefined;
    if ((isFunctionNode(parent) || parent.type.startsWith('Class')) && 'id' in parent && parent.id === node)
      return itself(script, parent);
    if (isFunctionNode(parent)) return this.#valueOfParameter(script, { node, of: parent });
    if (parent.type === 'VariableDeclarator' && parent.id === node) return this.#valueOf(script, parent.init);
    if (parent.type === 'Property' && script.parents.get(parent)?.type === 'ObjectPattern')
      return this.#valueOfMember(script, parent.key);
    const value = parent.type === 'MemberExpression' ? getAssigned(script, node) : undefined;
    return value && this.#valueOf(script, value);
  }

  /** The type of a parameter that the comment before its function names. */
  async #valueOfParameter(script: Script, { node, of }: { readonly node: Named; readonly of: Node }) {
    const statement = findScriptNodeAround(script, of, ({ type }) => type.endsWith('Statement')) ?? of;
    const start = statement.type === 'ExpressionStatement' ? statement.start : of.start;
    const comment = script.comments.findLast(({ end }) => end <= start);
    const { text } = await this.#query.texts.get(script.file);
    if (comment === undefined || text.slice(comment.end, start).trim() !== '') return undefined;
    const type = [...comment.value.matchAll(TYPE_OF_PARAMETER)].find(([, , name]) => name === node.name)?.[1];
    const declared = [...script.names.values()].find((one) => one.name === type && isDeclared(script, one));
    return declared && instanceOf(await this.#valueOf(script, declared));
  }

  async #definitionsAt({ file }: Script, offset: number): Promise<readonly FilePosition[]> {
    const { session, texts, signal } = this.#query;
    const at = { file, position: (await texts.get(file)).lines.positionAt(offset) };
    const key = toPlaceKey(at);
    const known = this.#definitions.get(key) ?? session.definitions(at, signal);
    this.#definitions.set(key, known);
    return (await known).filter((one) => !one.file.includes('/node_modules/') && /\.(?:c?js|jsx)$/.test(one.file));
  }

  async #parse(file: string): Promise<Script> {
    const { program, comments } = parseSync(file, (await this.#query.texts.get(file)).text);
    const parents = new Map<Node, Node>();
    const names = new Map<number, Named>();
    const open: Node[] = [program];
    for (const node of open) {
      if (node.type === 'Identifier' || node.type === 'PrivateIdentifier') {
        // In `{ a }`, the key and the value have one place.
        if (!names.has(node.start)) names.set(node.start, node);
      }
      for (const child of listNodesBelow(node)) {
        parents.set(child, node);
        open.push(child);
      }
    }
    return { file, program, comments, parents, names };
  }
}

function listNodesBelow(node: Node): readonly Node[] {
  const all = node as unknown as Readonly<Record<string, Node | readonly (Node | null)[] | null>>;
  const children = (visitorKeys[node.type] ?? []).flatMap((key) => [all[key] ?? []].flat());
  return children.filter((child) => child !== null);
}

/** Lists what a function returns, without the functions inside of it. */
function listReturned({ parents }: Script, start: number): readonly (Node | null)[] {
  const of = [...parents.keys()].find((node) => node.start === start && isFunctionNode(node));
  if (of === undefined || !('body' in of)) return [];
  if (of.type === 'ArrowFunctionExpression' && of.expression) return [of.body];
  const open: Node[] = [of.body as Node];
  const returned: (Node | null)[] = [];
  for (const node of open) {
    if (node.type === 'ReturnStatement') returned.push(node.argument);
    if (!isFunctionNode(node)) open.push(...listNodesBelow(node));
  }
  return returned;
}

/** Returns what is assigned to the member that a name stands for: `cart.add = …`, `{ add: … }`. */
export function getAssigned({ parents }: Script, node: Named): Node | undefined {
  const parent = parents.get(node);
  const around = parent && parents.get(parent);
  if (parent?.type === 'Property') return around?.type === 'ObjectExpression' ? parent.value : undefined;
  if (parent?.type !== 'MemberExpression' || parent.property !== node) return undefined;
  return around?.type === 'AssignmentExpression' && around.left === parent ? around.right : undefined;
}

function findScriptNodeAround({ parents }: Script, node: Node, test: (node: Node) => boolean): Node | undefined {
  for (let at = parents.get(node); at !== undefined; at = parents.get(at)) if (test(at)) return at;
  return undefined;
}

/** Tests whether a name is declared for a whole script. */
function isDeclared(script: Script, node: Node): boolean {
  const parent = script.parents.get(node);
  if (parent === undefined || !('id' in parent) || parent.id !== node) return false;
  return findScriptNodeAround(script, parent, isThisScope)?.type === 'Program';
}

function isThisScope(node: Node): boolean {
  return node.type === 'Program' || node.type === 'PropertyDefinition' || (isFunctionNode(node) && !isArrow(node));
}

function isFunctionNode({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

function isArrow({ type }: Node): boolean {
  return type === 'ArrowFunctionExpression';
}

function isWholeModule(node: Node): boolean {
  return (
    node.type === 'MemberExpression' &&
    readNodeName(node.object) === 'module' &&
    readNodeName(node.property) === 'exports'
  );
}

function readNodeName(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined;
}

function instanceOf(value: ScriptValue | undefined): ScriptValue | undefined {
  return value?.kind === 'itself' ? { kind: 'instance', key: value.key } : undefined;
}

function itself(script: Script, node: Node): ScriptValue {
  return { kind: 'itself', key: makeValueKey(script, node) };
}

function makeValueKey({ file }: Script, { start }: Node): string {
  return `${start}:${file}`;
}

function splitKey(key: string): readonly [number, string] {
  const end = key.indexOf(':');
  return [Number(key.slice(0, end)), key.slice(end + 1)];
}
