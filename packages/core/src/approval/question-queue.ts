/** Puts questions one after the other: a person can only answer one at a time. */
export class QuestionQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Puts a question as soon as every one before it is answered. */
  put<T>(question: () => Promise<T>): Promise<T> {
    const answer = this.#last.then(question);
    this.#last = answer.catch(() => undefined);
    return answer;
  }
}
