import type { ApprovalRequest } from '@bae/core';

/** What a call would change, why it would fail, or that its tool cannot tell. */
export type Preview =
  | { readonly kind: 'change'; readonly text: string }
  | { readonly kind: 'failure'; readonly text: string }
  | { readonly kind: 'none' };

/** Asks the tool what a call would change. Nothing in it hinders the question. */
export async function previewOf(request: ApprovalRequest): Promise<Preview> {
  if (request.preview === undefined) return { kind: 'none' };
  try {
    return { kind: 'change', text: await request.preview() };
  } catch (error) {
    return { kind: 'failure', text: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}
