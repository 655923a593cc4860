import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { api } from "../api";
import { count, duration, plural } from "../format";
import { outcomeWords, parkedPath, readJobs } from "../parked";
import type { ParkedJob } from "../sagas";
import { session } from "../session";
import { base } from "../styles/base";
import { Loader, Poll } from "../view";
import type { OcAsk } from "./ask";
import "./ask";
import "./problem";
import "./status";
import "./time";

const EVERY_MS = 1000;
/** What has ended is of interest for as long. */
const SHOWN_FOR_MS = 3_600_000;
const MOST = 5;
const TEXTS = {
  pause: "No more messages are handled until it is resumed. What it has done stays done.",
  resume: "It continues with the pending messages.",
  stop: "It ends permanently: the pending messages stay parked. What it has done stays done.",
};

const VERBS: Record<ParkedJob["status"], (keyof typeof TEXTS)[]> = { RUNNING: ["pause", "stop"], PAUSED: ["resume", "stop"], STOPPED: [], FINISHED: [] };

/** Redrives and deletions of groups that services carry out or have just ended. Dispatches "ended" when one has. */
@customElement("oc-parked-jobs")
export class OcParkedJobs extends LitElement {
  /** Of the services; none for that of the page. */
  @property({ attribute: false }) names: string[] = [];
  /** Changes when one was started. */
  @property({ type: Number }) started = 0;
  @query("oc-ask") private question!: OcAsk;
  private open = new Set<string>();
  private readonly jobs = new Loader<ParkedJob[]>(this, (signal) => readJobs(this.names, signal));
  private readonly poll = new Poll(this, this.jobs, EVERY_MS, () => this.jobs.value?.some((j) => j.status === "RUNNING") ?? false);

  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get("names") as string[] | undefined;
    if (changed.has("started") || (changed.has("names") && before?.join() !== this.names.join())) this.jobs.load();
  }

  protected override updated(): void {
    const open = new Set(this.jobs.value?.filter((j) => !j.finishedAt).map((j) => j.id));
    const ended = [...this.open].some((id) => !open.has(id));
    this.open = open;
    if (ended) this.dispatchEvent(new Event("ended"));
  }

  protected override render() {
    const shown = (this.jobs.value ?? []).filter((j) => !j.finishedAt || Date.now() - Date.parse(j.finishedAt) < SHOWN_FOR_MS).slice(0, MOST);
    return html`
      <oc-problem .problem=${this.jobs.problem} retry @retry=${() => this.jobs.load()}></oc-problem>
      ${shown.map((j) => this.renderJob(j))}
      <oc-ask @done=${() => this.jobs.load()}></oc-ask>`;
  }

  private renderJob(j: ParkedJob) {
    const done = j.action === "redrive" ? "handled" : "deleted";
    return html`
      <section class="panel stack tight" aria-label=${`${j.action} of ${j.type ?? "no type"}`}>
        <div class="row"><oc-status .value=${j.status} .tone=${j.status === "FINISHED" && j.failed > 0 ? "warn" : undefined}></oc-status>
          <strong>${j.action} ${j.type ?? "no type"}</strong>${j.service ? html`<span class="muted">at ${j.service}</span>` : nothing}
          <span class="muted">${j.reason ?? ""}</span>
          ${session.operator ? VERBS[j.status].map((verb, i) => html`<button class=${`${i === 0 ? "push" : ""} ${verb === "stop" ? "danger" : ""}`} @click=${() => this.ask(j, verb)}>${verb[0].toUpperCase() + verb.slice(1)}</button>`) : nothing}
        </div>
        <progress max=${Math.max(1, j.total)} value=${j.handled + j.failed} aria-label=${done}></progress>
        <p class="number" role="status">${count(j.handled)} of ${plural(j.total, "message")} ${done}, ${count(j.failed)} still parked${j.etaMs ? `; about ${duration(j.etaMs)} to go` : ""}</p>
        ${j.failed > 0 ? html`<ul>${Object.entries(j.failures).map(([outcome, n]) => html`<li><span class="number">${count(n)}</span> ${outcomeWords(outcome)}</li>`)}</ul>` : nothing}
        <p class="small muted">By ${j.startedBy}, <oc-time .at=${j.startedAt}></oc-time>, at most ${count(j.perSecond)} per second${j.finishedAt ? "" : "; it continues without this page"}</p>
      </section>`;
  }

  private ask(j: ParkedJob, verb: keyof typeof TEXTS): void {
    this.question.ask({
      heading: `${verb[0].toUpperCase() + verb.slice(1)} this ${j.action}`,
      text: TEXTS[verb],
      verb: `${verb[0].toUpperCase() + verb.slice(1)} ${j.action}`,
      danger: verb === "stop",
      act: (reason) => api.post(`${parkedPath(j.service)}/jobs/${j.id}/${verb}`, undefined, { reason }),
    });
  }

  static override styles = [base, css`
    :host { display: contents; }
    ul { margin: 0; padding: 0; list-style: none; }
  `];
}
