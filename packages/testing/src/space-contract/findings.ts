/** Collects what one check finds: what is wrong, and what it could not try for want of a sample. */
export class Findings {
  readonly complaints: string[] = [];
  readonly lacking: string[] = [];
  #looked = false;

  /** True when there was anything to look at. */
  get looked(): boolean {
    return this.#looked || this.complaints.length > 0;
  }

  /** Notes a complaint when a claim does not hold, and says whether it holds. */
  expect(holds: boolean, complaint: string): boolean {
    this.#looked = true;
    if (!holds && !this.complaints.includes(complaint)) this.complaints.push(complaint);
    return holds;
  }

  /** Notes which sample is needed to look at something. */
  lack(sample: string): void {
    if (!this.lacking.includes(sample)) this.lacking.push(sample);
  }
}
