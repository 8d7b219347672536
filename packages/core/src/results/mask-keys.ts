import { ParameterError } from '../errors/call-errors.ts';

/**
 * Keys and tokens that are recognised by how they are written, with the prefix and length that their issuers document.
 * Texts that merely resemble them must not match: what is masked cannot be worked with.
 */
const KEYS = [
  // Cloud providers.
  String.raw`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`,
  String.raw`\bAIza[\w-]{35}`,
  String.raw`\bya29\.[\w-]{30,}`,
  String.raw`\bdop_v1_[a-f0-9]{64}`,
  String.raw`(?<=aws_secret_access_key["'\s:=]{1,5})[A-Za-z0-9/+]{40}`,
  String.raw`(?<=AccountKey=)[A-Za-z0-9+/]{80,}={0,2}`,
  // Code hosts and registries.
  String.raw`\bgh[pousr]_[A-Za-z0-9]{36,}`,
  String.raw`\bgithub_pat_[A-Za-z0-9_]{50,}`,
  String.raw`\bglpat-[\w-]{20,}`,
  String.raw`\bnpm_[A-Za-z0-9]{36}\b`,
  String.raw`\bpypi-[\w-]{50,}`,
  // Models.
  String.raw`\bsk-(?=[\w-]{0,99}\d)(?=[\w-]{0,99}[A-Z])[\w-]{32,256}`,
  String.raw`\bhf_[A-Za-z]{34}\b`,
  // Services.
  String.raw`\bxox[abeoprs]-(?=[\w-]{0,99}\d)[\w-]{20,256}`,
  String.raw`\bxapp-\d-[\w-]{20,}`,
  String.raw`\b[sr]k_live_[A-Za-z0-9]{20,}`,
  String.raw`\bwhsec_[A-Za-z0-9+/]{32,}`,
  String.raw`\bSG\.[\w-]{20,}\.[\w-]{20,}`,
  String.raw`\bkey-[a-f0-9]{32}\b`,
  String.raw`\bdapi[a-f0-9]{32}\b`,
  String.raw`\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`,
  String.raw`\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}`,
  String.raw`\blin_api_[A-Za-z0-9]{40}`,
  String.raw`\bfigd_[\w-]{40,}`,
  String.raw`\b\d{8,10}:AA[\w-]{33}`,
  String.raw`\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}`,
  // The password of an address, but not one that only shows where a password goes.
  String.raw`(?<=:\/\/[^\s:@/]{1,64}:)(?!pass|secret|user|postgres|root|admin|example|test|your|x{3}|[$<{*%[(])[^\s:@/"'\x60]{8,}(?=@(?!localhost|127\.|example\.|host))`,
  // A private key, however its lines are quoted or numbered.
  String.raw`-----BEGIN[A-Z ]* PRIVATE KEY-----(?:(?:\\[nr]|[\s"'+,|\d:-])*[A-Za-z0-9+/=]{16,})+`,
];
const ANY_KEY = new RegExp(KEYS.join('|'), 'g');
/** In every text with a key: a quick look. */
const SUSPICIOUS =
  /AKIA|ASIA|AIza|ya29|_v1_|secret_access|AccountKey|gh[pousr]_|_pat_|glpat|npm_|pypi-|sk-|hf_|xox|xapp|_live_|whsec|SG\.|key-|dapi|shp|PMAK|lin_api|figd_|:AA|eyJ|:\/\/[^\s:@/]{1,64}:|PRIVATE KEY/;
const SHOWN = 4;
const MASK = /‹masked [^›\n]{1,16}›/;

/** Replaces what looks like a key, a token or a password in an address by `‹masked AKIA…›`. */
export function maskKeys(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return text.replace(ANY_KEY, (key) =>
    key.startsWith('-----') ? '‹masked private key›' : `‹masked ${key.slice(0, SHOWN).replaceAll('›', '')}…›`,
  );
}

/**
 * Refuses arguments of a change that hold a mask: it would be saved in the place of the key.
 *
 * @throws ParameterError that names the argument
 */
export function refuseMasks(args: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(args)) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    const mask = MASK.exec(text)?.[0];
    if (mask === undefined) continue;
    const fact = `${name}: ${mask} stands for a key that was not shown, and would be saved in its place.`;
    throw new ParameterError(`${fact} Change the lines around it, and leave its line out.`, ['<help:edit>']);
  }
}
