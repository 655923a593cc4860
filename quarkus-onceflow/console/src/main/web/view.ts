import { LitElement, type ReactiveController, type ReactiveControllerHost } from "lit";
import { property } from "lit/decorators.js";
import { Problem } from "./api";
import { base } from "./styles/base";

/** A page of the console. Its first h1, with tabindex -1, gets the focus after a navigation. */
export abstract class View extends LitElement {
  static override styles = [base];

  /** What stood in the place of the route's ":names". */
  @property({ attribute: false }) params: Record<string, string> = {};
  @property({ attribute: false }) query = new URLSearchParams();

  /** Names the document, where the route's own title says too little. */
  protected entitle(title: string): void {
    document.title = `${title} · Onceflow`;
  }
}

/** Longer than any answer takes that a view waits for; a connection that has gone silent would never end. */
const PATIENCE_MS = 30_000;

/** An answer may be due for so long before the page says that it has not come. */
const LATE_MS = 4_000;

/** What the elements on the page have loaded or load. */
const loaders = new Set<Loader<unknown>>();

/** As of when the page shows what it shows, whether an answer is due that has not come, and why not. */
export function freshness(): { asOf: number | null; late: boolean; problem: Problem | null } {
  const all = [...loaders].filter((l) => l.loadedAt !== null);
  const live = all.filter((l) => l.poll?.wanted());
  const late = live.filter((l) => l.poll!.late);
  const times = (late.length > 0 ? late : live.length > 0 ? live : all).map((l) => l.loadedAt!);
  return { asOf: times.length > 0 ? Math.min(...times) : null, late: late.length > 0, problem: late.find((l) => l.problem)?.problem ?? null };
}

/** Loads something for an element: one request at a time, the last one counts; what was there before stays while it is under way. */
export class Loader<T> implements ReactiveController {
  value: T | null = null;
  problem: Problem | null = null;
  loading = false;
  /** When the value was answered. */
  loadedAt: number | null = null;
  /** What loads it again; null where that is left to the user. */
  poll: Poll | null = null;
  private request: AbortController | null = null;
  /** Whether the value answers another question than the one that is asked now. */
  private outdated = false;

  constructor(private readonly host: ReactiveControllerHost, private readonly fetcher: (signal: AbortSignal) => Promise<T>, private readonly patienceMs = PATIENCE_MS) {
    host.addController(this);
  }

  hostConnected(): void {
    loaders.add(this);
  }

  hostDisconnected(): void {
    loaders.delete(this);
    this.giveUp();
  }

  /** Asks another question: the answer to the one before stays while it is under way, and is gone where it fails. */
  ask(): Promise<void> {
    this.outdated = true;
    return this.load();
  }

  /** As if nothing had been loaded, for a question to which the answer before would be wrong. */
  forget(): void {
    this.giveUp();
    this.value = null;
    this.loadedAt = null;
    this.problem = null;
  }

  private giveUp(): void {
    this.request?.abort();
    this.request = null;
    this.loading = false;
  }

  /** Resolves once it is there or has failed; never throws. */
  async load(): Promise<void> {
    this.request?.abort();
    const request = (this.request = new AbortController());
    const late = setTimeout(() => request.abort(silence(this.patienceMs)), this.patienceMs);
    this.loading = true;
    this.host.requestUpdate();
    try {
      const value = await this.fetcher(request.signal);
      if (this.request !== request) return;
      this.value = value;
      this.loadedAt = Date.now();
      this.problem = null;
      this.outdated = false;
    } catch (e) {
      if (this.request !== request) return;
      this.problem = Problem.of(e);
      if (this.outdated) this.value = this.loadedAt = null;
    } finally {
      clearTimeout(late);
    }
    this.loading = false;
    this.host.requestUpdate();
  }
}

function silence(ms: number): Problem {
  return new Problem(0, "The service is unreachable", `It did not respond within ${ms / 1000} s.`);
}

export type LiveState = "connecting" | "live" | "paused" | "waiting" | "closed";

const EVERY_MS = 2000;
/** Answers that stay the same however often they are asked for. */
const FINAL = [400, 401, 403, 404];

/** Loads again every so often for as long as its element is on the page and the page is in view; <oc-live .state=${poll.state}> shows how that goes and pauses it. */
export class Poll implements ReactiveController {
  private paused = false;
  private timer = 0;
  /** Not before, as the last answer asked for. */
  private notBefore = 0;
  /** Since when it may load: a hidden page does not. */
  private since = Date.now();

  /** With a condition, it loads only while that holds. */
  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly loader: Loader<unknown>,
    private readonly everyMs = EVERY_MS,
    readonly wanted: () => boolean = () => true,
  ) {
    loader.poll = this;
    host.addController(this);
  }

  /** Whether an answer is due that has not come. */
  get late(): boolean {
    if (this.paused || document.hidden || !this.wanted() || this.closed) return false;
    return Date.now() - Math.max(this.loader.loadedAt ?? 0, this.since) > this.everyMs + LATE_MS;
  }

  private get closed(): boolean {
    return FINAL.includes(this.loader.problem?.status ?? 0);
  }

  get state(): LiveState {
    const { value, problem } = this.loader;
    if (this.closed) return "closed";
    if (this.paused) return "paused";
    return problem || this.late ? "waiting" : value ? "live" : "connecting";
  }

  hostConnected(): void {
    this.since = Date.now();
    this.timer = window.setInterval(() => this.loadAgain(), this.everyMs);
    document.addEventListener("visibilitychange", this.onVisible);
  }

  hostDisconnected(): void {
    clearInterval(this.timer);
    document.removeEventListener("visibilitychange", this.onVisible);
  }

  toggle(): void {
    this.paused = !this.paused;
    this.since = Date.now();
    this.host.requestUpdate();
  }

  private readonly onVisible = (): void => {
    this.since = Date.now();
    this.loadAgain();
  };

  private async loadAgain(): Promise<void> {
    if (this.late) this.host.requestUpdate();
    if (this.paused || document.hidden || this.loader.loading || !this.wanted() || this.state === "closed" || Date.now() < this.notBefore) return;
    await this.loader.load();
    this.notBefore = Date.now() + (this.loader.problem?.retryAfterMs ?? 0);
  }
}
