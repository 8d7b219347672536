import type { CodeRunner } from '@bae/core';

/** Runs code in the sandbox of bae, which is loaded with the first block: most sessions never send one. */
export function lazySandbox(): CodeRunner {
  let sandbox: Promise<CodeRunner> | undefined;
  const loaded = (): Promise<CodeRunner> => (sandbox ??= import('@bae/sandbox').then(({ Sandbox }) => new Sandbox()));
  return {
    run: async (code, options) => (await loaded()).run(code, options),
    forget: async (session) => (await sandbox)?.forget?.(session),
  };
}
