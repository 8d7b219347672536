import { NAMED_CHARACTERS } from '../text-size/text-size.ts';

const HIDDEN = new Set(['script', 'style', 'svg', 'noscript', 'template', 'head']);
const BLOCK =
  /^(?:p|div|br|hr|tr|ul|ol|dl|dd|dt|table|section|article|main|header|footer|nav|aside|form|pre|blockquote|figure|title|body|html|option|button|label)$/;

/** Extracts the text of an HTML page as Markdown: headings, list items and table cells, but no scripts or styles. */
export function extractHtmlText(html: string): string {
  const parts: string[] = [];
  const endless = new Set<string>();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    parts.push(html.slice(at, open));
    const comment = html.startsWith('<!--', open);
    const close = comment ? html.indexOf('-->', open) : html.indexOf('>', open);
    if (close === -1) {
      at = html.length;
      break;
    }
    at = close + (comment ? 3 : 1);
    if (comment) continue;
    const [, slash, name = ''] = /^<(\/?)([a-z][a-z\d]*)/i.exec(html.slice(open, open + 40)) ?? [];
    const tag = name.toLowerCase();
    parts.push(renderHtmlTag(tag, slash === '/'));
    if (slash !== '' || !HIDDEN.has(tag) || endless.has(tag)) continue;
    const end = new RegExp(`</${tag}\\b[^>]*>`, 'gi');
    end.lastIndex = at;
    // An element that is never closed hides nothing, and no others of its kind are searched for.
    if (end.test(html)) at = end.lastIndex;
    else endless.add(tag);
  }
  const text = decodeEntities(parts.join('') + html.slice(at));
  return text
    .split('\n')
    .map((line) => line.replace(/[^\S\n]+/g, ' ').trim())
    .filter((line, index, lines) => line !== '' || (index > 0 && lines[index - 1] !== ''))
    .join('\n')
    .trim();
}

function renderHtmlTag(tag: string, isClosing: boolean): string {
  const heading = /^h([1-6])$/.exec(tag);
  if (heading !== null) return isClosing ? '\n' : `\n\n${'#'.repeat(Number(heading[1]))} `;
  if (tag === 'li') return isClosing ? '' : '\n- ';
  if (tag === 'td' || tag === 'th') return isClosing ? ' | ' : '';
  return BLOCK.test(tag) ? '\n' : '';
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,6});/gi, (whole) => {
    const name = whole.slice(1, -1).toLowerCase();
    if (!name.startsWith('#')) return NAMED_CHARACTERS[name] ?? whole;
    const code = Number(name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
