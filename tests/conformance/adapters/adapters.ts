import type { Adapter } from '../example.ts';
import { bind } from './bind.ts';
import { navError, navigate, navTree } from './navigation.ts';
import { parse } from './parse.ts';
import { prune } from './prune.ts';
import { route } from './route.ts';
import { signature, toolTable } from './signature.ts';
import { splitGrep, splitRange } from './split.ts';

/** How each function that examples name is run on the real code. */
export const ADAPTERS: Readonly<Record<string, Adapter>> = {
  parse,
  splitRange,
  splitGrep,
  navigate,
  navError,
  navTree,
  route,
  bind,
  prune,
  signature,
  toolTable,
};
