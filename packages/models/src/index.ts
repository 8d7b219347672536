// Public API for choosing a model by name, or making one from a provider, the AI SDK or the command line.
export { chooseModel, type ChooseModelOptions, type ModelChoice } from './choose-model.ts';
export { DEFAULT_MODELS, type Environment, type ModelSettings, type ProviderOptions } from './provider-settings.ts';
export {
  anthropicModel,
  googleModel,
  openaiCompatibleModel,
  openaiModel,
  type CompatibleOptions,
} from './providers.ts';
export { ollamaModel } from './ollama.ts';
export { fallbackModel, createLedger, type Ledger, type LedgerRow } from './wrappers/model-wrappers.ts';
export { aiSdkModel, type AiSdkLanguageModel, type AiSdkModelOptions } from './ai-sdk-model.ts';
export type { CallProtocol } from './native/native-tools.ts';
export { claudeCli, type ClaudeCliOptions } from './claude-cli/claude-cli.ts';
