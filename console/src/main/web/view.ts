import { LitElement, type ReactiveController, type ReactiveControllerHost } from "lit";
import { property } from "lit/decorators.js";
import { Problem, type Query } from "./api";
import { EventStream, type LiveState } from "./live";
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
  return new Problem(0, "The service cannot be reached", `It did not answer within ${ms / 1000} s.`);
}

/** A stream of events for as long as its element is on the page; with <oc-live .feed=${feed}> people see its state and pause it. */
export class Feed implements ReactiveController {
  state: LiveState = "closed";
  private stream: EventStream | null = null;

  constructor(
    private readonly host: ReactiveControllerHost,
    private readonly path: string,
    private readonly query: () => Query,
    private readonly onEvent: (event: string, data: unknown) => void,
  ) {
    host.addController(this);
  }

  /** Opens the stream, or opens it again with what the query is now. */
  open(): void {
    this.stream?.close();
    this.stream = new EventStream(this.path, this.query(), this.onEvent, (state) => {
      this.state = state;
      this.host.requestUpdate();
    });
    this.stream.open();
  }

  toggle(): void {
    if (this.state === "paused") this.stream?.resume();
    else this.stream?.pause();
  }

  hostDisconnected(): void {
    this.stream?.close();
    this.stream = null;
  }
}
