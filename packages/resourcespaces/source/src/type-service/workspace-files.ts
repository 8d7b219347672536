/** How the type service gets at the files of a workspace. All paths are absolute. */
export interface WorkspaceFiles {
  /** The text of a file as it is on disk; undefined when it is missing or cannot be read as text. */
  read(file: string): Promise<string | undefined>;
  /** Every TypeScript and JavaScript file that people write; nothing generated, nothing installed. */
  sources(): Promise<readonly string[]>;
  /** Those of the sources whose text contains a word. */
  mentioning(word: string, signal: AbortSignal): Promise<readonly string[]>;
}
