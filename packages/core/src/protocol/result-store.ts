/** Keeps whole texts of which only a part was shown, for as long as the session may ask for them. */
export interface ResultStore {
  /** Keeps a text and returns its handle, `result:12`. */
  keep(text: string): string;
  /** The whole text of a handle, or undefined when there is none. */
  get(ref: string): string | undefined;
  /** Handles there are, oldest first: for the message about one that there is not. */
  handles?(): readonly string[];
}
