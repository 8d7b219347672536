import { tool, type LineRange } from '@bae/core';
import { renderSignature } from '@bae/core/pipeline';
import type { ZodObject } from 'zod';
import { SOURCE_PARAMS } from '../params.ts';

/** A tool that takes an address. */
type AddressVerb = Exclude<keyof typeof SOURCE_PARAMS, 'undo'>;

/** A call that names something by its address. */
export interface AddressUse {
  readonly address: string;
  readonly verb: AddressVerb;
  /** Lines wanted of what has the address. */
  readonly range?: LineRange | undefined;
}

/** The parts of an error about an address besides the fact. */
interface AddressAdvice {
  /** What the tool takes: `a module or symbol`. */
  readonly expected: string;
  readonly remedy?: string | undefined;
}

/** What is wrong with an address: `no module 'x' (target: expected a module).` and the signature on a line below. */
export function describeAddressProblem(
  { verb }: AddressUse,
  fact: string,
  { expected, remedy }: AddressAdvice,
): string {
  const field = verb === 'glob' ? 'pattern' : verb === 'grep' ? 'path' : 'target';
  const sentences = [`${fact} (${field}: expected ${expected}).`, ...(remedy === undefined ? [] : [remedy])];
  return `${sentences.join(' ')}\nUsage: ${describeUsage(verb)}`;
}

function describeUsage(verb: AddressVerb): string {
  const params: ZodObject = SOURCE_PARAMS[verb];
  const settings = 'content' in params.shape ? { body: 'content' } : {};
  return renderSignature(tool('', params, String, settings).named(verb).spec, { style: 'call' });
}
