import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName, findProtection } from './path-protection.ts';

/** A path of each kind, and what tools are told of it. */
const SECRETS = {
  'is a file of bae itself': ['.bae/tasks.db', '.bae/new', '.bae'],
  'belongs to git': ['.git', '.git/config', '.git/hooks/pre-commit', 'sub/.git/HEAD', '.git/new/file'],
  'may hold passwords': ['.env', '.env.local', '.envrc', '.environment', 'app/.env.production', '.env/x', '.netrc', '.pgpass', '.aws/credentials', '.git-credentials'],
  'may be a private key': ['id_rsa', 'keys/id_ed25519', 'id_rsa.bak', 'id_ecdsa_sk', 'server.pem', 'a/b/server.key', 'x.p12', 'x.pfx', '.ssh/config', '.ssh/id_rsa.pub', '.gnupg/x'],
}; // prettier-ignore
const UNWRITABLE = {
  'belongs to bae': ['bae.config.ts', 'bae.config.json', 'app/bae.config.mts'],
  'runs when a shell or git starts': [
    '.bashrc', '.bash_profile', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.kshrc', '.cshrc', '.tcshrc',
    '.config/fish/config.fish', 'Microsoft.PowerShell_profile.ps1', '.gitconfig', '.inputrc', 'home/.bashrc', '.login',
  ],
  'may hold passwords': ['.env.example', '.env.sample', 'app/.env.template', '.env.dist'],
  'may be a private key': ['id_rsa.pub', 'keys/id_ed25519_sk.pub'],
}; // prettier-ignore
const FREE = [
  '', 'a.txt', '.gitignore', '.gitattributes', '.github/workflows/ci.yml', 'env', 'environment.ts', 'src/env.ts', 'git/config', 'key',
  'key.ts', 'keys/readme.md', 'monkey', 'pem.txt', 'bae.configuration.md', 'bae', 'id_rsapublic.ts', 'profile', 'bashrc', 'my.env', 'a.git/x',
]; // prettier-ignore

describe('findProtection', () => {
  it.each(Object.entries(SECRETS))('knows secrets: what %s', (is, paths) => {
    for (const path of paths) expect([path, findProtection(path)]).toEqual([path, { is, secret: true }]);
  });

  it.each(Object.entries(UNWRITABLE))('knows what is read but not written: what %s', (is, paths) => {
    for (const path of paths) expect([path, findProtection(path)]).toMatchObject([path, { is, secret: false }]);
  });

  it('leaves everything else alone', () => {
    for (const path of FREE) expect([path, findProtection(path)]).toEqual([path, undefined]);
  });

  it.each([
    ['case', '.GIT/config'],
    ['case', '.Env'],
    ['case', 'ID_RSA'],
    ['a dot at the end', '.env.'],
    ['dots and blanks at the end', '.git . ./config'],
    ['a blank at the end', 'server.key '],
    ['a character that is not seen', '.g\u200cit/config'],
    ['a mark of order', '\ufeff.env'],
    ['a sign that is an s in lower case', '.ba\u017fhrc'],
    ['the sign of Kelvin', 'server.\u212aey'],
    ['wide letters', '\uff0e\uff45\uff4e\uff56'],
    ['a stream', '.git::$INDEX_ALLOCATION/config'],
    ['a stream', '.env:x'],
    ['a name before a colon', 'x:server.key'],
    ['the short name of Windows', 'GIT~1/config'],
    ['a backslash', String.raw`.git\config`],
    ['a soft hyphen', '.bas\u00adhrc'],
    ['a doubled slash', './/.git//config'],
    ['a control character', '.env\u0007'],
  ])('is not fooled by %s', (_what, path) => {
    expect(findProtection(path)).toBeDefined();
  });

  it('takes only the exact spelling of what is published for published', () => {
    for (const path of ['.ENV.example', '.env.Example', '.env.example.', '.env.example.local', '.env.example/x/.env', 'ID_RSA.pub'])
      expect([path, findProtection(path)?.secret]).toEqual([path, true]); // prettier-ignore
  });

  it('judges every spelling of a name alike', () => {
    const all = [...Object.values(SECRETS), ...Object.values(UNWRITABLE)].flat();
    const spelt = fc.record({
      path: fc.constantFrom(...all),
      form: fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'),
      upper: fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      end: fc.constantFrom('', '.', ' ', '. .', '\u200b'),
      folder: fc.constantFrom('', './', 'a/', 'é/b/', '//'),
    });
    fc.assert(
      fc.property(spelt, ({ path, form, upper, end, folder }) => {
        const letters = Array.from(path, (char, index) => (upper[index] === true ? char.toUpperCase() : char)).join('');
        expect(findProtection((folder + letters + end).normalize(form))).toBeDefined();
      }),
      { numRuns: 2000 },
    );
  });
});

describe('foldName', () => {
  it('makes composed and decomposed letters equal', () => {
    expect(foldName('CAFÉ.TXT')).toBe(foldName('cafe\u0301.txt'));
    expect(foldName('Straße')).toBe(foldName('STRASSE'));
  });

  it('changes nothing when it is done twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        expect(foldName(foldName(name))).toBe(foldName(name));
      }),
    );
  });
});
