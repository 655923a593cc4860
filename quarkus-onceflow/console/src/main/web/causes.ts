import { age, count, plural } from "./format";
import { link } from "./router";
import type { ParkedGroup, Repair } from "./sagas";
import type { Definition, Overview, Participant, Replica, Service } from "./types";

/** What an operator should look at: each part a sentence's piece with the view that shows it. */
export interface Cause {
  tone: "warn" | "bad";
  parts: { text: string; href: string }[];
  /** Why, in the words of an operator or of what has failed. */
  why?: string | null;
  /** How many sagas, messages or the like it is about; the first part with a number leads to them. */
  count?: number | null;
  /** Since when; of sagas that are not marked with a time, when the oldest of them started. */
  since?: string | null;
  /** What to do about it. */
  todo: string;
}

/** All that causes are made of; what is null is not known, or not asked for. */
export interface Facts {
  overview: Overview;
  services: Service[] | null;
  definitions: Definition[] | null;
  replicas: Replica[] | null;
  repairs: Repair[] | null;
  /** Of all services; only where it is asked since when messages are parked. */
  parked: ParkedGroup[] | null;
}

type Query = Parameters<typeof link>[1];

/** An outbox that is older than this is not keeping up. */
export const OUTBOX_LATE_MS = 10_000;
/** A command is answered within seconds; one that waits for a minute fails or its participant is away. */
const ANSWER_LATE_MS = 60_000;

/** What stands in the way of the sagas, the gravest first, and of these the one that is about most. */
export function causesOf(facts: Facts): Cause[] {
  const { overview, services } = facts;
  const ofServices = services?.length ? services.flatMap((s) => causesAt(s, facts)) : backlogOf(null, overview.parked, overview.outbox.oldestAgeMs, facts);
  return [...ofServices, ...causesWithin(overview), ...ofDefinitions(facts), ...ofReplicas(facts.replicas ?? []), ...ofRepairs(facts.repairs ?? [])]
    .sort((a, b) => Number(a.tone === "warn") - Number(b.tone === "warn") || (b.count ?? 0) - (a.count ?? 0));
}

function causesAt(s: Service, facts: Facts): Cause[] {
  const at = link("participants");
  const waiting = waitingFor(s.name, facts.overview);
  const parts = waiting.map(({ text, href }) => ({ text, href }));
  const sagas = waiting.length > 0 ? waiting.reduce((sum, w) => sum + w.sagas, 0) : null;
  if (!s.reachable) {
    const todo = "Check that its replicas run, and that this service can connect to them. Its sagas continue by themselves once it answers.";
    return [{ tone: "bad", parts: [{ text: `${s.name} is unreachable`, href: at }, ...parts], why: s.why, count: sagas, todo }];
  }
  const p = s.participant;
  if (!p) return [];
  const open = p.breakers.filter((b) => b.state === "OPEN").map((b) => b.target);
  const causes: Cause[] = [];
  if (p.paused) {
    const text = `${s.name} is paused by ${p.pausedBy ?? "an operator"}`;
    causes.push({ tone: "warn", parts: [{ text, href: at }, ...parts], why: p.pausedReason, count: sagas, since: p.pausedAt, todo: "Resume it on Participants once the reason is gone." });
  }
  if (open.length > 0) {
    const text = `${s.name} makes no calls for ${open.join(", ")}: circuit breaker open`;
    const todo = "Check the external system that it calls. The calls are tried again by themselves.";
    causes.push({ tone: "bad", parts: [{ text, href: at }, ...(p.paused ? [] : parts)], count: p.paused ? null : sagas, todo });
  }
  return [...causes, ...ofMoney(s.name, p), ...ofQueues(p), ...backlogOf(s.name, p.parked, p.outboxOldestAgeMs, facts)];
}

/** How many open sagas wait for a participant, each number with exactly these. */
function waitingFor(participant: string, o: Overview): { text: string; href: string; sagas: number }[] {
  return (o.awaited ?? []).filter((a) => a.participant === participant)
    .map((a) => ({ text: `${count(a.sagas)} of ${plural(o.open, "open saga")} ${a.sagas === 1 ? "waits" : "wait"} for it`, href: link("sagas", { command: a.command }), sagas: a.sagas }));
}

/** What gateways and carriers have otherwise than the service, which nothing mends by itself. */
function ofMoney(name: string, p: Participant): Cause[] {
  const causes: Cause[] = [];
  const add = (n: number | null | undefined, text: string, todo: string) => {
    if (n) causes.push({ tone: "bad", parts: [{ text, href: link("participants") }], count: n, todo });
  };
  add(p.refundsFailed, `${plural(p.refundsFailed ?? 0, "refund")} of ${name} failed at the gateway or carrier`,
    "Pay the money back by other means and mark the refund as resolved: OnceflowRefundFailed in the runbook.");
  add(p.bookDifferences, `${plural(p.bookDifferences ?? 0, "difference")} between the books of ${name} and the other side's`,
    "Find out which side is right and close each difference: OnceflowBooksDiffer in the runbook.");
  return causes;
}

/** What the broker does to messages that it must not. */
function ofQueues(p: Participant): Cause[] {
  return p.queues.filter((q) => q.warning).map((q) => ({
    tone: "warn", parts: [{ text: `the broker's settings of ${q.queue}`, href: link("participants") }], why: q.warning,
    todo: "Correct the policy or binding at the broker: messages may be lost or late.",
  }));
}

function backlogOf(name: string | null, parked: number | null, outboxAgeMs: number | null, { overview, parked: groups }: Facts): Cause[] {
  const causes: Cause[] = [];
  const at = name ?? "this service";
  if (parked) {
    const since = groups?.filter((g) => g.service === name).map((g) => g.firstAt).sort()[0] ?? null;
    causes.push({ tone: "warn", parts: [{ text: `${plural(parked, "message")} parked at ${at}`, href: link("parked", { service: name }) }], count: parked, since, todo: "Remove the cause of the largest group, then redrive the group." });
  }
  if ((outboxAgeMs ?? 0) > OUTBOX_LATE_MS) {
    const since = new Date(Date.parse(overview.at) - outboxAgeMs!).toISOString();
    causes.push({ tone: "warn", parts: [{ text: `the outbox of ${at} is ${age(outboxAgeMs)} behind`, href: link("participants") }], since, todo: "Check that the broker accepts messages, and that a replica publishes them." });
  }
  return causes;
}

function causesWithin(o: Overview): Cause[] {
  const causes: Cause[] = [];
  const since = o.since ?? { stuck: null, quarantined: null, held: null, overdue: null };
  const add = (tone: Cause["tone"], n: number, from: string | null, text: string, query: Query, todo: string) => {
    if (n > 0) causes.push({ tone, parts: [{ text, href: link("sagas", query) }], count: n, since: from, todo });
  };
  const late = o.steps.filter((s) => (s.oldestAgeMs ?? 0) > ANSWER_LATE_MS);
  const started = (ageMs: number | null) => new Date(Date.parse(o.at) - (ageMs ?? 0)).toISOString();
  if (o.startedPerSecond > 0 && o.endedPerSecond === 0 && late.length > 0) {
    add("bad", o.open, null, `no saga has ended within the last minute; ${count(o.open)} are open`, { open: "true" }, "See on the overview at which step they wait, and check its participant, the broker and the database.");
  }
  add("bad", o.stuck, since.stuck, `${plural(o.stuck, "saga")} stuck`, { status: "STUCK", quarantined: "false" }, "Find what their steps fail of, remove it, and retry them. They are also retried by themselves, at a long interval.");
  add("bad", o.quarantined, since.quarantined, `${plural(o.quarantined, "saga")} quarantined`, { quarantined: "true" }, "Read on one of them why handling it fails, remove that, and retry them: nothing is sent before.");
  add("warn", o.held, since.held, `${plural(o.held, "saga")} on hold`, { held: "true" }, "Resume them once the reason is gone.");
  add("warn", o.overdue, since.overdue, `${plural(o.overdue, "saga")} overdue`, { overdue: "true" }, "Check that replicas run the timers, and how loaded the database is.");
  for (const s of late.filter((s) => s.direction === "backward")) {
    add("warn", s.count, started(s.oldestAgeMs), `${plural(s.count, "compensation")} of ${s.step} not answered, the oldest saga started ${age(s.oldestAgeMs)} ago`,
      { definition: s.definition, version: s.version, step: s.step, direction: s.direction }, "Money or goods are not back yet: check the participant, then retry them.");
  }
  return causes;
}

/** Definitions that operators hold, and versions of open sagas that no living replica knows. */
function ofDefinitions({ definitions, replicas }: Facts): Cause[] {
  const causes: Cause[] = [];
  for (const d of definitions ?? []) {
    const at = link(`definitions/${encodeURIComponent(d.name)}`);
    if (d.hold) causes.push({ tone: "warn", parts: [{ text: `${d.name} is on hold by ${d.hold.by}`, href: at }], why: d.hold.reason, since: d.hold.since, todo: "Resume the definition once the reason is gone: its new sagas are held, too." });
    if (!replicas?.some((r) => r.living)) continue;
    for (const v of d.versions.filter((v) => v.knownBy === 0 && v.open > 0)) {
      causes.push({
        tone: "bad", parts: [{ text: `no replica knows ${d.name} v${v.version}, which ${plural(v.open, "open saga")} ${v.open === 1 ? "follows" : "follow"}`, href: link("sagas", { definition: d.name, version: v.version, open: "true" }) }],
        count: v.open, todo: "Start a build that knows this version: nothing moves these sagas before.",
      });
    }
  }
  return causes;
}

function ofReplicas(replicas: Replica[]): Cause[] {
  return replicas.filter((r) => r.living && r.lacks.length > 0).map((r) => ({
    tone: "warn", parts: [{ text: `replica ${r.host ?? r.id} does not know ${r.lacks.join(", ")}`, href: link("replicas") }], since: r.startedAt,
    todo: "Complete the rollout, or take it back: a new version is started only once all replicas know it.",
  }));
}

/** Those that wait for somebody. */
function ofRepairs(repairs: Repair[]): Cause[] {
  const waits: Partial<Record<Repair["status"], [string, string]>> = {
    AWAITING_APPROVAL: ["waits for a second operator", "Approve or stop it, if you are another operator."],
    PAUSED: ["is paused", "Resume or stop it."],
  };
  return repairs.filter((r) => waits[r.status]).map((r) => {
    const [text, todo] = waits[r.status]!;
    return { tone: "warn", parts: [{ text: `the repair (${r.action}) by ${r.startedBy} ${text}`, href: link(`repairs/${r.id}`) }], why: r.reason, count: r.total, since: r.startedAt, todo };
  });
}
