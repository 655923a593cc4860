import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { api } from "../api";
import { count, duration } from "../format";
import { timesOf, valuesAt } from "../over-time";
import { readMarks, type Mark } from "../marks";
import { router } from "../router";
import type { Minutes, MinutesPoint } from "../types";
import { Loader, Poll, View } from "../view";
import type { Series } from "../elements/chart";
import type { Column } from "../elements/table";
import "../elements/chart";
import "../elements/live";
import "../elements/problem";
import "../elements/status";
import "../elements/step-flow";
import "../elements/table";
import "../elements/time";
import "../elements/toolbar";

/** The replicas write once a minute. */
const EVERY_MS = 60_000;
/** As the lines in the charts. */
const TONES = { deployment: "info", repair: "good", pause: "warn" } as const;
const SPANS = [{ hours: 1, title: "Last hour" }, { hours: 24, title: "Last day" }, { hours: 168, title: "Last week" }];

const MARKS: Column<Mark>[] = [
  { key: "at", title: "At", cell: (m) => html`<oc-time exact .at=${new Date(m.at).toISOString()}></oc-time>` },
  { key: "kind", title: "Mark", cell: (m) => html`<oc-status .value=${m.kind} .tone=${TONES[m.kind]}></oc-status>` },
  { key: "text", title: "What", cell: (m) => html`<a class="break" href=${m.href}>${m.text}</a>` },
  { key: "by", title: "By", cell: (m) => m.by ?? html`<span class="muted">–</span>` },
];

/** What sagas did over the last hour, day or week. */
@customElement("oc-over-time")
export class TimeView extends View {
  private hours = SPANS[0].hours;
  private readonly minutes = new Loader<Minutes>(this, (signal) => api.get("sagas/minutes", { hours: this.hours }, signal));
  private readonly poll = new Poll(this, this.minutes, EVERY_MS);
  private readonly marks = new Loader<Mark[]>(this, readMarks);
  private readonly marksPoll = new Poll(this, this.marks, EVERY_MS);

  override connectedCallback(): void {
    super.connectedCallback();
    this.hours = this.asked();
    this.minutes.load();
    this.marks.load();
  }

  protected override willUpdate(): void {
    if (this.asked() === this.hours) return;
    this.hours = this.asked();
    this.minutes.ask();
  }

  private asked(): number {
    return SPANS.find((s) => String(s.hours) === this.query.get("hours"))?.hours ?? SPANS[0].hours;
  }

  protected override render() {
    const found = this.minutes.value;
    return html`
      <div class="stack">
        <oc-toolbar>
          <h1 slot="title" tabindex="-1">Time</h1>
          <label><span class="heard">Time range</span>
            <select @change=${(e: Event) => router.setQuery({ hours: (e.target as HTMLSelectElement).value })}>
              ${SPANS.map((s) => html`<option .value=${String(s.hours)} .selected=${live(s.hours === this.hours)}>${s.title}</option>`)}
            </select></label>
          ${found ? this.renderDefinitions(found) : nothing}
          <oc-live .state=${this.poll.state} @toggle=${() => this.poll.toggle()}></oc-live>
        </oc-toolbar>
        <oc-problem .problem=${this.minutes.problem} retry @retry=${() => this.minutes.load()}></oc-problem>
        ${found ? this.renderCharts(found) : nothing}
      </div>
    `;
  }

  private renderDefinitions({ points }: Minutes) {
    const names = [...new Set(points.map((p) => p.definition))].sort();
    return html`<label><span class="heard">Definition</span>
      <select @change=${(e: Event) => router.setQuery({ definition: (e.target as HTMLSelectElement).value || null, step: null })}>
        <option value="" .selected=${live(!this.query.get("definition"))}>all definitions</option>
        ${names.map((name) => html`<option .value=${name} .selected=${live(name === this.query.get("definition"))}>${name}</option>`)}
      </select></label>`;
  }

  private renderCharts(all: Minutes) {
    const definition = this.query.get("definition");
    const of = <T extends { definition: string }>(rows: T[]) => (definition ? rows.filter((r) => r.definition === definition) : rows);
    const times = timesOf(all);
    const points = of(all.points);
    const counted = (name: string, tone: Series["tone"], value: (p: MinutesPoint) => number): Series => ({ name, tone, values: valuesAt(times, points, value) });
    const step = definition ? this.query.get("step") : null;
    const failed = of(all.failures).filter((f) => !step || f.step === step);
    const marks = (this.marks.value ?? []).filter((m) => m.at >= times[0] && m.at <= Date.parse(all.until));
    const chart = (caption: string, series: Series[], text: (v: number | null) => string, bars = false) =>
      html`<oc-chart .caption=${caption} .times=${times} .series=${series} .marks=${marks} .text=${text} ?bars=${bars}></oc-chart>`;
    return html`
      <div class="charts">
        ${chart("Started", [counted("started", "accent", (p) => p.started)], count, true)}
        ${chart("Ended", [counted("completed", "good", (p) => p.completed), counted("compensated", "back", (p) => p.compensated)], count, true)}
        ${chart("From start to end", durationsOf(times, points), duration)}
        ${chart(step ? `Failures of ${step}` : "Failures of steps", [
          { name: "refused", tone: "bad", values: valuesAt(times, failed, (f) => f.refused) },
          { name: "timed out", tone: "warn", values: valuesAt(times, failed, (f) => f.givenUp) },
          { name: "stuck", tone: "back", values: valuesAt(times, failed, (f) => f.stuck ?? 0) },
          { name: "sent again", tone: "accent", values: valuesAt(times, failed, (f) => f.sentAgain) },
        ], count, true)}
        ${chart("Open sagas, of all definitions", [{ name: "open", tone: "accent", values: valuesAt(times, all.backlog, (b) => b.open) }], count)}
        ${chart("Oldest message in the outbox", [{ name: "age", tone: "warn", values: valuesAt(times, all.backlog, (b) => b.outboxOldestMs) }], duration)}
      </div>
      <section class="stack tight" aria-labelledby="marks"><h2 id="marks">Marks</h2>
        <oc-table caption="Deployments, repairs and pauses, as the charts mark them" empty="No deployment, repair or pause" .columns=${MARKS} .rows=${marks} .rowKey=${(m: Mark) => `${m.at} ${m.text}`}></oc-table>
      </section>
      ${all.steps ? html`<oc-step-flow .minutes=${all} .marks=${marks} .hours=${this.hours} .definition=${definition} .step=${step}></oc-step-flow>` : nothing}
    `;
  }

  static override styles = [
    ...View.styles,
    css`
      .charts { display: grid; gap: var(--s4); grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); }
    `,
  ];
}

/** Percentiles of one definition; of several, which cannot be added, the greatest of each. */
function durationsOf(times: number[], points: MinutesPoint[]): Series[] {
  const greatest = (value: (p: MinutesPoint) => number | null) => times.map((at) => {
    const its = points.filter((p) => Date.parse(p.at) === at).map(value).filter((v) => v !== null);
    return its.length > 0 ? Math.max(...its) : null;
  });
  return [
    { name: "p50", tone: "accent", values: greatest((p) => p.p50Ms) },
    { name: "p95", tone: "back", values: greatest((p) => p.p95Ms) },
    { name: "p99", tone: "warn", values: greatest((p) => p.p99Ms) },
  ];
}
