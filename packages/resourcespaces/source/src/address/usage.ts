import { tool, type LineRange, type ToolDefinition } from '@bae/core';
import { signature } from '@bae/core/pipeline';
import { SOURCE_PARAMS } from '../params.ts';

/** A tool that takes an address. */
type AddressVerb = 'read' | 'write' | 'edit' | 'glob' | 'grep' | 'references' | 'diagnostics' | 'rename';

/** The tools, for their signatures; made when one is needed. */
const TOOLS: Readonly<Record<AddressVerb, () => ToolDefinition>> = {
  read: () => tool('', SOURCE_PARAMS.read, String).named('read'),
  write: () => tool('', SOURCE_PARAMS.write, String, { body: 'content' }).named('write'),
  edit: () => tool('', SOURCE_PARAMS.edit, String, { body: 'content' }).named('edit'),
  glob: () => tool('', SOURCE_PARAMS.glob, String).named('glob'),
  grep: () => tool('', SOURCE_PARAMS.grep, String).named('grep'),
  references: () => tool('', SOURCE_PARAMS.references, String).named('references'),
  diagnostics: () => tool('', SOURCE_PARAMS.diagnostics, String).named('diagnostics'),
  rename: () => tool('', SOURCE_PARAMS.rename, String).named('rename'),
};

/** The parameter of each tool that takes the address. */
const FIELD: Readonly<Record<AddressVerb, string>> = {
  read: 'target',
  write: 'target',
  edit: 'target',
  glob: 'pattern',
  grep: 'path',
  references: 'target',
  diagnostics: 'target',
  rename: 'target',
};

/** A call that names something by its address. */
export interface AddressUse {
  readonly address: string;
  readonly verb: AddressVerb;
  /** Lines wanted of what has the address. */
  readonly range?: LineRange | undefined;
}

/** What is to be said of an address besides what is wrong. */
export interface Complaint {
  /** What is taken: `a module or symbol`. */
  readonly expected: string;
  readonly remedy?: string | undefined;
}

/** What is wrong with an address: `no module 'x' (target: expected a module).` and the signature on a line below. */
export function complaint({ verb }: AddressUse, fact: string, { expected, remedy }: Complaint): string {
  const sentences = [`${fact} (${FIELD[verb]}: expected ${expected}).`, ...(remedy === undefined ? [] : [remedy])];
  return `${sentences.join(' ')}\nUsage: ${signature(TOOLS[verb]().spec, { style: 'call' })}`;
}
