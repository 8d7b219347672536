/** What a text means, or what was expected instead: the end of a sentence. */
export type Parsed<T> = { readonly value: T } | { readonly expected: string };
