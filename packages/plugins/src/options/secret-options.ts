import { homedir } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { readBytes, getMode } from '../disk.ts';
import { PluginError } from '../plugin-error.ts';

type Options = Readonly<Record<string, unknown>>;

/** Sources of the secrets in options. */
export interface SecretPlace {
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder to which file paths are relative. */
  readonly folder: string;
}

/** Location of a secret in a configuration, which never contains the secret itself. */
type SecretReference = { readonly env: string } | { readonly file: string };

/** Lists the options that are secrets according to the schema in a manifest: `z.string().meta({ secret: true })`. */
export function listSecretNames(schema: Options | undefined): readonly string[] {
  const properties = Object.entries((schema?.['properties'] as Options | undefined) ?? {});
  return properties.flatMap(([name, part]) => ((part as Options)['secret'] === true ? [name] : []));
}

/** Explains, as the end of a line, why a secret is given incorrectly; undefined if it is correct or absent. */
export function findSecretProblem(value: unknown): string | undefined {
  if (value === undefined || toReference(value) !== undefined) return undefined;
  return 'expected where the secret is, {"env": "NAME"} or {"file": "PATH"}; a secret is not written into the configuration.';
}

function toReference(value: unknown): SecretReference | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const [entry, ...others] = Object.entries(value);
  const isOne = entry !== undefined && others.length === 0 && ['env', 'file'].includes(entry[0]);
  return isOne && typeof entry[1] === 'string' && entry[1] !== '' ? (value as SecretReference) : undefined;
}

/**
 * Replaces the references in the options with the secrets, and returns both.
 *
 * @throws PluginError when a variable is not set, or a file is missing, empty or readable by others
 */
export function fillSecrets(
  { options, names }: { readonly options: Options; readonly names: readonly string[] },
  place: SecretPlace,
): { readonly options: Options; readonly secrets: readonly string[] } {
  const found = names.flatMap((name) => {
    const reference = toReference(options[name]);
    return reference === undefined ? [] : [[name, readSecret(name, reference, place)] as const];
  });
  return { options: { ...options, ...Object.fromEntries(found) }, secrets: found.map(([, secret]) => secret) };
}

function readSecret(name: string, reference: SecretReference, { env, folder }: SecretPlace): string {
  if ('env' in reference) {
    const value = env[reference.env]?.trim() ?? '';
    if (value !== '') return value;
    throw new PluginError(`options.${name}: the variable ${reference.env} is not set.`, [`export ${reference.env}=…`]);
  }
  const path = isAbsolute(reference.file) ? reference.file : resolve(folder, expandHome(reference.file, env['HOME']));
  const text = String(readBytes(path) ?? '').trim();
  if (text === '') throw new PluginError(`options.${name}: ${path} is not there, or is empty.`);
  const mode = getMode(path);
  if (mode !== undefined && (mode & 0o077) !== 0) {
    const problem = `options.${name}: ${path} can be read by others (mode ${mode.toString(8)}).`;
    throw new PluginError(problem, [`chmod 600 ${path}`]);
  }
  return text;
}

function expandHome(path: string, home = homedir()): string {
  return path.replace(/^~(?=\/)/, () => home);
}
