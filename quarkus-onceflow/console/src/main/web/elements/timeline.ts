import { css, html, LitElement, nothing, svg } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { duration, plural } from "../format";
import type { Bar, Phase, PhaseKind } from "../sagas";
import { base } from "../styles/base";

const ROW = 30;
const TOP = 24;
const LABEL = 190;
const TICKS = 4;
/** So that their labels do not touch on a phone. */
const TICK_WIDTH = 96;

/** Each is told by its form; the colour says what it came to. Top and height within a row. */
const FORMS: Record<PhaseKind, { y: number; height: number; text: string }> = {
  sent: { y: 12, height: 6, text: "in outbox or queue" },
  queued: { y: 7, height: 16, text: "waits in the service, or between attempts" },
  works: { y: 6, height: 18, text: "processing" },
  answered: { y: 14, height: 2, text: "reply in transit" },
  whole: { y: 6, height: 18, text: "no data from the service" },
};

/** The waits of a saga as a waterfall; a table of the same for who does not see it. */
@customElement("oc-timeline")
export class OcTimeline extends LitElement {
  @property({ attribute: false }) bars: Bar[] = [];
  /** Until when what goes on is drawn. */
  @property({ attribute: false }) now = 0;
  @state() private width = 0;

  private readonly observer = new ResizeObserver(([entry]) => (this.width = Math.floor(entry.contentRect.width)));

  override connectedCallback(): void {
    super.connectedCallback();
    this.observer.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer.disconnect();
  }

  protected override render() {
    if (this.bars.length === 0) return html`<p class="muted">No messages sent yet</p>`;
    return html`${this.width > 0 ? html`${this.renderDrawing()}${this.renderLegend()}` : nothing}${this.renderTable()}
      ${this.bars.some((b) => b.skewed) ? html`<p class="small muted">The clocks of the services differ: some times are drawn where they fit.</p>` : nothing}`;
  }

  private renderDrawing() {
    const label = Math.min(LABEL, this.width * 0.4);
    const begin = Math.min(...this.bars.map((b) => b.begin));
    const end = Math.max(...this.bars.map((b) => Math.max(b.end ?? this.now, ...b.again)), begin + 1);
    const x = (at: number) => label + ((Math.min(at, end) - begin) / (end - begin)) * (this.width - label - 8);
    const height = TOP + this.bars.length * ROW;
    const ticks = Math.max(1, Math.min(TICKS, Math.floor((this.width - label) / TICK_WIDTH)));
    return html`
      <svg aria-hidden="true" width=${this.width} height=${height} viewBox="0 0 ${this.width} ${height}">
        ${Array.from({ length: ticks + 1 }, (_, i) => begin + ((end - begin) * i) / ticks).map((at, i) => svg`
          <path class="tick" d="M${x(at)} ${TOP - 6}V${height}"></path>
          <text class="time" x=${x(at)} y="12" text-anchor=${i === 0 ? "start" : i === ticks ? "end" : "middle"}>${duration(at - begin)}</text>`)}
        ${this.bars.map((bar, i) => this.renderBar(bar, TOP + i * ROW, x))}
      </svg>
    `;
  }

  private renderBar(bar: Bar, y: number, x: (at: number) => number) {
    const kind = bar.end === null ? "waits" : bar.outcome === "refused" || bar.outcome === "given-up" ? "bad" : bar.back ? "back" : "good";
    return svg`
      <text class="label" x="0" y=${y + 19}>${bar.label}</text>
      <g class=${kind}>${bar.phases.map((p) => svg`
        <rect class=${p.kind} x=${x(p.from)} y=${y + FORMS[p.kind].y} width=${Math.max(bar.phases.length > 1 ? 1 : 3, x(p.to ?? Infinity) - x(p.from))} height=${FORMS[p.kind].height} rx="2">
          <title>${[bar.service, p.kind === "whole" ? null : FORMS[p.kind].text, this.took(p)].filter(Boolean).join(", ")}</title></rect>`)}</g>
      ${bar.again.map((at) => svg`<path class="again" d="M${x(at)} ${y + 4}V${y + ROW - 4}"><title>sent again</title></path>`)}`;
  }

  private renderLegend() {
    const kinds = new Set(this.bars.flatMap((b) => b.phases.map((p) => p.kind)));
    if (kinds.size === 1 && kinds.has("whole")) return nothing;
    const again = this.bars.some((b) => b.again.length > 0);
    return html`
      <p class="legend small muted" aria-hidden="true">
        ${(Object.keys(FORMS) as PhaseKind[]).filter((k) => kinds.has(k)).map((k) => html`<span><svg width="22" height="20"><rect class=${k} x="1" y=${FORMS[k].y - 5} width="20" height=${FORMS[k].height} rx="2"></rect></svg>${FORMS[k].text}</span>`)}
        ${again ? html`<span><svg width="8" height="20"><path class="again" d="M4 0V20"></path></svg>sent again</span>` : nothing}
      </p>`;
  }

  private took(p: Phase): string {
    return p.to === null ? "in progress" : duration(p.to - p.from);
  }

  /** What is told of a phase; nothing where that is not known. */
  private phase(bar: Bar, kind: PhaseKind): string {
    const found = bar.phases.find((p) => p.kind === kind);
    return found ? this.took(found) : "–";
  }

  private renderTable() {
    const begin = Math.min(...this.bars.map((b) => b.begin));
    const kinds: PhaseKind[] = ["sent", "queued", "works", "answered"];
    return html`
      <div class="heard"><table>
        <caption>Timeline</caption>
        <thead><tr><th>Step or compensation</th><th>Service</th><th>After</th><th>Took</th>${kinds.map((k) => html`<th>${FORMS[k].text}</th>`)}<th>Outcome</th></tr></thead>
        <tbody>${this.bars.map((b) => html`<tr><th scope="row">${b.label}</th><td>${b.service ?? "–"}</td><td>${duration(b.begin - begin)}</td>
          <td>${b.end === null ? "in progress" : duration(b.end - b.begin)}</td>${kinds.map((k) => html`<td>${this.phase(b, k)}</td>`)}
          <td>${b.outcome ?? "no answer"}${b.again.length > 0 ? `, sent again ${plural(b.again.length, "time")}` : ""}${b.attempts !== null && b.attempts > 1 ? `, begun ${plural(b.attempts, "time")}` : ""}</td></tr>`)}</tbody>
      </table></div>
    `;
  }

  static override styles = [
    base,
    css`
      :host { display: block; position: relative; min-width: 0; }
      svg { display: block; font-family: var(--font); font-size: 12px; }
      .tick { stroke: var(--line); }
      .time { fill: var(--muted); font-variant-numeric: tabular-nums; }
      .label { fill: var(--text); font-size: 13px; }
      g, .legend { color: var(--muted); }
      .good { color: var(--good); }
      .back { color: var(--back); }
      .bad { color: var(--bad); }
      .waits { color: var(--accent); }
      rect { fill: currentColor; opacity: 0.8; }
      .queued { fill: var(--surface); stroke: currentColor; stroke-width: 1.5; stroke-dasharray: 3 2; opacity: 1; }
      .whole { opacity: 0.6; }
      .again { stroke: var(--text); stroke-width: 1.5; }
      .legend { display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); margin-top: var(--s2); }
      .legend span { display: inline-flex; align-items: center; gap: var(--s2); }
    `,
  ];
}
