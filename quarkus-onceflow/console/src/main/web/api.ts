import { ROOT } from "./base";
import { session } from "./session";

export type Query = Record<string, string | number | boolean | null | undefined>;

/** An answer that is not a success, as application/problem+json tells it, or no answer (status 0). */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly detail: string | null = null,
    readonly members: Record<string, unknown> = {},
    readonly retryAfterMs: number | null = null,
  ) {
    super(detail ?? title);
  }

  /** The last part of the problem's type, as "second-operator-needed". */
  get type(): string {
    return String(this.members.type ?? "").split(/[/:#]/).pop()!;
  }

  static of(e: unknown): Problem {
    if (e instanceof Problem) return e;
    return new Problem(0, "The service is unreachable", e instanceof Error ? e.message : String(e));
  }
}

/** "sagas" and {status: "STUCK", step: null} as "/sagas?status=STUCK": what is empty is left out. */
export function url(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value != null && value !== "" && value !== false) search.set(name, String(value));
  }
  const text = search.toString();
  return ROOT + path.replace(/^\//, "") + (text ? "?" + text : "");
}

/** A request with whatever shows who we are. Throws Problem; after a 401 the session is over. */
export async function request(method: string, address: string, body?: unknown, signal?: AbortSignal, accept = "application/json"): Promise<Response> {
  const headers = new Headers({ Accept: `${accept}, application/problem+json` });
  if (session.token) headers.set("Authorization", `Bearer ${session.token}`);
  if (session.now.csrf && method !== "GET") headers.set("X-CSRF-Token", session.now.csrf);
  if (body !== undefined) headers.set("Content-Type", "application/json");
  const answer = await send(address, { method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body) });
  const reason = (body as { reason?: string } | undefined)?.reason ?? new URL(address, location.href).searchParams.get("reason");
  if (answer.ok) {
    if (reason && method !== "GET") session.draft = null;
    return answer;
  }
  const problem = await problemOf(answer);
  if (answer.status === 401 && session.now.signedIn) {
    if (method !== "GET") session.draft = reason;
    session.expired();
  }
  throw problem;
}

async function send(address: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(address, { ...options, credentials: "same-origin", redirect: "error", cache: "no-store" });
  } catch (e) {
    if (options.signal?.aborted) throw e;
    throw new Problem(0, "The service is unreachable", "It did not respond. Live data is refreshed automatically.");
  }
}

const TITLES: Record<number, string> = {
  401: "You are not signed in",
  403: "Not allowed",
  404: "Not found",
  503: "Service overloaded",
};

async function problemOf(answer: Response): Promise<Problem> {
  const members = answer.headers.get("Content-Type")?.includes("json") ? await answer.json().catch(() => ({})) : {};
  const seconds = Number(answer.headers.get("Retry-After"));
  const title = members.title ?? TITLES[answer.status] ?? `The service answered ${answer.status}`;
  return new Problem(answer.status, title, members.detail ?? null, members, seconds > 0 ? seconds * 1000 : null);
}

async function json<T>(method: string, path: string, query?: Query, body?: unknown, signal?: AbortSignal): Promise<T> {
  const answer = await request(method, url(path, query), body, signal);
  const text = await answer.text();
  return (text ? JSON.parse(text) : undefined) as T;
}

/** Paths are relative to the application's root: api.get("sagas", {status: "STUCK"}). */
export const api = {
  get: <T>(path: string, query?: Query, signal?: AbortSignal) => json<T>("GET", path, query, undefined, signal),
  post: <T>(path: string, body: unknown = {}, query?: Query) => json<T>("POST", path, query, body),
  put: <T>(path: string, body: unknown, query?: Query) => json<T>("PUT", path, query, body),
  del: <T = void>(path: string, query?: Query, body?: unknown) => json<T>("DELETE", path, query, body),
};

/** Fetches a file with our credentials and hands it to the browser's downloads. */
export async function download(path: string, name: string): Promise<void> {
  const blob = await (await request("GET", url(path), undefined, undefined, "*/*")).blob();
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
