import type { Minutes } from "./types";

const MINUTE_MS = 60_000;

/** The beginnings of all spans, those without figures as well. */
export function timesOf({ from, until, spanMinutes }: Pick<Minutes, "from" | "until" | "spanMinutes">): number[] {
  const times: number[] = [];
  for (let at = Date.parse(from); at <= Date.parse(until); at += spanMinutes * MINUTE_MS) times.push(at);
  return times;
}

/** The rows' values at each time: their sum, null where there is no row with one. */
export function valuesAt<T extends { at: string }>(times: number[], rows: T[], value: (row: T) => number | null): (number | null)[] {
  const sums = new Map<number, number>();
  for (const row of rows) {
    const is = value(row);
    if (is !== null) sums.set(Date.parse(row.at), (sums.get(Date.parse(row.at)) ?? 0) + is);
  }
  return times.map((at) => sums.get(at) ?? null);
}
