import { ResourceError, type LineRange, type ToolDefinition } from '@bae/core';
import { renderSignature } from '@bae/core/pipeline';

/** A call that names something by its address: the address, the tool, and the lines wanted of what has the address. */
export interface AddressUse {
  readonly address: string;
  readonly definition: ToolDefinition;
  readonly range?: LineRange | undefined;
}

/** The parts of an error about an address besides the fact. */
interface AddressAdvice {
  /** What the tool takes: `a module or symbol`. */
  readonly expected: string;
  readonly remedy?: string | undefined;
  /** Tags that work. */
  readonly tags: readonly string[];
}

/** The first of some names: `a, b and 3 more`. */
export function listFirst(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}

/** The error for an address: `no module 'x' (target: expected a module).` and the signature on a line below. */
export function createAddressError(
  { definition: { name, spec } }: AddressUse,
  fact: string,
  { expected, remedy, tags }: AddressAdvice,
): ResourceError {
  const field = name === 'grep' ? 'path' : spec.params[0]?.name;
  const sentences = [`${fact} (${field}: expected ${expected}).`, ...(remedy === undefined ? [] : [remedy])];
  return new ResourceError(`${sentences.join(' ')}\nUsage: ${renderSignature(spec, { style: 'call' })}`, tags);
}
