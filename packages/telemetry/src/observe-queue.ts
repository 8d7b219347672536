import { metrics, type MeterProvider } from '@opentelemetry/api';
import { CONVENTIONS_VERSION, METRICS } from './conventions.ts';

/**
 * Reports the numbers of waiting and active sessions whenever metrics are collected. Returns the function that stops
 * it.
 */
export function observeQueue(
  readLoad: () => { readonly waiting: number; readonly running: number },
  meterProvider: Pick<MeterProvider, 'getMeter'> = metrics,
): () => void {
  const meter = meterProvider.getMeter('@bae/telemetry', CONVENTIONS_VERSION);
  const ends = (['waiting', 'running'] as const).map((kind) => {
    const { name, ...options } = METRICS[kind];
    const gauge = meter.createObservableGauge(name, options);
    const observe = (result: { observe(value: number): void }): void => result.observe(readLoad()[kind]);
    gauge.addCallback(observe);
    return () => gauge.removeCallback(observe);
  });
  return () => {
    for (const end of ends) end();
  };
}
