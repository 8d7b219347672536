/**
 * Version of what a package of resourcespaces may rely on: the protocol of spaces and tools, the exports that
 * are looked at, the format of the manifest. A package says in package.json which ones it is made for:
 * `"bae": { "api": "^1" }`.
 */
export const PLUGIN_API = '1.0.0';

/** What marks a package as one of resourcespaces. */
export const PLUGIN_KEYWORD = 'bae-resourcespace';
