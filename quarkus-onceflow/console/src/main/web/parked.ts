import { api, Problem, type Query } from "./api";
import type { ParkedMessage } from "./sagas";

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

/**
 * The newest of all of them together: ids are in the order of time, so one cursor serves them all. Without names, those of
 * the service that the page is of. Throws where no service has answered.
 */
export async function readParked(names: string[], query: Query & { limit: number }, signal: AbortSignal): Promise<ParkedPage> {
  const asked = names.length > 0 ? names : [null];
  const answers = await Promise.allSettled(asked.map(async (service) => {
    const found = await api.get<Omit<ParkedMessage, "service">[]>(parkedPath(service), query, signal);
    return found.map((m) => ({ ...m, service }));
  }));
  const failed = answers.flatMap((a, i) => (a.status === "rejected" ? [{ service: asked[i], problem: Problem.of(a.reason) }] : []));
  if (failed.length === asked.length) throw failed[0].problem;
  const all = answers.flatMap((a) => (a.status === "fulfilled" ? a.value : []));
  return { messages: all.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, query.limit), failed };
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
