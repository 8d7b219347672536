import { formatPriority, type Priority } from '../task-priority.ts';

/** What an example of a new task says. */
export interface TaskWish {
  readonly title: string;
  readonly priority?: Priority | undefined;
  readonly parent?: number | undefined;
  readonly body?: string;
}

/** A tag that makes a task. */
export function taskTag({ title, priority, parent, body = '' }: TaskWish): string {
  // What cannot stand in a tag must not be in an example.
  const writable = /[<>=\p{Cc}]/u.test(title) ? 'Title' : title;
  const words = [
    writable,
    ...(priority === undefined ? [] : [`priority=${formatPriority(priority)}`]),
    ...(parent === undefined ? [] : [`parent=${parent}`]),
  ];
  return `<W:${words.join(' ')}>${body === '' ? '' : `\n${body}\n`}</W>`;
}
