import { allowAll, createAgent, defineResourcespace, tool, ResourceError } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { observeAgent, observeQueue, type TelemetryOptions } from './observe-agent.ts';

/** Written as keys of a provider are. */
const KEY = ['sk', 'ant', 'api03', 'aB3'.repeat(16)].join('-');

function observe(script: readonly string[], options: TelemetryOptions = {}) {
  const spans = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1e8 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const notes = defineResourcespace({
    name: 'notes',
    description: 'Notes.',
    tools: {
      read: tool('A note.', { id: z.string() }, ({ id }) => {
        if (id === 'none') throw new ResourceError('there is no note.');
        return `the key is ${KEY}`;
      }),
    },
  });
  const agent = createAgent({ home: notes, model: new ScriptedModel(script), approver: allowAll });
  const end = observeAgent(agent, { model: 'scripted/one', tracerProvider, meterProvider, ...options });
  const read = async () => {
    await meterProvider.forceFlush();
    const collected =
      exporter
        .getMetrics()
        .at(-1)
        ?.scopeMetrics.flatMap((scope) => scope.metrics) ?? [];
    return { spans: spans.getFinishedSpans(), metrics: collected };
  };
  return { agent, end, read, meterProvider };
}

describe('observeAgent', () => {
  it('makes a span of a turn, with its responses and calls in it', async () => {
    const { agent, read } = observe(['<R:1>', '<R:none>', 'Done.']);
    await agent.ask('Read it');
    const { spans, metrics } = await read();
    expect(spans.map(({ name }) => name)).toEqual([
      'chat one',
      'execute_tool read',
      'chat one',
      'execute_tool read',
      'chat one',
      'invoke_agent bae',
    ]);
    const turn = spans.at(-1)!;
    for (const span of spans.slice(0, -1)) expect(span.parentSpanContext?.spanId).toBe(turn.spanContext().spanId);
    expect(turn.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'one',
      'gen_ai.conversation.id': agent.id,
      'gen_ai.usage.input_tokens': expect.any(Number),
    });
    expect(spans[1]!.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': '1',
    });
    expect(spans[3]!).toMatchObject({ status: { code: 2 }, attributes: { 'error.type': 'ResourceError' } });
    expect(metrics.map(({ descriptor }) => descriptor.name).toSorted()).toEqual([
      'gen_ai.client.operation.duration',
      'gen_ai.client.token.usage',
    ]);
    expect(JSON.stringify(metrics)).not.toContain(agent.id);
  });

  it('records nothing of the content, unless it is asked for, and then no keys', async () => {
    const quiet = observe(['<R:1>', `It is ${KEY}`]);
    await quiet.agent.ask('What is the secret word?');
    const texts = (spans: readonly object[]) =>
      JSON.stringify(spans.map((span) => (span as { attributes: object }).attributes));
    expect(texts((await quiet.read()).spans)).not.toMatch(/secret|sk-ant|the key/);
    const open = observe(['<R:1>', `It is ${KEY}`], { captureContent: true });
    await open.agent.ask('What is the secret word?');
    const recorded = texts((await open.read()).spans);
    expect(recorded).toContain('What is the secret word?');
    expect(recorded).toContain('the key is');
    expect(recorded).not.toContain(KEY);
    const changed = observe(['Fine.'], { captureContent: (text) => text.replaceAll('secret', '***') });
    await changed.agent.ask('What is the secret word?');
    expect(texts((await changed.read()).spans)).toContain('What is the *** word?');
  });

  it('ends the spans of a turn that fails, with the error', async () => {
    const { agent, read } = observe([]);
    await expect(agent.ask('Hello')).rejects.toThrow();
    expect((await read()).spans.at(-1)).toMatchObject({
      name: 'invoke_agent bae',
      status: { code: 2 },
      attributes: { 'error.type': 'failed' },
    });
  });

  it('stops when it is told to', async () => {
    const { agent, end, read } = observe(['One.']);
    end();
    await agent.ask('Hello');
    expect((await read()).spans).toEqual([]);
  });
});

it('reports how many sessions wait and run, as they are read from a database', async () => {
  const { meterProvider, read } = observe([]);
  const load = { waiting: 3, running: 2 };
  const end = observeQueue(async () => load, meterProvider);
  const readQueue = async () =>
    (await read()).metrics.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints[0]?.value]);
  expect(await readQueue()).toEqual([
    ['bae.queue.waiting', 3],
    ['bae.queue.running', 2],
  ]);
  load.waiting = 0;
  expect(await readQueue()).toContainEqual(['bae.queue.waiting', 0]);
  end();
  load.waiting = 5;
  expect(await readQueue()).not.toContainEqual(['bae.queue.waiting', 5]);
});
