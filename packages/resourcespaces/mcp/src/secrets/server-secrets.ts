import { isSecretName } from '@bae/project';
import type { ServerPlace } from '../server-connection.ts';
import {
  expandQuietly,
  findLiteralSecrets,
  getAddress,
  isProgram,
  listVariables,
  type ServerSettings,
} from '../server-settings.ts';
import { SCHEME } from './literal-secrets.ts';

/** Minimum length of a secret, in characters: `true` and `basic` are none. */
const SHORTEST = 8;
const SECRET_HEADER = /authorization|cookie/i;

/**
 * Lists the secrets of a server as they are now: values of variables and headers that are named like secrets, those in
 * its arguments or address, the client secret, and the tokens of the login.
 */
export function listServerSecrets(
  name: string,
  settings: ServerSettings,
  place: Pick<ServerPlace, 'env' | 'login'>,
): readonly string[] {
  const { env } = place;
  const fields = isProgram(settings) ? settings.env : settings.headers;
  const named = Object.entries(fields).filter(
    ([key]) => isSecretName(key.replaceAll('-', '_')) || SECRET_HEADER.test(key),
  );
  const variables = listVariables(settings).filter((variable) => isSecretName(variable));
  const clientSecret = isProgram(settings) ? undefined : settings.oauth?.clientSecret;
  const values = [
    ...named
      .map(([, value]) => expandQuietly(value, env))
      .map((value) => (isProgram(settings) ? value : value.replace(SCHEME, ''))),
    ...variables.map((variable) => env[variable] ?? ''),
    ...(clientSecret === undefined ? [] : [expandQuietly(clientSecret, env)]),
    ...findLiteralSecrets(settings).map(({ value }) => value),
    ...listLoginTokens(name, settings, place),
  ];
  return [...new Set(values)].filter(({ length }) => length >= SHORTEST);
}

function listLoginTokens(name: string, settings: ServerSettings, { env, login }: Pick<ServerPlace, 'env' | 'login'>) {
  if (login === undefined || isProgram(settings)) return [];
  try {
    const { tokens } = login(getAddress(name, settings, env) ?? '').read() ?? {};
    return [tokens?.access_token, tokens?.refresh_token].filter((token) => token !== undefined);
  } catch {
    // A variable of the address is not set: there is no login.
    return [];
  }
}
