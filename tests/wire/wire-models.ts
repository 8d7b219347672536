import type { Model } from '@bae/core';
import { anthropicModel, openaiCompatibleModel, openaiModel } from '@bae/models';
import { ANTHROPIC_FORMAT } from './anthropic-format.ts';
import { OPENAI_FORMAT } from './openai-format.ts';
import type { WireFormat } from './wire-format.ts';

/** A wire format, and a model of ours that speaks it. */
export interface Wire {
  readonly name: string;
  readonly format: WireFormat;
  /** A model that asks the service at a base URL. */
  model(baseUrl: string): Model;
}

/** Every way in which a model of ours speaks over HTTP. */
export const WIRES: readonly Wire[] = [
  {
    name: 'openai-compatible',
    format: OPENAI_FORMAT,
    model: (baseUrl) => openaiCompatibleModel('wire', { baseUrl, apiKey: 'secret' }),
  },
  {
    name: 'openai',
    format: OPENAI_FORMAT,
    model: (baseUrl) => openaiModel('wire', { baseUrl, apiKey: 'secret' }),
  },
  {
    name: 'anthropic',
    format: ANTHROPIC_FORMAT,
    model: (baseUrl) => anthropicModel('wire', { baseUrl, apiKey: 'secret' }),
  },
];
