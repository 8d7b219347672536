import { ParameterError } from '@bae/core';
import { bindArguments } from '@bae/core/pipeline';
import { parseReadTarget } from './arguments/read-target.ts';
import type { ArgsOf, TaskTool } from './arguments/task-params.ts';
import { explainProblems } from './explain-problem.ts';
import type { TaskAnswer } from './task-answer.ts';
import { TaskStore, type TaskStoreOptions } from './task-store.ts';
import { DEFINITIONS, storeCallOf } from './task-tools.ts';
import { tagWriter, type CallWriter } from './words/call-writer.ts';
import { renderAnswer } from './words/render-answer.ts';

/** Tasks for a program that calls the tools itself and shows in its own form what they return. */
export class TaskClient {
  readonly #tasks: TaskStore;
  readonly #write: CallWriter;

  /** @param write for the calls that texts and hints mention. Default: tags as they work at home */
  constructor(options: TaskStoreOptions, write: CallWriter = tagWriter((tag) => `<tasks.${tag.slice(1)}`)) {
    this.#tasks = new TaskStore(options);
    this.#write = write;
  }

  /**
   * Calls a tool with arguments as text, by the same rules as a call of an agent.
   *
   * @param most rows of a list. Default: those of a page
   * @throws ParameterError for arguments that do not fit, else what the rules of tasks become
   */
  async call(name: TaskTool, args: Readonly<Record<string, string>>, most?: number): Promise<TaskAnswer> {
    const bound = await bindArguments(DEFINITIONS[name], { kwargs: args });
    if (!bound.ok) {
      const valueOf: ValueOf = (field, example = '') => (field in bound.known ? args[field]! : example);
      throw new ParameterError(bound.error.message, [CORRECTED[name](valueOf, this.#write)]);
    }
    const call = storeCallOf(name, bound.params as ArgsOf<typeof name>);
    return explainProblems({ name, write: this.#write }, () => call(this.#tasks, most));
  }

  /** What an agent reads of an answer, with the calls in it as this client writes them. */
  render(answer: TaskAnswer): string {
    return renderAnswer(answer, this.#write).text;
  }

  /** Closes the file. Called once or more. */
  close(): void {
    this.#tasks.close();
  }
}

/** The value of an argument that fits, else of an example. */
type ValueOf = (field: string, example?: string) => string;

/** The call without the arguments that do not fit. */
const CORRECTED: Readonly<Record<TaskTool, (valueOf: ValueOf, write: CallWriter) => string>> = {
  read(valueOf, write) {
    const target = valueOf('target');
    const parsed = parseReadTarget(target);
    if (!('value' in parsed) || parsed.value.kind === 'list') return write.list(target);
    const { kind, id } = parsed.value;
    return kind === 'task' ? write.show(id) : write.history(id);
  },
  write: (valueOf, write) => write.create({ title: valueOf('title', 'Fix login') }),
  edit(valueOf, write) {
    const names = DEFINITIONS.edit.spec.params.filter(({ body }) => body !== true).map(({ name }) => name);
    const fields = names.slice(1).map((name) => [name, valueOf(name, name === 'status' ? 'in_progress' : '')] as const);
    return write.edit(Number(valueOf('id', '7')), Object.fromEntries(fields.filter(([, value]) => value !== '')));
  },
  glob: (valueOf, write) => write.titles(valueOf('pattern', '*login*')),
  grep: (valueOf, write) => write.search(valueOf('text', 'login')),
};
