import { once } from 'node:events';
import { connect } from 'node:net';
import { ConfigurationError, type Model } from '@bae/core';
import { findBaseUrl, findSetting, pickSettings, type Environment, type ProviderOptions } from './provider-settings.ts';
import { openaiCompatibleModel } from './providers.ts';
import { readableFetch } from './readable-fetch.ts';

const LOCAL = '127.0.0.1';
const PORT = '11434';
const PROBE_MS = 500;

/**
 * Makes a model served by the local Ollama. It needs no key.
 *
 * @throws ConfigurationError for a malformed base URL
 */
export function ollamaModel(model: string, options: ProviderOptions = {}): Model {
  const baseUrl = findBaseUrl([], options) ?? `${findOllamaUrl(options.env ?? {})}/v1`;
  return openaiCompatibleModel(model, {
    provider: 'ollama',
    baseUrl,
    apiKey: options.apiKey ?? 'ollama',
    protocol: options.protocol,
    accepts: options.accepts,
    ...pickSettings(options),
  });
}

/**
 * Returns the address of Ollama: `http://127.0.0.1:11434`, or OLLAMA_HOST.
 *
 * OLLAMA_HOST is interpreted as by Ollama itself: scheme and port may be missing, and the address that means "listen on
 * every interface" is replaced by that of this machine.
 *
 * @throws ConfigurationError for an OLLAMA_HOST that is not an address
 */
export function findOllamaUrl(env: Environment): string {
  const host = findSetting(env, ['OLLAMA_HOST'])?.value ?? LOCAL;
  const whole = host.includes('://') ? host : `http://${host.startsWith(':') ? LOCAL : ''}${host}`;
  if (!URL.canParse(whole)) {
    throw new ConfigurationError(`OLLAMA_HOST is '${host}', which is not an address.`, [
      'export OLLAMA_HOST=127.0.0.1:11434',
    ]);
  }
  const url = new URL(whole);
  if (url.port === '' && !host.includes('://')) url.port = PORT;
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = LOCAL;
  return url.origin;
}

/**
 * Lists the names of the models of an Ollama, the most recently changed first; undefined if none responds.
 *
 * @param url without path: `http://127.0.0.1:11434`
 */
export async function probeOllama(url: string): Promise<readonly string[] | undefined> {
  try {
    // Loading `fetch` takes longer than everything else here, and most machines have no Ollama.
    if (isLocal(url) && !(await isListening(url))) return undefined;
    const response = await readableFetch(`${url}/api/tags`, { signal: AbortSignal.timeout(PROBE_MS) });
    if (!response.ok) return undefined;
    const body = (await response.json()) as { readonly models?: readonly { readonly name?: unknown }[] };
    return (body.models ?? []).map(({ name }) => name).filter((name) => typeof name === 'string');
  } catch {
    return undefined;
  }
}

function isLocal(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}

/** Resolves to true if a server accepts connections at an address. */
async function isListening(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const defaultPort = protocol === 'https:' ? 443 : 80;
  const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? defaultPort : Number(port) });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PROBE_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
