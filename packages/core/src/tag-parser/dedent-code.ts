const BLANK_LINE = /^\s*$/;

/** Code without the indentation that all its lines share, without blank lines around it. */
export function dedentCode(code: string): string {
  const lines = code.split('\n');
  const isCode = lines.map((line) => !BLANK_LINE.test(line));
  const first = isCode.indexOf(true);
  if (first === -1) return '';
  const last = isCode.lastIndexOf(true);
  let margin = indentation(lines[first]!);
  for (let index = first; index <= last && margin !== ''; index++) {
    if (isCode[index]) margin = sharedStart(margin, lines[index]!);
  }
  const kept = lines
    .slice(first, last + 1)
    .map((line, index) => (isCode[first + index] ? line.slice(margin.length) : ''));
  return kept.join('\n').trimEnd();
}

function indentation(line: string): string {
  let end = 0;
  while (line.charAt(end) === ' ' || line.charAt(end) === '\t') end++;
  return line.slice(0, end);
}

function sharedStart(left: string, right: string): string {
  let end = 0;
  while (end < left.length && left.charAt(end) === right.charAt(end)) end++;
  return left.slice(0, end);
}
