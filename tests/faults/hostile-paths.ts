/** What a path may be aimed at: the places around a workspace, by name. */
export interface PathTargets {
  /** Absolute path of the workspace. */
  readonly workspace: string;
  /** Absolute paths of files outside of it. */
  readonly outside: readonly string[];
  /** Names of links in the workspace. */
  readonly links: readonly string[];
}

const UP = [
  '..', '%2e%2e', '%2E%2e', '%252e%252e', '.%2e', '%c0%ae%c0%ae', '%e0%80%ae%e0%80%ae', '%uff0e%uff0e', '\u2024\u2024', '\u2025', '．．', '。。', '....',
  '...', '..%00', '.%00.', '..;', '. .', '.. ', ' ..', '...\u200b', '.\u200b.', '.\u00ad.', '..\t', '..\u00a0', '&#46;&#46;', String.raw`\u002e\u002e`,
  '.\u0000.', '..\u0000', '.\\.', '..:', '{..,.}', '[.][.]', '.?', '..*', '"..".', "'..'", '$(..)', '\u001b..',
]; // prettier-ignore
const SLASHES = [
  '/', '//', '/./', '\\', '\\\\', '\\/', '%2f', '%5c', '%252f', '%c0%af', '\u2215', '\u2044', '／', '＼', '/\u200b/',
]; // prettier-ignore
const AIMS = ['private.txt', 'sibling/private.txt', 'workspace-other/private.txt', 'home/.bashrc', 'etc/passwd'];
const STARTS = ['', './', 'folder/', 'to-folder/', 'missing/', '/'];
const DEVICES = [
  '/dev/zero', '/dev/random', '/dev/stdin', '/dev/fd/0', '/dev/tty', '/dev/null', '/proc/self/root/etc/passwd', '/proc/self/cwd/package.json',
  '/proc/self/environ', '/proc/self/mem', '/proc/self/fd/0', '/proc/1/root', '/proc/self/exe', '/proc/thread-self/root/etc/passwd', '/proc/kmsg',
  '/sys/kernel', '/etc/passwd', '/etc/shadow', '/', '//', '/.', '/..', '/root', '/tmp', '/run',
]; // prettier-ignore
const HOMES = [
  '~', '~/', '~/private.txt', '~/.bashrc', '~root', '~root/.bashrc', '~+', '~-', '~0', './~', './~/x', '$HOME', '$HOME/private.txt', '${HOME}/private.txt',
  '%HOME%\\private.txt', '`pwd`', '$(pwd)/../private.txt', '~/../private.txt', '~\\private.txt', '~%2fprivate.txt',
]; // prettier-ignore
const FOREIGN = [
  'C:\\', 'C:\\Windows\\win.ini', 'c:/windows/win.ini', 'C:private.txt', 'Z:..\\private.txt', '\\\\server\\share\\a', '//server/share/a', '\\\\?\\C:\\a',
  '\\\\.\\pipe\\a', '//./pipe/a', 'file:///etc/passwd', 'file://localhost/etc/passwd', 'FILE:/etc/passwd', 'http://127.0.0.1/a', 'data:text/plain,a',
  'CON', 'NUL', 'aux.txt', 'COM1', 'a.txt::$DATA', 'a.txt:stream',
]; // prettier-ignore
const OPTIONS = [
  '-', '--', '-rf', '-e', '-f/etc/passwd', '--pre=cat', '--file=/etc/passwd', '--help', '--no-ignore', '-g*', '--hostname-bin=/bin/sh', '-z', '@file',
  '|cat', ';id', '&& id', '`id`', '$(id)',
]; // prettier-ignore
const PATTERNS = [
  '*', '**', '**/*', '*/..', '**/../*', '*/../../*', '{..,a}/*', '{a,../b}', '{/etc,a}/passwd', '[.][.]/*', '.[.]/*', '?./*', '..*', '.*', './..',
  '!(a)', '@(..)/x', '+(.)/private.txt', '**/..', '{a,b', '[', '[]', '[!]', '[^/]', '[a-', '\\', '\\*', '*\\', '{}', '{,}', '{{{', '}}}',
  '{a,{b,{c,{d,..}}}}/*', 'to-outside/*', 'to-outside/**', '*/private.txt', '{to-outside,x}/private.txt', 'to-ou*/private.txt',
]; // prettier-ignore
const ENDS = [
  '', '/', '//', '/.', '.', '..', ' ', '\t', '/..', '/../', '/private.txt', '/../private.txt', '/../../private.txt', '/sibling/private.txt', '/etc/passwd',
  '/new.txt', '/new/new.txt', '/*', '/**', '%00', '\u0000', '\u0000.txt', '\n', ':1-2', ':1@1', '#a', '?a',
]; // prettier-ignore
const LENGTHS = [254, 255, 256, 257, 1023, 1024, 1025, 4094, 4095, 4096, 4097, 65_536, 100_000];

/** Thousands of ways to write a path that leads, or might lead, out of a workspace; all different. */
export function hostilePaths(targets: PathTargets): readonly string[] {
  const all = [
    ...traversals(),
    ...links(targets),
    ...absolutes(targets),
    ...controls(),
    ...longOnes(),
    ...lookAlikes(),
    ...DEVICES.flatMap((path) => [
      path,
      path.toUpperCase(),
      `.${path}`,
      `${path}/`,
      `/${path}`,
      path.replaceAll('/', '\\'),
    ]),
    ...[...HOMES, ...FOREIGN, ...OPTIONS, ...PATTERNS].flatMap((path) => [
      path,
      `./${path}`,
      `folder/${path}`,
      ` ${path} `,
      `"${path}"`,
    ]),
  ];
  return [...new Set(all)];
}

/** Not every combination: every way up with every slash, and for each pair some of the rest, taken in turn. */
function traversals(): readonly string[] {
  let turn = 0;
  return UP.flatMap((up) =>
    SLASHES.flatMap((slash) => {
      turn += 1;
      const aims = AIMS.filter((_, index) => (index + turn) % 2 === 0);
      return aims.map((aim, index) => {
        const start = STARTS[(turn + index) % STARTS.length] ?? '';
        const steps = 1 + ((turn + index) % 4);
        return start + (up + slash).repeat(steps) + aim.replaceAll('/', slash);
      });
    }),
  );
}

function links({ links: names, workspace }: PathTargets): readonly string[] {
  return names.flatMap((name) =>
    ENDS.flatMap((end) => [`${name}${end}`, `folder/../${name}${end}`, `${workspace}/${name}${end}`]),
  );
}

function absolutes({ outside, workspace }: PathTargets): readonly string[] {
  const dressed = (path: string): string[] => [
    path, `/${path}`, `//${path}`, `/.${path}`, `/x/..${path}`, `.${path}`, `..${path}`, `../../../../../../../../../..${path}`, `${path}/`, `${path}/.`,
    `${path} `, `${path}\u0000`, `\u0000${path}`, ` ${path}`, `\n${path}`, `file://${path}`, `"${path}"`, `\\${path}`, path.replaceAll('/', '\\'),
    path.replaceAll('/', '%2f'), path.toUpperCase(), path.normalize('NFD'), `${workspace}${path}`, `${workspace}/..${path}`, `/proc/self/root${path}`,
    `/proc/self/cwd/../../../../../../..${path}`, `/dev/fd/../../..${path}`, `to-root${path}`, `to-proc${path}`,
  ]; // prettier-ignore
  const beside = [
    `${workspace}x`,
    `${workspace}/../private.txt`,
    `${workspace}-other/private.txt`,
    `${workspace}/`,
    `${workspace}//file.txt`,
    workspace,
  ];
  return [...outside, ...beside].flatMap(dressed);
}

function controls(): readonly string[] {
  const codes = [
    ...Array.from({ length: 32 }, (_, code) => code), 0x7f, 0x85, 0x9b, 0x200e, 0x202e, 0x2028, 0xfeff, 0xfffe, 0xd800, 0xdfff,
  ]; // prettier-ignore
  return codes.flatMap((code) => {
    const char = String.fromCharCode(code);
    return [
      char, `file.txt${char}`, `${char}file.txt`, `fi${char}le.txt`, `..${char}/private.txt`, `../${char}private.txt`, `new${char}.txt`, `folder/${char}`,
      `..${char}`,
    ]; // prettier-ignore
  });
}

function longOnes(): readonly string[] {
  return LENGTHS.flatMap((length) =>
    [
      'a',
      'é',
      '😀',
      'a/',
      '../',
      './',
      '/',
      '\\',
      '..\\',
      '*',
      '**/',
      '{a,',
      '[',
      ' ',
      '.',
      '\u0000',
      'to-self/',
      'folder/../',
      'a.',
    ].map((piece) => piece.repeat(Math.ceil(length / piece.length)).slice(0, length)),
  );
}

function lookAlikes(): readonly string[] {
  const names = [
    'ｆile.txt', 'file․txt', 'file.txt', 'FILE.TXT', 'fiLe.txt', 'ﬁle.txt', 'file.txt ', 'file.txt.', 'file.txt...', 'file.txt . .', 'café', 'cafe\u0301',
    'ﬀ', 'ß', 'ẞ', 'ı', 'K', 'Å', '\u1e9b\u0323', 'ſecret.txt',
  ]; // prettier-ignore
  const places = [
    '', '../', 'folder/', '‥/', '．．／', '..∕', '..⁄', '..╱', '..⧸', '..＼', '․․/', '﹒﹒/', '‐‐/', '\ufeff', '\u202e',
  ]; // prettier-ignore
  return names.flatMap((name) => places.map((place) => place + name));
}
