const OPENING = /^\s*(`{3,}|~{3,})[ \t]*[\w+#.-]*[ \t]*\r?(?:\n|$)/;

/**
 * Code without the fence that stands around it in a Markdown text: its lines are left empty. Code without one is left as
 * it is, and so is that of which the fence is not closed.
 */
export function withoutFence(code: string): string {
  const [opening, fence] = OPENING.exec(code) ?? [];
  const closing =
    fence === undefined ? undefined : new RegExp(`\\n[ \\t]*${fence[0]}{${fence.length},}\\s*$`).exec(code);
  if (opening === undefined || !closing || closing.index < opening.length - 1) return code;
  return opening.replaceAll(/[^\n]/g, '') + code.slice(opening.length, closing.index + 1);
}
