import { css, html, LitElement, nothing, svg } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { duration } from "../format";
import type { Bar } from "../sagas";
import { base } from "../styles/base";

const ROW = 30;
const TOP = 24;
const LABEL = 190;
const TICKS = 4;
/** So that their labels do not touch on a phone. */
const TICK_WIDTH = 96;

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
    if (this.bars.length === 0) return html`<p class="muted">Nothing was sent yet.</p>`;
    return html`${this.width > 0 ? this.renderDrawing() : nothing}${this.renderTable()}`;
  }

  private renderDrawing() {
    const label = Math.min(LABEL, this.width * 0.4);
    const begin = this.bars[0].begin;
    const end = Math.max(...this.bars.map((b) => b.end ?? this.now), begin + 1);
    const x = (at: number) => label + ((Math.min(at, end) - begin) / (end - begin)) * (this.width - label - 8);
    const height = TOP + this.bars.length * ROW;
    const ticks = Math.max(1, Math.min(TICKS, Math.floor((this.width - label) / TICK_WIDTH)));
    return html`
      <svg aria-hidden="true" width=${this.width} height=${height} viewBox="0 0 ${this.width} ${height}">
        ${Array.from({ length: ticks + 1 }, (_, i) => begin + ((end - begin) * i) / ticks).map((at, i) => svg`
          <path class="tick" d="M${x(at)} ${TOP - 6}V${height}"></path>
          <text class="time" x=${x(at)} y="12" text-anchor=${i === 0 ? "start" : i === ticks ? "end" : "middle"}>${duration(at - begin)}</text>`)}
        ${this.bars.map((bar, i) => this.renderBar(bar, i, x))}
      </svg>
    `;
  }

  private renderBar(bar: Bar, i: number, x: (at: number) => number) {
    const y = TOP + i * ROW;
    const from = x(bar.begin);
    const to = x(bar.end ?? Infinity);
    const kind = bar.end === null ? "waits" : bar.outcome === "refused" || bar.outcome === "given-up" ? "bad" : bar.back ? "back" : "good";
    return svg`
      <text class="label" x="0" y=${y + 19}>${bar.label}</text>
      <rect class=${kind} x=${from} y=${y + 6} width=${Math.max(3, to - from)} height=${ROW - 12} rx="3"></rect>
      ${bar.again.map((at) => svg`<path class="again" d="M${x(at)} ${y + 4}V${y + ROW - 4}"></path>`)}`;
  }

  private renderTable() {
    return html`
      <div class="heard"><table>
        <caption>Timeline</caption>
        <thead><tr><th>Asked for</th><th>After</th><th>Took</th><th>Outcome</th></tr></thead>
        <tbody>${this.bars.map((b) => html`<tr><th scope="row">${b.label}</th><td>${duration(b.begin - this.bars[0].begin)}</td>
          <td>${b.end === null ? "goes on" : duration(b.end - b.begin)}</td><td>${b.outcome ?? "no answer"}${b.again.length > 0 ? `, sent again ${b.again.length} times` : ""}</td></tr>`)}</tbody>
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
      .good { fill: var(--good); opacity: 0.75; }
      .back { fill: var(--back); opacity: 0.8; }
      .bad { fill: var(--bad); opacity: 0.8; }
      .waits { fill: var(--accent); opacity: 0.6; }
      .again { stroke: var(--text); stroke-width: 1.5; }
    `,
  ];
}
