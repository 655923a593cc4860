import { absolute, words } from "./format";
import type { SagaView, StepView } from "./sagas";
import type { DefinitionStep } from "./types";

/** How a step of a saga stands, as its graph shows it. */
export interface Standing {
  status: string;
  text: string;
  /** The way that a choice has taken; null for others, and before. */
  taken: string | null;
  /** A step for each item; none where there are no items, or they are not fixed. */
  items: StepView[];
}

const SEPARATOR = "/";

/** By the names of the steps. */
export function standingOf(saga: SagaView, steps: DefinitionStep[]): Map<string, Standing> {
  const standing = new Map<string, Standing>();
  for (const step of steps) {
    const its = saga.steps.find((s) => s.name === step.name);
    const status = its?.status ?? "PENDING";
    const items = saga.steps.filter((s) => s.name.startsWith(step.name + SEPARATOR));
    const taken = step.kind === "choice" && status === "SUCCEEDED" ? (its?.outcome ?? null) : null;
    const text = items.length > 0 ? folded(items) : taken ?? until(saga, step.name, status) ?? words(status);
    standing.set(step.name, { status, text, taken, items });
  }
  return standing;
}

/** "3 of 5 done", and what else there is to say. */
export function folded(items: StepView[]): string {
  const counts = (...status: string[]) => items.filter((i) => status.includes(i.status)).length;
  const failed = counts("REFUSED", "GIVEN_UP");
  const undone = counts("COMPENSATED");
  return `${counts("SUCCEEDED")} of ${items.length} done`
    + (failed > 0 ? `, ${failed} failed` : "")
    + (undone > 0 ? `, ${undone} undone` : "");
}

/** An item's own name within its step. */
export function itemOf(step: StepView): string {
  return step.name.slice(step.name.indexOf(SEPARATOR) + 1);
}

/** As the history tells it of a wait that is not over. */
function until(saga: SagaView, step: string, status: string): string | null {
  if (status !== "AWAITING") return null;
  const line = [...saga.history].reverse().find((h) => h.step === step && (h.event === "wait-started" || h.event === "await-over"));
  const at = line?.detail?.replace(/^until /, "");
  return at && !Number.isNaN(Date.parse(at)) ? `until ${absolute(at).slice(0, -3)}` : null;
}
