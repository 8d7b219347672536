/**
 * Method by which all processes that a program has started are ended with it: no process can leave a `namespace`, not
 * even a daemon with its own session, which would survive in a process `group`; from a `tree`, a process is lost whose
 * parent has ended.
 */
export type Isolation =
  | { readonly type: 'group' }
  /** Command that creates a namespace and runs its arguments as a command there. */
  | { readonly type: 'namespace'; readonly command: readonly [string, ...string[]] }
  /** Command that ends a process, whose number is its last argument, and all below it. */
  | { readonly type: 'tree'; readonly command: readonly [string, ...string[]] };
