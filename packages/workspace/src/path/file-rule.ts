import type { Approver } from '@bae/core';

/** A rule of a user about files, whatever tool uses them. */
export type FileRule = NonNullable<Approver['fileRules']>[number];
