/** What somebody answers to a call that waits for consent. */
export interface ApprovalReply {
  readonly decision: 'allow' | 'deny';
  /**
   * Answers in the same way for the rest of the session: `tool` for every call of this tool in this space,
   * `target` for those about the same folder and what is below it.
   *
   * What a tool asked consent for by itself is remembered for exactly this target, whatever the tool.
   */
  readonly remember?: 'tool' | 'target';
  /** Why not, or what to do instead: for the model, after a refusal. */
  readonly reason?: string;
}
