/** The three ways to a model, in one line. */
export const WAYS_TO_A_MODEL =
  'export ANTHROPIC_API_KEY=…, --model ollama/NAME, or {"model": "provider/name"} in bae.config.json';
