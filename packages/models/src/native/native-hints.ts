/** A tag without a body, with its name and argument. */
const TAG = /^<([\p{L}\p{N}_.-]+):([^<>\n]*)>$/u;
const OPTION = /\s+([\w-]+)=(?:"([^"]*)"|'([^']*)'|(\S+))/g;
const RESULT = /^(result:\d+)(?::([\d-]+))?$/;
const PLACE = /^@?([\p{L}_][\p{L}\p{N}_.-]*)\(\)$/u;
const VERBS: Readonly<Record<string, string>> = { R: 'read', W: 'write', E: 'edit', G: 'glob', Grep: 'grep' };

/** Sentences of a problem that tell to write a tag, with the tag. */
const ADVICE =
  /\b(?:Write a tag instead, for example|Write|Type|Send) (<[\p{L}\p{N}_.-]+:[^<>\n]*>|@[\w.-]+\(\)|\{"name":.*\})(?: alone on its line)?/gu;

/** Writes the calls that a message suggests as calls of the functions that the model has. */
export function suggestFunctions(message: string): string {
  return message
    .split('\n')
    .map((line) => {
      const hint = /^(\s*Try: )(.+)$/.exec(line);
      if (hint) return suggestEach(hint[1]!, hint[2]!);
      if (!line.startsWith('[Parse problem] ')) return line;
      return line.replace(ADVICE, (sentence, call: string) => {
        const written = toFunctionCall(call);
        return written === undefined ? sentence : `Use ${written}`;
      });
    })
    .join('\n');
}

/** Several places are one line, from which one is chosen. */
function suggestEach(start: string, hint: string): string {
  const parts = /^\S+\(\)(?:, \S+\(\))+$/.test(hint) ? hint.split(', ') : [hint];
  return parts.map((part) => start + (toFunctionCall(part) ?? part)).join('\n');
}

function toFunctionCall(call: string): string | undefined {
  const place = PLACE.exec(call)?.[1];
  if (place !== undefined) return `go(${JSON.stringify({ place })})`;
  if (call.startsWith('{"name":')) return fromJson(call);
  const [, name, argument = ''] = TAG.exec(call) ?? [];
  if (name === undefined) return undefined;
  const [, result, lines] = RESULT.exec(argument) ?? [];
  if (result !== undefined) return `read_result(${JSON.stringify({ result, lines })})`;
  const options = Array.from(argument.matchAll(OPTION), ([, key = '', double, single, bare]) => [
    key,
    double ?? single ?? bare,
  ]);
  const target = argument.replaceAll(OPTION, '').trim();
  const tool = name.replace(/[^.]+$/, (last) => VERBS[last] ?? last);
  const args = { ...(target !== '' && { target }), ...Object.fromEntries(options) } as object;
  return `call(${JSON.stringify({ tool, arguments: args })})`;
}

function fromJson(json: string): string | undefined {
  try {
    const { name, arguments: args = {} } = JSON.parse(json) as {
      readonly name?: unknown;
      readonly arguments?: unknown;
    };
    return `call(${JSON.stringify({ tool: name, arguments: args })})`;
  } catch {
    return undefined;
  }
}
