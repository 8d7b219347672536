import { describe, expect, it } from 'vitest';
import { maskData, maskKeys, refuseMasks } from './mask-keys.ts';

/** Made for these tests: put together, so that no scanner takes this file for a leak. */
const key = (...parts: readonly string[]) => parts.join('');
const letters = (count: number) => 'aB3dE6gH9jK2mN5pQ8sT1vW4xY7zA0cF'.repeat(5).slice(0, count);
const hex = (count: number) => '0123456789abcdef'.repeat(5).slice(0, count);

const SAMPLES = [
  key('AKIA', 'ABCDEFGHIJKLMNOP'),
  key('ASIA', 'ABCDEFGHIJ234567'),
  key('AIza', letters(35)),
  key('ya29', '.', letters(40)),
  key('dop_v1', '_', hex(64)),
  key('ghp', '_', letters(36)),
  key('gho', '_', letters(36)),
  key('ghs', '_', letters(40)),
  key('github', '_pat_', letters(60)),
  key('glpat', '-', letters(20)),
  key('npm', '_', letters(36)),
  key('pypi', '-', letters(80)),
  key('sk', '-', letters(48)),
  key('sk', '-proj-', letters(60)),
  key('sk', '-ant-api03-', letters(90)),
  key('hf', '_', 'aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH'),
  key('xoxb', '-1234567890-', letters(24)),
  key('xapp', '-1-', letters(30)),
  key('sk', '_live_', letters(24)),
  key('rk', '_live_', letters(24)),
  key('whsec', '_', letters(32)),
  key('SG', '.', letters(22), '.', letters(43)),
  key('key', '-', hex(32)),
  key('dapi', hex(32)),
  key('shpat', '_', hex(32)),
  key('PMAK', '-', hex(24), '-', hex(34)),
  key('lin', '_api_', letters(40)),
  key('figd', '_', letters(44)),
  key('123456789', ':AA', letters(33)),
  key('eyJ', letters(20), '.', 'eyJ', letters(30), '.', letters(43)),
  key('LTAI', letters(20)),
  key('GOCSPX', '-', letters(28)),
  key('dor_v1', '_', hex(64)),
  key('aB3', '8Q~', letters(34)),
  key('hvs', '.', letters(90)),
  key(letters(14), '.atlasv1.', letters(64)),
  key('gldt', '-', letters(20)),
  key('dckr', '_pat_', letters(27)),
  key('rubygems', '_', hex(48)),
  key('cio', letters(32)),
  key('ATATT3x', letters(60)),
  key('gsk', '_', letters(52)),
  key('r8', '_', letters(37)),
  key('pplx', '-', letters(48)),
  key('xai', '-', letters(80)),
  key('M', letters(23), '.', letters(6), '.', letters(38)),
  key('sk', '_test_', letters(24)),
  key('SK', hex(32)),
  key(hex(32), '-us21'),
  key('sq0csp', '-', letters(43)),
  key('dp', '.pt.', letters(43)),
  key('NRAK', '-', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ2'),
  key('sntrys', '_', letters(64)),
  key('nfp', '_', letters(36)),
  key('sbp', '_', hex(40)),
  key('pscale', '_pw_', letters(43)),
  key('ntn', '_', letters(46)),
  key('pat', letters(14), '.', hex(64)),
  key('glsa', '_', letters(32), '_', hex(8)),
  key('fo1', '_', letters(43)),
  key('pul', '-', hex(40)),
  key('1//', '0', letters(62)),
  key('HRKU', '-AA', letters(58)),
  key('tskey', '-auth-', letters(12), '-', letters(32)),
  key('bkua', '_', hex(40)),
  key('CCIPAT', '_', letters(22), '_', hex(40)),
  key('AKCp', letters(69)),
  key('sgp', '_', hex(16), '_', hex(40)),
  key('sk', '-or-v1-', hex(64)),
  key('sk', '-', hex(32)),
  key('nvapi', '-', letters(64)),
  key('csk', '-', hex(48)),
  key('tgp', '_v1_', letters(43)),
  key('lsv2', '_pt_', hex(32), '_', hex(10)),
  key('glc', '_eyJ', letters(60)),
  key('dt0c01', '.', 'ABCDEFGHIJKLMNOPQRSTUVWX', '.', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.repeat(2)),
  key('phx', '_', letters(43)),
  key('sk', '.eyJ', letters(60), '.', letters(22)),
  key('re', '_', letters(8), '_', letters(24)),
  key('AAAA', letters(7), ':APA91', letters(130)),
  key('AGE-SECRET', '-KEY-1', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567ABCDEFGHIJKLMNOPQRSTUVWXYZ'),
];

describe('maskKeys', () => {
  it.each(SAMPLES)('leaves nothing but the beginning of %s', (secret) => {
    for (const text of [secret, `TOKEN=${secret}\n`, `12|  "token": "${secret}",`, `a ${secret} b ${secret}`]) {
      const masked = maskKeys(text);
      expect(masked).not.toContain(secret.slice(0, 12));
      expect(masked).toContain('‹masked ');
    }
  });

  it('leaves the examples of documentation, and what merely resembles a key', () => {
    const example = key(
      'eyJ',
      'hbGciOiJIUzI1NiJ9',
      '.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6',
      'IkpvaG4gRG9lIn0.',
      letters(43),
    );
    for (const text of [
      key('AKIA', 'IOSFODNN7EXAMPLE'),
      example,
      'Authorization: Bearer YOUR_ACCESS_TOKEN_GOES_HERE',
      '<add key="ClearTextPassword" value="%NUGET_TOKEN%" />',
      'task-0123456789abcdef0123456789abcdef',
      'cpio-2.13',
      'a.b.c',
      'SKU',
    ])
      expect(maskKeys(text)).toBe(text);
  });

  it('masks in data, and returns what has nothing to mask as it is', () => {
    const secret = SAMPLES[0]!;
    const data = [{ path: 'a', line: 1, text: `x ${secret}` }];
    expect(maskData(data)).toEqual([{ path: 'a', line: 1, text: 'x ‹masked AKIA…›' }]);
    const plain = [{ text: 'x', n: [1, null, true] }];
    expect(maskData(plain)).toBe(plain);
  });

  it('masks keys that only their surroundings tell', () => {
    for (const text of [
      `Authorization: Bearer ${letters(40)}`,
      `"authorization": "Basic ${letters(40)}"`,
      `https://hooks.slack.com/services/T00000000/B00000000/${letters(24)}`,
      `https://discord.com/api/webhooks/123456789012345678/${letters(68)}`,
      `<add key="ClearTextPassword" value="${letters(20)}" />`,
      `[Interface]\nPrivateKey = ${letters(43)}=`,
      `redis://:${letters(20)}@cache.internal:6379`,
      `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 14\n${letters(64)}\n${letters(64)}`,
      `-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: GnuPG v2\n\n${letters(64)}\n`,
    ]) {
      expect(maskKeys(text)).toContain('‹masked ');
      expect(maskKeys(text)).not.toContain(letters(20).slice(8));
    }
    const secret = letters(40);
    expect(maskKeys(`aws_secret_access_key = ${secret}`)).toBe(
      `aws_secret_access_key = ‹masked ${secret.slice(0, 4)}…›`,
    );
    expect(maskKeys(`AccountKey=${letters(86)}==;`)).toBe('AccountKey=‹masked aB3d…›;');
    expect(maskKeys('postgres://shop:hunter2-and-more@db.internal/x')).toBe(
      'postgres://shop:‹masked hunt…›@db.internal/x',
    );
  });

  it('masks a private key with all its lines, numbered or quoted', () => {
    const lines = [letters(64), letters(64), `${letters(30)}==`];
    const begin = key('-----BEGIN RSA ', 'PRIVATE KEY-----');
    const end = key('-----END RSA ', 'PRIVATE KEY-----');
    for (const shown of [
      [begin, ...lines, end].join('\n'),
      [begin, ...lines, end].map((line, index) => `${index + 1}|${line}`).join('\n'),
      JSON.stringify([begin, ...lines, end].join('\n')),
    ]) {
      const masked = maskKeys(shown);
      expect(masked).toContain('‹masked private key›');
      expect(masked).not.toContain(lines[1]!.slice(0, 20));
      expect(masked).toContain(end);
    }
  });

  it.each([
    'const key = process.env.OPENAI_API_KEY;',
    'postgres://user:password@localhost:5432/db',
    'https://example.org:8080/a@b',
    'the class sk-loading-indicator-with-a-very-long-name-indeed',
    'sha512-abcdefABCDEF0123456789+/abcdefABCDEF0123456789+/abcdefABCDEF0123456789+/==',
    `commit ${hex(40)}`,
    '-----BEGIN PRIVATE KEY-----',
    'npm_config_registry and npm_package_name',
    'hf_hub_download(repo_id="x")',
    'https://${user}:${password}@db.internal/x',
    '',
  ])('leaves %j as it is', (text) => {
    expect(maskKeys(text)).toBe(text);
  });

  it('takes time in proportion to the text', { tags: ['long'] }, () => {
    for (const piece of ['sk-', 'a://b:', 'eyJ', '-----BEGIN PRIVATE KEY-----\n1', ':AA']) {
      expect(maskKeys(piece.repeat(100_000)).length).toBeGreaterThan(0);
    }
  });
});

describe('refuseMasks', () => {
  it('refuses an argument with a mask, and names it', () => {
    const content = maskKeys(`TOKEN=${SAMPLES[0]}`);
    expect(() => refuseMasks({ target: '.x', content })).toThrow('content: ‹masked AKIA…› stands for a key');
    expect(() => refuseMasks({ blocks: [{ text: content }] })).toThrow('blocks: ‹masked');
  });

  it('lets everything else pass', () => {
    expect(() => refuseMasks({ content: 'a ‹masked› b', count: 1, list: ['x'] })).not.toThrow();
  });
});

it('leaves data that contains itself as it is', () => {
  const circle: Record<string, unknown> = { list: [] };
  circle['self'] = [circle];
  expect(maskData(circle)).toBe(circle);
});
