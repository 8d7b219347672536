import type { Model } from '@bae/core';

/** What a model under test is to do with one request. */
export type ContractResponse =
  | { readonly kind: 'text'; readonly text: string }
  /** The service fails. */
  | { readonly kind: 'fault' }
  /** The service says this much and then no more, without closing the connection. */
  | { readonly kind: 'stall'; readonly text: string };

/** A model wired to something that gives the scripted responses in order. */
export interface ContractSubject {
  readonly model: Model;
  /** Ends what was started for the test. */
  dispose?(): void | Promise<void>;
}

/** Makes a model that will get these responses, one for each request. */
export type ContractFactory = (responses: readonly ContractResponse[]) => ContractSubject | Promise<ContractSubject>;
