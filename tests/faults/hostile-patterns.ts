/** Expressions over which engines that try one way after the other think for hours, or that cost much before they start. */
export const COSTLY_EXPRESSIONS: readonly string[] = [
  ...nested('a', ['+', '*', '?', '{1,9}', '{2,}']), ...nested(String.raw`\w`, ['+', '*', '{1,9}']), ...nested('.', ['+', '*', '{1,9}']), ...nested('[a-z]', ['+', '*']),
  '(a|a)*b', '(a|aa)+$', '(a|a?)+b', '(aa|aab?)*b', '(.|a)+z', String.raw`(\w|a)*!x`, '(a|b|ab)*c', String.raw`(\s|a)*$x`, '((a|b)*|(c|d)*)*e', '(a|a|a|a|a|a|a|a|a|a)*b', '(a+|b+|c+)*d',
  '(.*)*x', '(.*)+x', '(.+)*x', '(.*.*)*x', '(.*a){11}x', '(.*,){25}P', '(.*?,){25}P', '^(.*?,){30}$', '.*.*.*.*.*.*=.*', '(?:.*=.*)*;', String.raw`(\S+\s+)*x`, String.raw`(\d+\.)*\d+x`, String.raw`^(\w+\s?)*$`,
  String.raw`^(([a-z])+.)+[A-Z]([a-z])+$`, String.raw`^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}[.]{1}[a-z]{2,3}))$`,
  String.raw`^(?:[\w-]+\.)*[\w-]+@(?:[\w-]+\.)+[a-z]{2,}$`, String.raw`<!--(.*?)*-->`, String.raw`(x+x+)+y`, String.raw`([^"]|"")*"$x`, String.raw`"(\\.|[^"\\])*"x`, String.raw`\/\*(.|[\r\n])*?\*\/x`,
  String.raw`(https?:\/\/)?([\da-z.-]+)\.([a-z.]{2,6})([\/\w .-]*)*\/?$x`, '(?:a?){100}a{100}b', `${'a?'.repeat(300)}${'a'.repeat(300)}`, `${'(a?)'.repeat(90)}b`, `${'(a*)'.repeat(200)}b`, `${'.*'.repeat(500)}=`,
  '(a{1,100}){1,10}$', '(a{1,100}){1,100}$', '((a{1,1000}){1,1000})', '(((a{1,30}){1,30}){1,30}){1,30}', 'a{1000}', 'a{1,1000}b', 'a{1001}', 'a{99999999999}', 'a{0,99999}', '(a{0,1000}){0,1000}b',
  String.raw`\w{1,1000}x`, String.raw`(\w{1,100}){1,10}!`, String.raw`\p{L}{500}x`, String.raw`[\p{L}\p{N}]{1,400}z`, String.raw`(?i)(\w{50}){20}q`, '.{1,1000}z', '(.{1,300}){3}z', '[^a]{1000}b', '(?s).{900}.{900}x',
  '(a|b)*a(a|b){12}c', '(a|b)*a(a|b){400}c', '[a-z].{500}[0-9]', String.raw`(\b\w+\b){50}!`, String.raw`(?:\b|a)*b`, '(^a|a$)*x', '(?m)^(a+)+$x', '(?:(?:a|b|c|d|e)+f?)+g',
  `(${words(150)})+x`, `(${words(150)})*${words(20)}$`, `(?i)(${words(140)}){2,9}!`, `(${'a|'.repeat(400)}b)*c`, `(${Array.from({ length: 120 }, (_, n) => 'a'.repeat(n % 9)).join('|')})*b`,
  `${'('.repeat(200)}a${')*'.repeat(200)}b`, `${'('.repeat(400)}a${')'.repeat(400)}`, `${'(?:'.repeat(200)}a${'|b)+'.repeat(200)}`, `${'[a-z]*'.repeat(150)}!`, `${String.raw`\w*`.repeat(250)}!`, `${'(a|b)'.repeat(190)}x`,
  '[[[[', '[a&&[b]]', '[^]', '[]a]', `[${'a-z'.repeat(300)}]*!`, `[${'\u{10ffff}'.repeat(200)}]+x`, String.raw`[\x{0}-\x{10FFFF}]{300}x`, String.raw`\P{L}*\p{L}*\P{L}*x`, '(?i)ſ{300}K', '(?i)(ß|ẞ|ss)+x',
  'é{500}', '(é|漢|😀)*x', '😀+😀+😀+x', 'x'.repeat(1024), 'a*'.repeat(512), '|'.repeat(1000), `${'^'.repeat(1000)}a`, '$'.repeat(1000), `${String.raw`\b`.repeat(500)}a`, '()*', '(|a)*b', '(a*|b)*c', '(?:)*',
]; // prettier-ignore

/** Expressions that are none for an engine of linear time, or that are no expressions; each is to be refused in words. */
export const UNUSABLE_EXPRESSIONS: readonly string[] = [
  '(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b', '(?=(a+))a*b', 'a(?!.*b)', String.raw`(a)\1`, String.raw`(a*)*\1`, String.raw`(?P<x>a)\k<x>`, String.raw`(.)(.)\2\1`, '(?>a+)b', String.raw`((a)|b)+\2c`,
  '(', ')', '(a', 'a)', '[', '[a', '[z-a]', '*', '+a', '?', '{1}'.repeat(2), 'a**'.repeat(2) + '(', 'a{2,1}', String.raw`\p{Nonsense}`, 'a\\', '(?P<', '(?', '(?z)a', 'a\nb', 'a\rb', 'a\0b', '', 'x'.repeat(1025), 'é'.repeat(513), 'a+'.repeat(100_000),
]; // prettier-ignore

/** Expressions that a careless caller hands to a program as an option, or that are hardly text. */
export const ODD_EXPRESSIONS: readonly string[] = [
  '-', '--', '-e', '-v', '--help', '--pre=touch', '--pre=/bin/sh', '-f/etc/passwd', '--file=/etc/passwd', '--hostname-bin=sh', '-rf', '--no-ignore', '-U', '--pcre2', '-P', '-z', '--search-zip', '--type-add=x:*', '-g!*', '--files', '--debug', '-- /etc/passwd',
  '\ud800', '\udfff', 'a\ud83d', '\ufffe', '\u{10ffff}', '\u0085', '\u2028', '\u001b[2J', '\u0001', String.raw`\x00`, String.raw`\x{0}`, String.raw`[\x00-\x08]`, String.raw`\xff\xfe`, String.raw`\C`, '(?-u)\\xff', String.raw`(?-u:\xff)+`, '%s%n', '$(id)', '`id`', '@file',
]; // prettier-ignore

/** File patterns that a careless matcher expands, or thinks about, without end. */
export const COSTLY_FILE_PATTERNS: readonly string[] = [
  `${'*a'.repeat(60)}*b`, '*a'.repeat(500), `${'**/'.repeat(330)}b`, `${'**/*/'.repeat(150)}b`, `${'{a,aa}'.repeat(140)}b`, `${'{a,aa,}'.repeat(120)}b`, `${'{*,a*,}'.repeat(140)}b`, '{1..1000000}', '{a..z}{a..z}{a..z}{a..z}',
  `${'{a,'.repeat(250)}b${'}'.repeat(250)}`, `${'{*,'.repeat(250)}b${'}'.repeat(250)}`, `${'{**/a*,'.repeat(100)}b${'}'.repeat(100)}`, '{'.repeat(1000), '}'.repeat(1000), `${'{'.repeat(500)}${'}'.repeat(500)}`, `${'{,'.repeat(340)}${'}'.repeat(340)}`,
  `{${Array.from({ length: 250 }, (_, n) => `a${n % 10}`).join(',')}}`, `{${Array.from({ length: 500 }, () => '*').join(',')}}x`, `{${Array.from({ length: 200 }, () => '**/*').join(',')}}`, `{${','.repeat(1000)}}`, `${'[a-z]'.repeat(200)}*`, '[!a]*'.repeat(200),
  `[${'a-'.repeat(500)}]`, '['.repeat(1000), '[[:alpha:]]'.repeat(90), '?'.repeat(1000), `${'?*'.repeat(400)}b`, '+(a|aa)+b', '@(a|a)*', '!(a)*!(b)*!(c)', '*(*(*(*(a))))', '\\*'.repeat(400), '\\'.repeat(1000), `${'*/'.repeat(500)}*`, '(a+)+$', '(.*)*x', `${'**'.repeat(500)}/b`,
  `${'{a,b}/'.repeat(160)}c`, `{${'a,'.repeat(100)}{${'b,'.repeat(100)}{${'c,'.repeat(100)}d}}}`, `${'*{a,b}*'.repeat(120)}c`, '\u{10ffff}*'.repeat(200), `[\u0000-\u{10ffff}]${'*[^\u0001-\uffff]'.repeat(80)}`,
]; // prettier-ignore

/** An atom repeated, and that repeated, with something behind that does not fit. */
function nested(atom: string, repeats: readonly string[]): readonly string[] {
  return repeats.flatMap((inner) => [`(${atom}${inner})+$x`, `(${atom}${inner})*!`, `((${atom}${inner})+)+x`]);
}

function words(count: number): string {
  return Array.from({ length: count }, (_, n) => `w${(n * 7919) % 1000}`).join('|');
}

/**
 * Files that such patterns like: long stretches of what fits, with an end that does not.
 *
 * @param times how much of everything
 */
export function hostileTexts(times = 1): Readonly<Record<string, string | Uint8Array>> {
  return {
    'stretch.txt': `${'a'.repeat(60_000)}!\n`.repeat(2 * times),
    'one-line.txt': 'a'.repeat(200_000),
    'letters.txt': `${'é漢a😀'.repeat(10_000)}\n`,
    'commas.txt': `${'1,2,3,'.repeat(5000)}\n${'x=y='.repeat(5000)}\n${'word '.repeat(8000)}\n${'ab'.repeat(20_000)}\n`,
    'lines.txt': Array.from({ length: 5000 }, (_, n) => `const w${n} = call(${n}); // aaa bbb`).join('\n'),
    'broken.txt': Uint8Array.from({ length: 50_000 }, (_, n) => (n % 97 === 0 ? 10 : 128 + (n % 127))),
    'quotes.txt': `${'"'.repeat(30_000)}\n${'\\'.repeat(30_000)}\n${'('.repeat(30_000)}\n`,
    [`${'a'.repeat(250)}/${'a'.repeat(250)}/${'a'.repeat(250)}/${'a'.repeat(250)}.txt`]: 'a\n',
    [`${'a/'.repeat(100)}a`]: 'a\n',
  };
}
