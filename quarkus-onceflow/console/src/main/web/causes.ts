import { age, count, plural } from "./format";
import { link } from "./router";
import type { Overview, Service } from "./types";

/** What an operator should look at: each part a sentence's piece with the view that shows it. */
export interface Cause {
  tone: "warn" | "bad";
  parts: { text: string; href: string }[];
  /** Why, in the words of an operator or of what has failed. */
  why?: string | null;
}

/** An outbox that is older than this is not keeping up. */
export const OUTBOX_LATE_MS = 10_000;
/** A command is answered within seconds; one that waits for a minute fails or its participant is away. */
const ANSWER_LATE_MS = 60_000;

/** What stands in the way of the sagas, the gravest first; the services are null while their state is not known. */
export function causesOf(o: Overview, services: Service[] | null): Cause[] {
  const ofServices = services?.length ? services.flatMap((s) => causesAt(s, o)) : backlogOf("this service", o.parked, o.outbox.oldestAgeMs);
  return [...ofServices, ...causesWithin(o)].sort((a, b) => Number(a.tone === "warn") - Number(b.tone === "warn"));
}

function causesAt(s: Service, o: Overview): Cause[] {
  const at = link("participants");
  const waiting = waitingFor(s.name, o);
  if (!s.reachable) return [{ tone: "bad", parts: [{ text: `${s.name} is unreachable`, href: at }, ...waiting], why: s.why }];
  const p = s.participant;
  if (!p) return [];
  const open = p.breakers.filter((b) => b.state === "OPEN").map((b) => b.target);
  const causes: Cause[] = [];
  if (p.paused) causes.push({ tone: "warn", parts: [{ text: `${s.name} is paused by ${p.pausedBy ?? "an operator"}`, href: at }, ...waiting], why: p.pausedReason });
  if (open.length > 0) {
    const text = `${s.name} makes no calls for ${open.join(", ")}: circuit breaker open`;
    causes.push({ tone: "bad", parts: [{ text, href: at }, ...(p.paused ? [] : waiting)] });
  }
  return [...causes, ...backlogOf(s.name, p.parked, p.outboxOldestAgeMs)];
}

/** How many open sagas wait for a participant, each number with exactly these. */
function waitingFor(participant: string, o: Overview): Cause["parts"] {
  return (o.awaited ?? []).filter((a) => a.participant === participant)
    .map((a) => ({ text: `${count(a.sagas)} of ${plural(o.open, "open saga")} ${a.sagas === 1 ? "waits" : "wait"} for it`, href: link("sagas", { command: a.command }) }));
}

function backlogOf(name: string, parked: number | null, outboxAgeMs: number | null): Cause[] {
  const causes: Cause[] = [];
  if (parked) causes.push({ tone: "warn", parts: [{ text: `${plural(parked, "message")} parked at ${name}`, href: link("parked", { service: name }) }] });
  if ((outboxAgeMs ?? 0) > OUTBOX_LATE_MS) {
    causes.push({ tone: "warn", parts: [{ text: `the outbox of ${name} is ${age(outboxAgeMs)} behind`, href: link("participants") }] });
  }
  return causes;
}

function causesWithin(o: Overview): Cause[] {
  const causes: Cause[] = [];
  const add = (tone: Cause["tone"], text: string, query: Parameters<typeof link>[1]) => causes.push({ tone, parts: [{ text, href: link("sagas", query) }] });
  const late = o.steps.filter((s) => (s.oldestAgeMs ?? 0) > ANSWER_LATE_MS);
  if (o.startedPerSecond > 0 && o.endedPerSecond === 0 && late.length > 0) {
    add("bad", `no saga has ended within the last minute; ${count(o.open)} are open`, { open: "true" });
  }
  if (o.stuck > 0) add("bad", `${plural(o.stuck, "saga")} stuck`, { status: "STUCK" });
  if (o.quarantined > 0) add("bad", `${plural(o.quarantined, "saga")} quarantined`, { quarantined: "true" });
  if (o.held > 0) add("warn", `${plural(o.held, "saga")} on hold`, { held: "true" });
  if (o.overdue > 0) add("warn", `${plural(o.overdue, "saga")} overdue`, { overdue: "true" });
  for (const s of late.filter((s) => s.direction === "backward")) {
    add("warn", `${plural(s.count, "compensation")} of ${s.step} not answered, the oldest saga started ${age(s.oldestAgeMs)} ago`,
      { definition: s.definition, version: s.version, step: s.step, direction: s.direction });
  }
  return causes;
}
