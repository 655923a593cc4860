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

/** Loads something for an element: one request at a time, the last one counts; what was there before stays while it is under way. */
export class Loader<T> implements ReactiveController {
  value: T | null = null;
  problem: Problem | null = null;
  loading = false;
  private request: AbortController | null = null;
  /** Whether the value answers another question than the one that is asked now. */
  private outdated = false;

  constructor(private readonly host: ReactiveControllerHost, private readonly fetcher: (signal: AbortSignal) => Promise<T>, private readonly patienceMs = PATIENCE_MS) {
    host.addController(this);
  }

  hostDisconnected(): void {
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
      this.problem = null;
      this.outdated = false;
    } catch (e) {
      if (this.request !== request) return;
      this.problem = Problem.of(e);
      if (this.outdated) this.value = null;
    } finally {
      clearTimeout(late);
    }
    this.loading = false;
    this.host.requestUpdate();
  }
}

function silence(ms: number): Problem {
  return new Problem(0, "The service is unreachable", `It did not answer within ${ms / 1000} s.`);
}

export type LiveState = "connecting" | "live" | "paused" | "waiting" | "closed";

const EVERY_MS = 2000;

/** Loads again every so often for as long as its element is on the page and the page is in view; <oc-live .state=${poll.state}> shows how that goes and pauses it. */
export class Poll implements ReactiveController {
  private paused = false;
  private timer = 0;
  /** Not before, as the last answer asked for. */
  private notBefore = 0;

  constructor(private readonly host: ReactiveControllerHost, private readonly loader: Loader<unknown>, private readonly everyMs = EVERY_MS) {
    host.addController(this);
  }

  get state(): LiveState {
    const { value, problem } = this.loader;
    if (problem?.status === 401 || problem?.status === 403) return "closed";
    if (this.paused) return "paused";
    return problem ? "waiting" : value ? "live" : "connecting";
  }

  hostConnected(): void {
    this.timer = window.setInterval(() => this.loadAgain(), this.everyMs);
  }

  hostDisconnected(): void {
    clearInterval(this.timer);
  }

  toggle(): void {
    this.paused = !this.paused;
    this.host.requestUpdate();
  }

  private async loadAgain(): Promise<void> {
    if (this.paused || document.hidden || this.loader.loading || this.state === "closed" || Date.now() < this.notBefore) return;
    await this.loader.load();
    this.notBefore = Date.now() + (this.loader.problem?.retryAfterMs ?? 0);
  }
}
