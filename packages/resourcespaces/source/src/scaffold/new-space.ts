import { showPath } from '@bae/workspace';
import type { MetaHost } from '../meta/meta-host.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { ArgsOf } from '../params.ts';

/** A write that makes a resourcespace, and what it is worked out with. */
export interface NewSpace {
  readonly base: CodeBase;
  readonly request: ArgsOf<'write'>;
  /** Who knows what a space is made of; undefined when nobody does. */
  readonly host: MetaHost | undefined;
}

/** Characters of a name that are shown. */
const SHOWN = 60;

/**
 * True when a write makes a resourcespace, not a module: for a name without dots and without content. With content it
 * is a module, since those of a small project have such names, too.
 */
export function isNewSpace({ target, content }: Pick<ArgsOf<'write'>, 'target' | 'content'>): boolean {
  return content.trim() === '' && /^[^.#/\\[\]]+$/.test(target.trim());
}

/** A name as it is shown in a sentence. */
export function shownName(name: string): string {
  return showPath(name.length > SHOWN ? `${name.slice(0, SHOWN)}…` : name);
}

/** The tag that makes a space of this name. */
export function emptyWrite(name: string): string {
  return `<W:${name}></W>`;
}
