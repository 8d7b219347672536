/** Beginnings of what bae adds to a prompt, below what the person typed. */
const ADDED = ['[Attached: ', '[The mode is plan: ', '[What was done before, summed up]'];

/** Adds texts of bae to a prompt, each of which begins like one of `ADDED`. */
export function addToPrompt(prompt: string, ...texts: readonly string[]): string {
  return [prompt, ...texts.filter((text) => text !== '')].join('\n\n');
}

/** Returns what the person typed of a prompt. */
export function readTyped(prompt: string): string {
  const places = ADDED.map((text) => prompt.indexOf(`\n\n${text}`)).filter((at) => at >= 0);
  return prompt.slice(0, Math.min(prompt.length, ...places)).trim();
}
