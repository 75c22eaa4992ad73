// Converts per-turn values to plot coordinates.
import { storedBytes, type Turn, usageOf } from "../thread/conversation.ts";

export type Sample = { readonly turn: number; readonly value: number };

/** Returns the average input tokens per model request. Turns without a model request have no sample. */
export const promptSizes = (turns: readonly Turn[]): readonly Sample[] =>
  turns.flatMap((turn) => {
    const usage = usageOf(turn);
    if (!usage || usage.model_calls === 0) return [];
    return [{ turn: turn.number, value: Math.round(usage.input_tokens / usage.model_calls) }];
  });

export const recordSizes = (turns: readonly Turn[]): readonly Sample[] =>
  turns.map((turn) => ({ turn: turn.number, value: storedBytes(turn) }));

/** Reduces samples to at most `max`: the highest sample of each interval, and the last sample, which is always shown. */
export function highestOf(samples: readonly Sample[], max: number): readonly Sample[] {
  if (samples.length <= max) return samples;
  const stretch = Math.ceil(samples.length / (max - 1));
  const highest: Sample[] = [];
  for (let from = 0; from < samples.length - 1; from += stretch)
    highest.push(
      samples.slice(from, Math.min(from + stretch, samples.length - 1)).reduce((a, b) => (b.value > a.value ? b : a)),
    );
  return [...highest, ...samples.slice(-1)];
}

export type Frame = { readonly width: number; readonly height: number; readonly pad: number };

/** Rounds up to one, two or five times a power of ten, for the top of the scale. */
export function roundedMax(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= value) ?? 10 * power;
}

export function plotPoints(samples: readonly Sample[], frame: Frame): readonly (Sample & { x: number; y: number })[] {
  const top = roundedMax(Math.max(...samples.map((one) => one.value), 0));
  const first = samples[0]?.turn ?? 0;
  const turnRange = Math.max(1, (samples.at(-1)?.turn ?? 0) - first);
  const { width, height, pad } = frame;
  return samples.map((one) => ({
    ...one,
    x: pad + ((one.turn - first) / turnRange) * (width - 2 * pad),
    y: height - pad - (one.value / top) * (height - 2 * pad),
  }));
}
