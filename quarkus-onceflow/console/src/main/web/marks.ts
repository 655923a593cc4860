import { api } from "./api";
import { plural, words } from "./format";
import { link } from "./router";
import type { AuditEntry, AuditPage, Replica, Service } from "./types";

/** What happened to the installation, for charts over time. */
export interface Mark {
  at: number;
  kind: "deployment" | "repair" | "pause";
  text: string;
  by: string | null;
  /** The view that shows it. */
  href: string;
}

/** More than an operator does in a week; it is one page of the log. */
const ENTRIES = 500;
/** Replicas of one build that start within this time are one deployment. */
const ROLLOUT_MS = 600_000;

/** The oldest first. What cannot be read is left out. */
export async function readMarks(signal: AbortSignal): Promise<Mark[]> {
  const known = <T>(asked: Promise<T>, otherwise: T) => asked.catch(() => otherwise);
  const [replicas, audit, services] = await Promise.all([
    known(api.get<Replica[]>("sagas/replicas", {}, signal), []),
    known(api.get<AuditPage>("operator-audit", { limit: ENTRIES }, signal), { entries: [] }),
    known(api.get<Service[]>("sagas/services", {}, signal), []),
  ]);
  return [...deployments(replicas), ...audit.entries.flatMap(ofEntry), ...ofServices(services)].sort((a, b) => a.at - b.at);
}

function deployments(replicas: Replica[]): Mark[] {
  const marks: Mark[] = [];
  const starts = new Map<Mark, number>();
  for (const r of [...replicas].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))) {
    const at = Date.parse(r.startedAt);
    const build = r.build ?? "an unknown build";
    const same = marks.find((m) => m.text.startsWith(`${build}: `) && at - m.at < ROLLOUT_MS);
    const mark = same ?? { at, kind: "deployment" as const, text: "", by: null, href: link("replicas") };
    if (!same) marks.push(mark);
    starts.set(mark, (starts.get(mark) ?? 0) + 1);
    mark.text = `${build}: ${plural(starts.get(mark)!, "replica")} started`;
  }
  return marks;
}

/** None of an act on a single saga or message. */
function ofEntry(e: AuditEntry): Mark[] {
  const { kind, id } = e.subject;
  const mark = (of: Mark["kind"], path: string, name: string): Mark[] =>
    [{ at: Date.parse(e.at), kind: of, text: `${words(e.action.replaceAll("-", " "))}${name && ` ${name}`}${e.reason ? `: ${e.reason}` : ""}`, by: e.actor, href: link(path) }];
  if (kind === "repair") return mark("repair", `repairs/${id}`, "");
  if (kind === "parked-job") return mark("repair", "parked", "");
  if (kind === "definition") return mark("pause", `definitions/${encodeURIComponent(id)}`, id);
  if (kind === "participant") return mark("pause", "participants", id);
  return [];
}

/** Those of other services that are paused still: who resumed one is in its own log. */
function ofServices(services: Service[]): Mark[] {
  return services.flatMap((s, i) => (i > 0 && s.participant?.paused && s.participant.pausedAt
    ? [{ at: Date.parse(s.participant.pausedAt), kind: "pause" as const, text: `Pause ${s.name}${s.participant.pausedReason ? `: ${s.participant.pausedReason}` : ""}`, by: s.participant.pausedBy, href: link("participants") }]
    : []));
}
