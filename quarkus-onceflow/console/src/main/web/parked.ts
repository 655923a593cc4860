import { api, Problem, type Query } from "./api";
import { words } from "./format";
import type { ParkedGroup, ParkedJob, ParkedMessage } from "./sagas";

/** Parked messages of several services, the newest first. */
export interface ParkedPage {
  messages: ParkedMessage[];
  /** Services whose messages could not be read. */
  failed: { service: string | null; problem: Problem }[];
}

/** The address of a service's parked messages or of one of them; null for the service that the page is of. */
export function parkedPath(service: string | null, id = ""): string {
  const at = service ? `sagas/services/${encodeURIComponent(service)}/parked-messages` : "parked-messages";
  return id ? `${at}/${id}` : at;
}

/** What each service answers, with its name. Without names, the service that the page is of. Throws where none has answered. */
async function readAll<T extends object>(names: string[], below: string, query: Query, signal: AbortSignal) {
  const asked = names.length > 0 ? names : [null];
  const answers = await Promise.allSettled(asked.map(async (service) => {
    const found = await api.get<T[]>(parkedPath(service) + below, query, signal);
    return found.map((it) => ({ ...it, service }));
  }));
  const failed = answers.flatMap((a, i) => (a.status === "rejected" ? [{ service: asked[i], problem: Problem.of(a.reason) }] : []));
  if (failed.length === asked.length) throw failed[0].problem;
  return { found: answers.flatMap((a) => (a.status === "fulfilled" ? a.value : [])), failed };
}

/** The newest of all of them together: ids are in the order of time, so one cursor serves them all. */
export async function readParked(names: string[], query: Query & { limit: number }, signal: AbortSignal): Promise<ParkedPage> {
  const { found, failed } = await readAll<Omit<ParkedMessage, "service">>(names, "", query, signal);
  return { messages: found.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, query.limit), failed };
}

/** By causes, the largest group of all services first. */
export async function readGroups(names: string[], signal: AbortSignal): Promise<ParkedGroup[]> {
  const { found } = await readAll<Omit<ParkedGroup, "service">>(names, "/groups", {}, signal);
  return found.sort((a, b) => b.count - a.count);
}

/** Redrives and deletions of groups, the newest of all services first. */
export async function readJobs(names: string[], signal: AbortSignal): Promise<ParkedJob[]> {
  const { found } = await readAll<Omit<ParkedJob, "service">>(names, "/jobs", {}, signal);
  return found.sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** Why a message stays parked after its redrive, by the outcome of that. */
const OUTCOMES: Record<string, string> = {
  "still-unhandled": "still cannot be handled; each says why",
  "parked-too-long": "parked too long ago for a redrive",
  "second-operator-needed": "edited by the one who redrives it; another operator has to",
  "edited-meanwhile": "edited meanwhile",
};

export function outcomeWords(outcome: string): string {
  return OUTCOMES[outcome] ?? words(outcome.replaceAll("-", " "));
}

/** Reasons whose own words say too little. */
const REASONS: Record<string, string> = { "no-idempotency-key": "no idempotency key, or no scope of one" };

/** "handling-failed" as "handling failed". */
export function reasonWords(reason: string): string {
  return REASONS[reason] ?? words(reason.replaceAll("-", " "));
}

/** The names of all services; none where the application knows of no others. */
export async function serviceNames(signal: AbortSignal): Promise<string[]> {
  try {
    return (await api.get<{ name: string }[]>("sagas/services", {}, signal)).map((s) => s.name);
  } catch (e) {
    if (Problem.of(e).status === 404) return [];
    throw e;
  }
}
