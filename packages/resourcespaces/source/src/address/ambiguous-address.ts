import { type BaeError, ResourceError } from '@bae/core';
import type { Target } from './target.ts';

/** An address that several targets share. Models see it as a ResourceError. */
export class AmbiguousAddressError extends ResourceError {
  readonly targets: readonly Target[];
  /** The unambiguous addresses of the targets. */
  readonly addresses: readonly string[];

  constructor({ message, hints }: BaeError, targets: readonly Target[], addresses: readonly string[]) {
    super(message, hints);
    this.name = 'ResourceError';
    this.targets = targets;
    this.addresses = addresses;
  }
}
