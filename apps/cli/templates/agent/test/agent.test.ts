import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectBalanced, recordEvents, renderTranscript, ScriptedModel } from '@bae/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { templateAgent } from '../src/agent.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'template-'));
  writeFileSync(join(folder, 'sales.csv'), 'may,7\njune,9\n');
});

afterEach(() => rmSync(folder, { recursive: true }));

async function transcriptOf(...script: string[]): Promise<string> {
  const model = new ScriptedModel(script);
  const agent = templateAgent({ folder, model });
  const recorder = recordEvents();
  agent.subscribe(recorder);
  await agent.ask('How were sales?');
  await agent.close();
  model.expectDone();
  expectBalanced(recorder.events);
  return renderTranscript(recorder.events);
}

describe('the agent', () => {
  it('reads, writes a report without asking, and answers', async () => {
    const report = '<filesystem.W:reports/sales.md>Better in june.</W>';
    const transcript = await transcriptOf('<R:report>', '<filesystem.R:sales.csv>', report, 'They got better.');
    expect(transcript).toContain('answer: They got better.');
    expect(readFileSync(join(folder, 'reports/sales.md'), 'utf8')).toBe('Better in june.');
  });

  it('writes nothing else where nobody can be asked', async () => {
    const transcript = await transcriptOf('<filesystem.W:sales.csv>may,9</W>', 'I may not.');
    expect(transcript).toContain('ApprovalError');
    expect(readFileSync(join(folder, 'sales.csv'), 'utf8')).toBe('may,7\njune,9\n');
  });
});
