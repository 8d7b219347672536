import { extname } from 'node:path';
import { uriOf } from './language-protocol.ts';
import type { LanguageServer } from './language-server.ts';

/** Files and the texts that they shall have for the compiler, whatever is on disk. */
export type Texts = ReadonlyMap<string, string>;

const LANGUAGES: Readonly<Record<string, string>> = {
  '.tsx': 'typescriptreact',
  '.jsx': 'javascriptreact',
  '.js': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
};

/** The files that a compiler sees with other texts than those on disk. */
export class OpenDocuments {
  readonly #server: LanguageServer;
  readonly #open = new Map<string, string>();
  #version = 0;

  constructor(server: LanguageServer) {
    this.#server = server;
  }

  /** From now on the compiler sees these files with these texts, and all others as they are on disk. */
  show(texts: Texts): void {
    for (const file of this.#open.keys()) if (!texts.has(file)) this.#close(file);
    for (const [file, text] of texts) this.#put(file, text.replace(/^\uFEFF/, ''));
  }

  #close(file: string): void {
    this.#open.delete(file);
    this.#server.notify('textDocument/didClose', { textDocument: { uri: uriOf(file) } });
  }

  #put(file: string, text: string): void {
    const before = this.#open.get(file);
    if (before === text) return;
    this.#open.set(file, text);
    const uri = uriOf(file);
    const version = ++this.#version;
    if (before === undefined) {
      const languageId = LANGUAGES[extname(file)] ?? 'typescript';
      this.#server.notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
      return;
    }
    this.#server.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
  }
}
