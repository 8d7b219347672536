// Public API: choose a model by name, or make one of a provider, of the AI SDK or of the command line.
export { chooseModel } from './choose-model.ts';
export type { ChooseModelOptions, ModelChoice } from './choose-model.ts';
export { DEFAULT_MODELS } from './default-models.ts';
export type { Environment } from './environment.ts';

export { anthropicModel } from './providers/anthropic.ts';
export { openaiModel } from './providers/openai.ts';
export { googleModel } from './providers/google.ts';
export { ollamaModel } from './providers/ollama.ts';
export { openaiCompatibleModel } from './providers/openai-compatible.ts';
export type { CompatibleOptions } from './providers/openai-compatible.ts';
export type { ProviderOptions } from './providers/provider-settings.ts';

export { aiSdkModel } from './ai-sdk-model.ts';
export type { AiSdkLanguageModel, AiSdkModelOptions } from './lazy-ai-sdk-model.ts';
export { claudeCli } from './claude-cli/claude-cli.ts';
export type { ClaudeCliOptions } from './claude-cli/claude-cli.ts';
