import { chooseModel, type ModelChoice } from '@bae/models';
import type { SettingsSource, Settings } from './config/settings.ts';

/** One-line hint on how to get a model. */
export const WAYS_TO_A_MODEL =
  'export ANTHROPIC_API_KEY=…, --model ollama/NAME, or {"model": "provider/name"} in bae.config.json';

/**
 * Chooses the model of the command line. If there is none, uses that of the configuration, and then any that the
 * environment provides.
 *
 * @throws ConfigurationError when the named one is not available
 */
export function chooseModelFor(settings: Settings, { options, terminal }: SettingsSource): Promise<ModelChoice> {
  const { model, baseUrl, protocol, accepts } = settings;
  const isUnnamed = options.model === undefined && model === undefined;
  const url = options.baseUrl ?? (isUnnamed ? baseUrl : undefined);
  const configured = typeof model === 'string' && baseUrl !== undefined ? { name: model, baseUrl } : model;
  return chooseModel({
    env: terminal.env,
    protocol,
    accepts,
    name: options.model,
    baseUrl: url,
    configured,
  });
}
