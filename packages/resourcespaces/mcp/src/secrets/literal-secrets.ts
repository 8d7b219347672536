import { maskKeys } from '@bae/core/pipeline';
import { isSecretName } from '@bae/project';

/** A secret that is written in settings itself, instead of the name of a variable. */
export interface LiteralSecret {
  /** Where it is: `--api-key`, `key in the address`. */
  readonly place: string;
  readonly value: string;
}

/** Minimum length of a secret, in characters: `true` and `12` are none. */
const SHORTEST = 4;
/** Word before the secret in a header: `Bearer`. */
export const SCHEME = /^[A-Za-z][\w-]*\s+/;
const OPTION = /^--?[\w-]+$/;
/** An option, a variable or a header, with its value. */
const ASSIGNMENT = /^(-{0,2}[A-Za-z_][\w-]*)(?:=|:(?!\/\/)\s*)(.+)$/s;

/** Finds the secrets in the arguments of a program: `--api-key VALUE`, `TOKEN=VALUE`, headers, addresses, and keys. */
export function findSecretsInArguments(args: readonly string[]): readonly LiteralSecret[] {
  return args.flatMap((word, index) => {
    const before = args[index - 1] ?? '';
    const [, name = '', value = ''] = ASSIGNMENT.exec(word) ?? [];
    if (isSecret(name) && isLiteral(value)) return [{ place: name, value: value.replace(SCHEME, '') }];
    if (OPTION.test(before) && isSecret(before) && !word.startsWith('-') && isLiteral(word))
      return [{ place: before, value: word }];
    const inAddress = findSecretsInAddress(/^[^=]*=(?=\w+:\/\/)/.test(word) ? value : word);
    if (inAddress.length > 0) return inAddress;
    if (!isLiteral(word) || maskKeys(word) === word) return [];
    return [{ place: name === '' ? `argument ${index + 1}` : name, value: name === '' ? word : value }];
  });
}

/** Finds the secrets in an address: its password, and the parameters of its query that are named like secrets. */
export function findSecretsInAddress(address: string): readonly LiteralSecret[] {
  if (!/^\w[\w+.-]*:\/\//.test(address)) return [];
  const [, password = ''] = /^[^:]+:\/\/[^/@:?#]*:([^@/?#]+)@/.exec(address) ?? [];
  const parameters = Array.from(address.matchAll(/[?&]([^=&#]+)=([^&#]*)/g), ([, name = '', value = '']) => ({
    place: `${name} in the address`,
    name,
    value,
  }));
  return [
    ...(isLiteral(password) ? [{ place: 'the password in the address', value: password }] : []),
    ...parameters
      .filter(({ name, value }) => isLiteral(value) && (isSecret(name) || maskKeys(value) !== value))
      .map(({ place, value }) => ({ place, value })),
  ];
}

/** Replaces secrets in a text. */
export function hideLiterals(text: string, secrets: readonly LiteralSecret[]): string {
  return secrets.reduce((rest, { value }) => rest.replaceAll(value, '…'), text);
}

function isSecret(name: string): boolean {
  const plain = name.replace(/^-+/, '').replaceAll('-', '_');
  return isSecretName(plain) || /^(?:authorization|cookie|key)$/i.test(plain);
}

function isLiteral(value: string): boolean {
  return value.length >= SHORTEST && !value.includes('${');
}
