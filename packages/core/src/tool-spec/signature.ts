import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { stripControlCharacters } from './plain-text.ts';

/** How a signature is written. */
export interface SignatureOptions {
  /** `tag` for the text of a model, `call` for run blocks and shells. */
  readonly style: 'tag' | 'call';
  /** Length from which a call has one parameter per line. Default: never; for terminals 40. */
  readonly wrap?: number;
}

/**
 * A tool's signature: `<Grep:pattern:string, path:string>` or `grep(pattern: string, path: string = "")`.
 *
 * Tags never wrap, because a tag is one line.
 */
export function renderSignature(spec: ToolSpec, { style, wrap = Infinity }: SignatureOptions): string {
  return style === 'tag' ? renderTag(spec) : renderCall(spec, wrap);
}

function renderTag({ name, params }: ToolSpec): string {
  const tag = name.charAt(0).toUpperCase() + name.slice(1);
  const inside = params.filter((param) => param.body !== true);
  const body = params.find((param) => param.body === true);
  const open = `<${tag}:${inside.map((param) => stripControlCharacters(`${param.name}:${param.type}`)).join(', ')}>`;
  if (body !== undefined) return `${open}${stripControlCharacters(body.name)}</${tag}>`;
  // A write without its closing tag is never executed, whatever the tool takes.
  return name === 'write' ? `${open}</${tag}>` : open;
}

function renderCall({ name, params, rest }: ToolSpec, wrap: number): string {
  const parts = params.map((param) => stripControlCharacters(declareParameter(param)));
  if (rest === true) parts.push('...fields');
  const line = `${name}(${parts.join(', ')})`;
  if (line.length <= wrap || parts.length === 0) return line;
  return `${name}(\n${parts.map((part) => `  ${part},\n`).join('')})`;
}

function declareParameter(param: ParamSpec): string {
  if (!('default' in param)) return `${param.name}: ${param.type}`;
  const fallback = formatDefault(param.default);
  if (fallback === undefined) return `${param.name}?: ${param.type}`;
  return `${param.name}: ${param.type} = ${fallback}`;
}

function formatDefault(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner));
}
