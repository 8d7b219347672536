import { splitGrep as splitPattern, splitRange as splitSuffix } from '@bae/core/pipeline';

export function splitRange({ arg }: { readonly arg: string }): unknown {
  return splitSuffix(arg);
}

export function splitGrep({ arg, exists }: { readonly arg: string; readonly exists: readonly string[] }): unknown {
  return splitPattern(arg, (path) => exists.includes(path));
}
