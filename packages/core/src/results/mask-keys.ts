import { ParameterError } from '../errors/bae-error.ts';

/**
 * Patterns of keys and tokens, with the prefix and length that their issuers document. Texts that merely resemble them
 * must not match, because a masked text cannot be worked with.
 */
const KEYS = [
  // Cloud providers. The key in Amazon's documentation is not a real one.
  String.raw`\b(?:AKIA|ASIA)(?!IOSFODNN7EXAMPLE)[0-9A-Z]{16}\b`,
  String.raw`\bLTAI[A-Za-z0-9]{17,24}\b`,
  String.raw`\bAIza[\w-]{35}`,
  String.raw`\bya29\.[\w-]{30,}`,
  String.raw`\bGOCSPX-[\w-]{28}`,
  String.raw`\bdo[opr]_v1_[a-f0-9]{64}`,
  String.raw`(?<=aws_secret_access_key["'\s:=]{1,5})[A-Za-z0-9/+]{40}`,
  String.raw`(?<=(?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{40,}={0,2}`,
  String.raw`(?<=ClearTextPassword[\x22']?\s{1,3}value=[\x22'])(?![%$])[^\x22'\n]{6,}`,
  String.raw`(?<=\bPrivateKey\s{0,3}=\s{0,3})[A-Za-z0-9+/]{43}=`,
  String.raw`\b[\w~.]{3}8Q~[\w~.-]{34}`,
  String.raw`\bhv[sbr]\.[\w-]{24,}`,
  String.raw`\b[A-Za-z0-9]{14}\.atlasv1\.[\w-]{60,}`,
  String.raw`\bFlyV1 fm\d_[\w+/=,-]{40,}`,
  String.raw`\bfo1_[\w-]{43}\b`,
  String.raw`\bpul-[a-f0-9]{40}\b`,
  String.raw`\b1\/\/0[\w-]{60,}`,
  String.raw`\bHRKU-AA[\w-]{58}`,
  String.raw`\btskey-[a-z]{3,8}-[\w-]{20,}`,
  // Code hosts and registries.
  String.raw`\bgh[pousr]_[A-Za-z0-9]{36,}`,
  String.raw`\bgithub_pat_[A-Za-z0-9_]{50,}`,
  String.raw`\bgl(?:pat|ptt|dt|rt|cbt|soat)-[\w-]{20,}`,
  String.raw`\bnpm_[A-Za-z0-9]{36}\b`,
  String.raw`\bpypi-[\w-]{50,}`,
  String.raw`\bdckr_pat_[\w-]{27}`,
  String.raw`\brubygems_[a-f0-9]{48}`,
  String.raw`\bcio[A-Za-z0-9]{32}\b`,
  String.raw`\bAT(?:ATT3x|BB)[\w=-]{24,}`,
  String.raw`\bbkua_[a-f0-9]{40}\b`,
  String.raw`\bCCIPAT_\w{20,}_[a-f0-9]{40}`,
  String.raw`\bAKCp[A-Za-z0-9]{69}\b`,
  String.raw`\bsgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}\b`,
  // Model providers.
  String.raw`\bsk-(?=[\w-]{0,99}\d)(?=[\w-]{0,99}[A-Z])[\w-]{32,256}`,
  String.raw`\bsk-or-v1-[a-f0-9]{64}\b`,
  String.raw`\bsk-[a-f0-9]{32}\b`,
  String.raw`\bnvapi-[\w-]{60,}`,
  String.raw`\bcsk-[a-z0-9]{48}\b`,
  String.raw`\btgp_v1_[\w-]{43}`,
  String.raw`\blsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`,
  String.raw`\bhf_[A-Za-z]{34}\b`,
  String.raw`\bgsk_[A-Za-z0-9]{50,}`,
  String.raw`\br8_[A-Za-z0-9]{37}\b`,
  String.raw`\bpplx-[A-Za-z0-9]{40,}`,
  String.raw`\bxai-[A-Za-z0-9]{60,}`,
  // Other services.
  String.raw`\bxox[abeoprs]-(?=[\w-]{0,99}\d)[\w-]{20,256}`,
  String.raw`\bxapp-\d-[\w-]{20,}`,
  String.raw`(?<=hooks\.slack\.com\/services\/)T\w{8,}\/B\w{8,}\/\w{20,}`,
  String.raw`(?<=discord(?:app)?\.com\/api\/webhooks\/)\d{17,20}\/[\w-]{60,}`,
  String.raw`\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}`,
  String.raw`\b[sr]k_(?:live|test)_[A-Za-z0-9]{20,}`,
  String.raw`\bwhsec_[A-Za-z0-9+/]{32,}`,
  String.raw`\bSG\.[\w-]{20,}\.[\w-]{20,}`,
  String.raw`\bSK[a-f0-9]{32}\b`,
  String.raw`\b[a-f0-9]{32}-us\d{1,2}\b`,
  String.raw`\bsq0(?:atp|csp)-[\w-]{22,}`,
  String.raw`\bkey-[a-f0-9]{32}\b`,
  String.raw`\bdapi[a-f0-9]{32}\b`,
  String.raw`\bdp\.(?:pt|st|ct|sa)\.[\w.-]{40,}`,
  String.raw`\bNRAK-[A-Z0-9]{27}\b`,
  String.raw`\bsntry[su]_[\w+/=]{40,}`,
  String.raw`\bnfp_[A-Za-z0-9]{36}`,
  String.raw`\bsbp_[a-f0-9]{40}\b`,
  String.raw`\bpscale_(?:tkn|pw|oauth)_[\w.-]{32,}`,
  String.raw`\bntn_[A-Za-z0-9]{40,}`,
  String.raw`\bpat[A-Za-z0-9]{14}\.[a-f0-9]{64}`,
  String.raw`\bglsa_[A-Za-z0-9]{32}_[a-f0-9]{8}`,
  String.raw`\bglc_eyJ[\w+/=]{32,}`,
  String.raw`\bdt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}\b`,
  String.raw`\bph[xs]_[A-Za-z0-9]{40,}`,
  String.raw`\bsk\.eyJ[\w-]{30,}\.[\w-]{20,}`,
  String.raw`\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}\b`,
  String.raw`\bAAAA[\w-]{7}:APA91[\w-]{130,}`,
  String.raw`\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}`,
  String.raw`\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}`,
  String.raw`\blin_api_[A-Za-z0-9]{40}`,
  String.raw`\bfigd_[\w-]{40,}`,
  String.raw`\b\d{8,10}:AA[\w-]{33}`,
  // Signed token, but not the example of the JWT documentation.
  String.raw`\beyJ[\w-]{10,}\.(?!eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6)eyJ[\w-]{10,}\.[\w-]{20,}`,
  // Credentials in the header of a request.
  String.raw`(?<=[Aa]uthorization["']?\s{0,3}[:=]\s{0,3}["']?(?:[Bb]earer|[Bb]asic|[Tt]oken) {1,3})(?=[\w.~+/=-]{0,99}\d)(?!eyJ)[\w.~+/=-]{24,}`,
  // Password in a URL, but not a placeholder for one.
  String.raw`(?<=:\/\/[^\s:@/]{0,64}:)(?!pass|secret|user|postgres|root|admin|example|test|your|x{3}|[$<{*%[(])[^\s:@/"'\x60]{8,}(?=@(?!localhost|127\.|example\.|host))`,
];
/** Patterns of keys that span several lines. */
const BLOCKS = [
  // Private key, whether or not its lines are quoted or numbered.
  String.raw`-----BEGIN[A-Z ]* PRIVATE KEY(?: BLOCK)?-----(?:[\s|\d]*(?:Version|Comment|Proc-Type|DEK-Info): [^\n]*)*(?:(?:\\[nr]|[\s"'+,|\d:-])*[A-Za-z0-9+/=]{16,})+`,
  String.raw`\bAGE-SECRET-KEY-1[A-Z0-9]{58}`,
  String.raw`(?<=Private-Lines: \d{1,3}\s{1,2})(?:[A-Za-z0-9+/=]{16,}\s{0,2})+`,
];
const ANY_KEY = new RegExp(KEYS.join('|'), 'g');
const ANY_BLOCK = new RegExp(BLOCKS.join('|'), 'g');
const BEGINS_BLOCK = /PRIVATE KEY|AGE-SECRET|Private-Lines/;
/** Quick test that matches every text with a key; by first characters, so that most positions fail at once. */
const SUSPICIOUS =
  /A(?:KIA|SIA|Iza|ccountKey|ccessKey|KCp|TATT|TBB|GE-SECRET)|C(?:CIPAT|learTextPassword)|FlyV1|GOCSPX|HRKU|LTAI|NRAK|P(?:rivateKey|MAK|RIVATE KEY|rivate-Lines)|S(?:G\.|K[a-f0-9]{32})|[Aa]uthorization|a(?:tlasv1|pi\/webhooks)|bkua_|c(?:sk-|io[A-Za-z0-9]{32})|d(?:t0[a-z]\d|api|p\.(?:pt|st|ct|sa)\.)|eyJ|f(?:o1_|igd_)|g(?:lc_|h[pousr]_|l(?:pat|ptt|dt|rt|cbt|soat)-|sk_|lsa_)|h(?:v[sbr]\.[\w-]{24}|f_|ooks\.slack)|key-|l(?:sv2_|in_api)|n(?:vapi|pm_|fp_|tn_)|p(?:ul-|h[xs]_|ypi-|plx-|scale_|at[A-Za-z0-9]{14}\.)|r(?:e_[A-Za-z0-9]{8}_|ubygems_|8_)|s(?:ecret_access|gp_|k\.eyJ|k-|q0|ntry|bp_|hp)|t(?:skey|gp_v1)|whsec|x(?:ai-|ox|app)|ya29|1\/\/0|8Q~|_(?:v1_|pat_|live_|test_)|-us\d|\.[\w-]{6}\.[\w-]{27}|:(?:APA91|AA|\/\/[^\s:@/]{0,64}:)/;
const SHOWN = 4;
const MASK = /‹masked [^›\n]{1,16}›/;

/** Replaces anything that looks like a key, a token or a password in a URL by `‹masked AKIA…›`. */
export function maskKeys(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  const rest = BEGINS_BLOCK.test(text) ? text.replace(ANY_BLOCK, '‹masked private key›') : text;
  return rest.split('\n').map(maskLine).join('\n');
}

function maskLine(line: string): string {
  if (!SUSPICIOUS.test(line)) return line;
  return line.replace(ANY_KEY, (key) => `‹masked ${key.slice(0, SHOWN).replaceAll('›', '')}…›`);
}

/** Masks all texts in a data value; returns the value itself if there is nothing to mask. */
export function maskData(value: unknown, above: readonly unknown[] = []): unknown {
  if (typeof value === 'string') return maskKeys(value);
  // A value that contains itself is marked when it is converted to text.
  if (typeof value !== 'object' || value === null || above.includes(value)) return value;
  const mask = (inner: unknown) => maskData(inner, [...above, value]);
  if (Array.isArray(value)) {
    const masked = value.map((item) => mask(item));
    return masked.every((item, index) => item === value[index]) ? value : masked;
  }
  const entries = Object.entries(value);
  const masked = entries.map(([name, item]) => [maskKeys(name), mask(item)] as const);
  const isSame = masked.every(([name, item], index) => name === entries[index]![0] && item === entries[index]![1]);
  return isSame ? value : Object.fromEntries(masked);
}

/**
 * Refuses arguments of a change that contain a mask: it would be saved in place of the key.
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
