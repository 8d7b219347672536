import { ConfigurationError, type Model } from '@bae/core';
import { chooseModel, type ModelChoice } from '@bae/models';
import type { Settings } from './config/settings.ts';
import type { Terminal } from './terminal/terminal.ts';

/** The three ways to a model, in one line. */
export const WAYS_TO_A_MODEL =
  'export ANTHROPIC_API_KEY=…, --model ollama/NAME, or {"model": "provider/name"} in bae.config.json';

/**
 * The model to use: of the command line, else of the configuration, else what the environment offers.
 *
 * @throws ConfigurationError when the one that was named cannot be had
 */
export function chooseModelFor(settings: Settings, env: Terminal['env']): Promise<ModelChoice> {
  const { modelName, baseUrl, configured, configuredUrl } = settings;
  const url = baseUrl ?? (modelName === undefined && configured === undefined ? configuredUrl : undefined);
  const fromConfig =
    typeof configured === 'string' && configuredUrl !== undefined
      ? { name: configured, baseUrl: configuredUrl }
      : configured;
  return chooseModel({
    env,
    ...(modelName !== undefined && { name: modelName }),
    ...(url !== undefined && { baseUrl: url }),
    ...(fromConfig !== undefined && { configured: fromConfig }),
  });
}

/** The chosen model. @throws ConfigurationError when there is none */
export function requireModel({ model }: ModelChoice): Model {
  if (model === undefined) throw new ConfigurationError('there is no model to ask.', [WAYS_TO_A_MODEL]);
  return model;
}
