import { homedir } from 'node:os';
import { createAgent } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { describe, expect, it } from 'vitest';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import { createPainter } from '../terminal/terminal-text.ts';
import { renderOpening, renderOrientation } from './shell.ts';

const plain = createPainter({ color: false });

describe('renderOpening', () => {
  it('shows the folder and the model', () => {
    const choice = { model: new ScriptedModel([]), reason: 'scripted, because it is a test' };
    expect(renderOpening({ root: '/srv/app', choice }, plain)).toBe(
      'bae in /srv/app · model: scripted, because it is a test',
    );
  });

  it('names three ways to a model when there is none', () => {
    const choice = { model: undefined, reason: 'no model' };
    expect(renderOpening({ root: `${homedir()}/app`, choice }, plain)).toBe(
      'bae in ~/app · no model (export ANTHROPIC_API_KEY=…, --model ollama/NAME, or {"model": "provider/name"} in bae.config.json)',
    );
  });

  it('takes only whole folder names for the home folder', () => {
    const choice = { model: undefined, reason: '' };
    expect(renderOpening({ root: `${homedir()}x`, choice }, plain)).toContain(`bae in ${homedir()}x ·`);
    expect(renderOpening({ root: homedir(), choice }, plain)).toContain('bae in ~ ·');
  });

  it('makes a folder name visible that would act on the terminal', () => {
    expect(renderOpening({ root: '/tmp/\u001B[2J', choice: { model: undefined, reason: '' } }, plain)).toContain(
      '/tmp/␛[2J',
    );
  });

  it('is divided between words where the terminal is narrow', () => {
    const choice = { model: undefined, reason: '' } as never;
    const lines = renderOpening({ root: '/app', home: '/home/ada', choice, columns: 60 }, plain).split('\n');
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line.length).toBeLessThan(60);
    expect(lines.join(' ')).toContain('--model ollama/NAME, or {"model": "provider/name"} in bae.config.json)');
  });
});

describe('renderOrientation', () => {
  it('lists the places there are, and what can be typed', () => {
    expect(renderOrientation(createAgent({ home: sampleHome, spaces: sampleSpaces }).tree, plain)).toBe(`\
  home -- The files.
    read, write, edit, grep
  source() -- The source.
  tasks() -- The tasks.
Type <R:> or /read to list, ? for everything you can type, a question for the model, or exit.`);
  });
});
