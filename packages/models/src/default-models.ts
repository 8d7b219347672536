/**
 * The model that a provider's bare name stands for: the balanced one of its current line.
 *
 * The one place to change when a provider brings out a new line. Checked in November 2026.
 */
export const DEFAULT_MODELS = {
  anthropic: 'claude-sonnet-5-5',
  openai: 'gpt-6.1-sol',
  google: 'gemini-3.8-flash',
} as const;
