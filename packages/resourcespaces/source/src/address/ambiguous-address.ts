import { type BaeError, ResourceError } from '@bae/core';
import type { Target } from './target.ts';

/** Several things have an address. Models see it as a ResourceError. */
export class AmbiguousAddressError extends ResourceError {
  readonly targets: readonly Target[];
  /** The addresses of the targets, which leave no doubt. */
  readonly addresses: readonly string[];

  constructor({ message, hints }: BaeError, targets: readonly Target[], addresses: readonly string[]) {
    super(message, hints);
    this.name = 'ResourceError';
    this.targets = targets;
    this.addresses = addresses;
  }
}
