import { Problem, request, url, type Query } from "./api";

export type LiveState = "connecting" | "live" | "paused" | "waiting" | "closed";

export interface ServerEvent {
  event: string;
  data: string;
}

/** Whole events of a text/event-stream; what has no end yet is the rest, to be put before the next piece. Comments are left out. */
export function parseEvents(text: string): { events: ServerEvent[]; rest: string } {
  const blocks = text.replaceAll("\r\n", "\n").split("\n\n");
  const rest = blocks.pop()!;
  const events: ServerEvent[] = [];
  for (const block of blocks) {
    let event = "message";
    const data: string[] = [];
    for (const line of block.split("\n")) {
      if (line.startsWith("event:")) event = line.slice(6).trim();
      else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
    }
    if (data.length > 0) events.push({ event, data: data.join("\n") });
  }
  return { events, rest };
}

/** How long to wait before attempt n (from 0): 1, 2, 4 … 30 s, of which up to a quarter is left to chance. */
export function backoff(attempt: number, chance = Math.random()): number {
  return Math.min(30_000, 1000 * 2 ** attempt) * (1 - chance / 4);
}

/** Nothing for this long, not even the comment every 15 s, means that the connection is dead. */
const SILENCE_MS = 40_000;

/**
 * A stream of server-sent events by fetch, since EventSource sends no Authorization. Connects again by itself, later after
 * each failure; rests while paused and while nobody looks at the tab.
 */
export class EventStream {
  state: LiveState = "closed";
  private attempt = 0;
  private connection: AbortController | null = null;
  private timer = 0;
  private paused = false;

  constructor(
    private readonly path: string,
    private readonly query: Query,
    private readonly onEvent: (event: string, data: unknown) => void,
    private readonly onState: (state: LiveState) => void,
  ) {}

  open(): void {
    document.addEventListener("visibilitychange", this.looked);
    this.connect();
  }

  pause(): void {
    this.paused = true;
    this.stop("paused");
  }

  resume(): void {
    this.paused = false;
    this.attempt = 0;
    this.connect();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.looked);
    this.stop("closed");
  }

  private readonly looked = () => {
    if (this.paused) return;
    if (document.hidden) this.stop("waiting");
    else if (!this.connection) this.connect();
  };

  private stop(state: LiveState): void {
    clearTimeout(this.timer);
    this.connection?.abort();
    this.connection = null;
    this.become(state);
  }

  private become(state: LiveState): void {
    this.state = state;
    this.onState(state);
  }

  private async connect(): Promise<void> {
    this.stop("connecting");
    if (document.hidden) return this.become("waiting");
    const connection = new AbortController();
    this.connection = connection;
    let wait: number | null = null;
    try {
      await this.read(connection);
    } catch (e) {
      const problem = Problem.of(e);
      if (problem.status === 401 || problem.status === 403) return this.close();
      wait = problem.retryAfterMs;
    }
    if (this.connection !== connection) return;
    this.connection = null;
    this.become("waiting");
    this.timer = window.setTimeout(() => this.connect(), wait ?? backoff(this.attempt++));
  }

  private async read(connection: AbortController): Promise<void> {
    const answer = await request("GET", url(this.path, this.query), undefined, connection.signal, "text/event-stream");
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    this.become("live");
    let rest = "";
    while (true) {
      const silence = window.setTimeout(() => connection.abort(), SILENCE_MS);
      const { value, done } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      this.attempt = 0;
      const parsed = parseEvents(rest + value);
      rest = parsed.rest;
      for (const { event, data } of parsed.events) this.onEvent(event, JSON.parse(data));
    }
  }
}
