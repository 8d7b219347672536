import { asModelText, type SpaceTree } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import type { CliOptions } from '../arguments/parse-arguments.ts';
import { knownNames } from '../space-outline.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { DebugView } from '../views/debug-view.ts';
import { JsonView } from '../views/json-view.ts';
import { UserView } from '../views/user-view.ts';
import type { View } from '../views/view.ts';

/** What decides how turns of the model are shown. */
export interface ViewChoice {
  readonly options: CliOptions;
  readonly terminal: Terminal;
  readonly tree: SpaceTree;
}

/** The view that the command line asks for: JSON, everything, or what people need to know. */
export function makeView({ options, terminal, tree }: ViewChoice): View {
  const { out, err } = terminal;
  if (options.json) return new JsonView(out);
  // What is going on must not get into an answer that goes into a file.
  const progress = out.isTerminal ? out : err;
  const user = new UserView({
    progress,
    answers: out,
    unattended: !terminal.interactive,
    prose: (text) => parse(asModelText(text), knownNames(tree)).prose,
  });
  if (!isDebug(options)) return user;
  const debug = new DebugView(progress);
  if (out.isTerminal) return debug;
  return { handle: (event) => (event.type === 'answer' ? user : debug).handle(event) };
}

/** True when everything is to be shown. */
export function isDebug({ verbose, debug }: CliOptions): boolean {
  return verbose || debug;
}
