import type { Provision } from '@bae/core';
import type { MetaHost } from './meta/meta-host.ts';
import type { OnProgress } from './modules/module-index.ts';

/** What the space asks for, if it is there: `@inject(SOURCE, { isOptional: true }) options?: SourceOptions`. */
export const SOURCE = Symbol.for('bae.source');

/** What an app can do for the space. */
export interface SourceOptions {
  /** Hears how far it is whenever modules are looked into. */
  readonly onProgress?: OnProgress | undefined;
  /** Loads code of spaces anew. Default: nobody does, and there is no `source.meta()`. */
  readonly meta?: MetaHost | undefined;
}

/** Tells the source space of an agent what its app can do: `createAgent({ provide: [provideSource({ onProgress })] })`. */
export function provideSource(options: SourceOptions): Provision {
  return { token: SOURCE, value: options };
}
