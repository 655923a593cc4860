import { css, html, LitElement, nothing, svg } from "lit";
import { customElement, property } from "lit/decorators.js";
import { absolute } from "../format";
import type { Mark } from "../marks";
import { base } from "../styles/base";

export interface Series {
  name: string;
  tone: "accent" | "good" | "warn" | "bad" | "back";
  /** One for each span; null where there is none. */
  values: (number | null)[];
}

const HEIGHT = 100;

/** The lowest round number that is not below: 1, 2 or 5 with zeros. */
export function ceiling(value: number): number {
  if (value <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((n) => n * power).find((n) => n >= value)!;
}

/** Series over time, as bars on top of each other or as lines, with the same figures as a table. */
@customElement("oc-chart")
export class OcChart extends LitElement {
  @property() caption = "";
  @property({ type: Boolean }) bars = false;
  /** The beginnings of the spans. */
  @property({ attribute: false }) times: number[] = [];
  @property({ attribute: false }) series: Series[] = [];
  /** What happened meanwhile. */
  @property({ attribute: false }) marks: Mark[] = [];
  @property({ attribute: false }) text: (value: number | null) => string = String;

  protected override render() {
    const sums = this.times.map((_, i) => this.series.map((s) => s.values[i] ?? 0).reduce((a, b) => (this.bars ? a + b : Math.max(a, b)), 0));
    const top = ceiling(Math.max(0, ...sums));
    return html`
      <figure>
        <figcaption><h2>${this.caption}</h2>${this.renderLegend()}</figcaption>
        <div class="plot" aria-hidden="true"><span class="most">${this.text(top)}</span>
          <svg viewBox="0 0 ${this.times.length} ${HEIGHT}" preserveAspectRatio="none">
            <path class="axis" d="M0 0H${this.times.length}M0 ${HEIGHT}H${this.times.length}"></path>
            ${this.bars ? this.renderBars(top) : this.series.map((s) => this.renderLine(s, top))}
            ${this.marks.map((m) => this.renderMark(m))}
          </svg>
          <p class="axis small"><span>${this.timeOf(0)}</span><span>${this.timeOf(this.times.length - 1)}</span></p>
        </div>
        ${this.renderTable()}
      </figure>
    `;
  }

  private renderLegend() {
    return html`<ul class="small">${this.series.map((s) => html`<li><i class=${s.tone} aria-hidden="true"></i>${s.name}</li>`)}</ul>`;
  }

  private renderBars(top: number) {
    return this.times.map((_, i) => {
      let below = 0;
      return this.series.map((s) => {
        const height = ((s.values[i] ?? 0) / top) * HEIGHT;
        below += height;
        return height === 0 ? nothing : svg`<rect class=${s.tone} x=${i + 0.1} y=${HEIGHT - below} width="0.8" height=${height}><title>${this.timeOf(i)}: ${this.text(s.values[i])} ${s.name}</title></rect>`;
      });
    });
  }

  /** Interrupted where there is no value; one between two gaps is a short line. */
  private renderLine(series: Series, top: number) {
    const path = series.values.map((value, i) => {
      if (value === null) return "";
      const y = HEIGHT - (value / top) * HEIGHT;
      return (series.values[i - 1] ?? null) === null ? `M${i} ${y}H${i + 1}` : `L${i + 0.5} ${y}H${i + 1}`;
    });
    return svg`<path class="line ${series.tone}" d=${path.join("")}></path>`;
  }

  /** A line at its moment, in the midst of a span as well; none outside of the chart. */
  private renderMark(mark: Mark) {
    const [first, second] = this.times;
    const x = (mark.at - first) / (second - first);
    return x >= 0 && x <= this.times.length
      ? svg`<path class="mark ${mark.kind}" d="M${x} 0V${HEIGHT}"><title>${absolute(new Date(mark.at).toISOString())}: ${mark.text}</title></path>`
      : nothing;
  }

  private renderTable() {
    return html`<details><summary class="small">As a table</summary><div class="scroll" tabindex="0" role="region" aria-label="${this.caption}, as a table"><table>
      <thead><tr><th scope="col">From</th>${this.series.map((s) => html`<th scope="col" class="end">${s.name}</th>`)}</tr></thead>
      <tbody>${this.times.map((_, i) => html`<tr><th scope="row">${this.timeOf(i)}</th>${this.series.map((s) => html`<td class="end">${this.text(s.values[i])}</td>`)}</tr>`)}</tbody>
    </table></div></details>`;
  }

  private timeOf(i: number): string {
    return this.times.length === 0 ? "" : absolute(new Date(this.times[i]).toISOString()).slice(0, -3);
  }

  static override styles = [
    base,
    css`
      :host { display: block; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; padding: var(--s4); min-width: 0; }
      figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: var(--s1) var(--s4); margin-bottom: var(--s2); }
      ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: var(--s1) var(--s4); color: var(--muted); }
      li { display: flex; align-items: center; gap: var(--s1); }
      i { width: 0.625rem; height: 0.625rem; border-radius: 2px; background: currentColor; }
      .plot { position: relative; }
      .most { font-size: 0.75rem; color: var(--muted); font-variant-numeric: tabular-nums; }
      svg { display: block; width: 100%; height: 9rem; }
      path { fill: none; vector-effect: non-scaling-stroke; }
      path.axis { stroke: var(--line); }
      .line { stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }
      .mark { stroke: currentColor; stroke-width: 1.5; stroke-dasharray: 4 3; }
      .deployment { color: var(--accent); } .repair { color: var(--good); } .pause { color: var(--warn); }
      rect { fill: currentColor; }
      .accent { color: var(--accent); } .good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); } .back { color: var(--back); }
      p.axis { display: flex; justify-content: space-between; margin-top: var(--s1); color: var(--muted); font-variant-numeric: tabular-nums; }
      summary { cursor: pointer; margin-top: var(--s2); color: var(--muted); }
      .scroll { max-height: 16rem; overflow: auto; }
      table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
      th, td { text-align: start; font-weight: 400; padding: 0.125rem var(--s2); }
      .end { text-align: end; }
    `,
  ];
}
