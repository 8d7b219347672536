/** Lines at the end of the screen that get every key, until they close. */
export interface KeyMenu {
  /** Returns the lines, each of which fits the screen; none closes the menu. */
  render(): readonly string[];
  /**
   * Acts on a key by name, such as `down`, `3` or `ctrl-c`. `close` also closes the menu; `pass` closes it and leaves
   * the key to the text that is being typed.
   */
  press(key: string): 'stay' | 'close' | 'pass';
}
