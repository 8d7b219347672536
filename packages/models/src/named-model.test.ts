import { BaeError } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { parseModelName } from './choose-model.ts';

it.each([
  ['anthropic/claude-sonnet-5-5', 'anthropic', 'claude-sonnet-5-5'],
  ['openai-compatible/meta/llama-4', 'openai-compatible', 'meta/llama-4'],
  ['ollama/llama4:8b', 'ollama', 'llama4:8b'],
  ['google', 'google', undefined],
  ['google/', 'google', undefined],
  ['claude-cli', 'claude-cli', undefined],
  ['claude-cli/opus', 'claude-cli', 'opus'],
])('reads %s', (name, provider, model) => {
  expect(parseModelName(name)).toEqual({ provider, model });
});

function complaint(name: string): readonly string[] {
  try {
    parseModelName(name);
  } catch (error) {
    if (BaeError.is(error)) return [error.code, error.message, ...error.hints];
  }
  return [];
}

describe('an unknown provider', () => {
  it.each([
    [
      'antropic/claude-x',
      "no model provider 'antropic'. Did you mean 'anthropic/claude-x'?",
      '--model anthropic/claude-x',
    ],
    ['olama', "no model provider 'olama'. Did you mean 'ollama'?", '--model ollama'],
    ['Claude-Cli', "no model provider 'Claude-Cli'. Did you mean 'claude-cli'?", '--model claude-cli'],
    [
      'openai_compatible/x',
      "no model provider 'openai_compatible'. Did you mean 'openai-compatible/x'?",
      '--model openai-compatible/x',
    ],
    [
      'claude-opus-5-5',
      "no model provider 'claude-opus-5-5'. Did you mean 'anthropic/claude-opus-5-5'?",
      '--model anthropic/claude-opus-5-5',
    ],
    [
      'gpt-6.1-sol',
      "no model provider 'gpt-6.1-sol'. Did you mean 'openai/gpt-6.1-sol'?",
      '--model openai/gpt-6.1-sol',
    ],
    [
      'gemini-3.8-flash',
      "no model provider 'gemini-3.8-flash'. Did you mean 'google/gemini-3.8-flash'?",
      '--model google/gemini-3.8-flash',
    ],
    [
      'mistral/large',
      "no model provider 'mistral'. There are anthropic, openai, google, ollama, openai-compatible, claude-cli.",
      '--model anthropic/NAME',
    ],
    [
      '',
      "no model provider ''. There are anthropic, openai, google, ollama, openai-compatible, claude-cli.",
      '--model anthropic/NAME',
    ],
  ])('%s is answered with what was probably meant', (name, message, hint) => {
    expect(complaint(name)).toEqual(['BAE_CONFIGURATION', message, hint]);
  });
});
