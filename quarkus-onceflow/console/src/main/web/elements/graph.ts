import { css, html, LitElement, nothing, svg } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { age, count } from "../format";
import { countAt, layout, NOTHING, type Node, type Way } from "../graph";
import { link } from "../router";
import type { Standing } from "../standing";
import { base } from "../styles/base";
import type { DefinitionStep, StepCount } from "../types";

const ARROW = "M0 0L8 4L0 8z";
/** Kinds of steps that say nothing more than that they are taken here. */
const IN_SERVICE: string[] = ["step", "local", "pivot"];
/** The width of one in the lower line, about. */
const CHARACTER = 6.6;

/** A definition as a graph; with `counts`, how many sagas wait at each step on the way forward and on the way back; with `standing`, how one saga stands. */
@customElement("oc-graph")
export class OcGraph extends LitElement {
  @property() name = "";
  @property({ attribute: false }) version = 0;
  @property({ attribute: false }) steps: DefinitionStep[] = [];
  @property({ attribute: false }) counts: StepCount[] | null = null;
  @property({ attribute: false }) standing: Map<string, Standing> | null = null;
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
    if (this.width === 0) return nothing;
    const drawing = layout(this.steps, this.width, this.counts ? 104 : 58);
    return html`
      <svg role="group" aria-label="The steps of ${this.name}" width=${drawing.width} height=${drawing.height} viewBox="0 0 ${drawing.width} ${drawing.height}">
        <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d=${ARROW}></path></marker></defs>
        ${drawing.groups.map((g) => svg`<rect class="group" x=${g.x} y=${g.y} width=${g.width} height=${g.height} rx="12"></rect>`)}
        ${drawing.edges.map((d) => svg`<path class="edge" d=${d} marker-end="url(#arrow)"></path>`)}
        ${drawing.ways.map((way) => this.renderWay(way))}
        ${drawing.nodes.map((node) => this.renderNode(node))}
      </svg>
    `;
  }

  private renderWay({ step, way, x, y, empty }: Way) {
    const taken = this.standing?.get(step)?.taken;
    const name = taken === way ? `${way}, taken` : way;
    return svg`<text class=${taken === way ? "taken" : "of"} x=${x} y=${y + 4}>${name}${empty ? NOTHING : ""}</text>`;
  }

  private renderNode({ step, x, y, width, height }: Node) {
    const its = this.standing?.get(step.name);
    const kind = step.kind === "parallel" ? "step" : step.kind;
    const told = its?.text ?? step.terms ?? step.participant ?? (IN_SERVICE.includes(kind) ? "in this service" : kind);
    const most = Math.floor((width - 24) / CHARACTER);
    const tag = kind !== "step" && kind !== told && told.length + kind.length < most ? kind : null;
    return svg`<g transform="translate(${x} ${y})" class=${its ? its.status.toLowerCase() : ""}>
      <rect class="node ${step.kind}" width=${width} height=${height} rx="8"></rect>
      <text class="name" x="12" y="23">${fit(step.name, 24)}<title>${step.name}</title></text>
      <text class="of" x="12" y="42">${fit(told, most)}<title>${kind}, ${told}</title></text>
      ${tag ? svg`<text class="kind" x=${width - 12} y="42">${tag}</text>` : nothing}
      ${this.counts ? this.renderCounts(step, width) : nothing}
    </g>`;
  }

  private renderCounts(step: DefinitionStep, width: number) {
    const half = width / 2;
    return svg`
      <path class="rule" d="M0 56.5H${width}M${half} 56.5V104"></path>
      ${this.renderCount(step, "forward", 0, half)}
      ${this.renderCount(step, "backward", half, half)}`;
  }

  private renderCount(step: DefinitionStep, direction: StepCount["direction"], x: number, width: number) {
    const at = countAt(this.counts!, step.name, direction);
    const forward = direction === "forward";
    const text = svg`
      <path class="way" d=${forward ? "M11 73h9m-3.5-3.5l3.5 3.5l-3.5 3.5" : "M20 73h-9m3.5-3.5l-3.5 3.5l3.5 3.5"}></path>
      <text class="count" x="27" y="77.5">${count(at.count)}</text>
      ${at.count > 0 ? svg`<text class="age" x="27" y="94">${age(at.ageMs)}</text>` : nothing}`;
    if (at.count === 0) return svg`<g class="none" transform="translate(${x} 0)">${text}</g>`;
    const label = `${count(at.count)} ${age(at.ageMs)} at most, ${step.name}, ${forward ? "forward" : "back"}`;
    return svg`<a class=${direction} transform="translate(${x} 0)" aria-label=${label}
      href=${link("sagas", { definition: this.name, version: this.version || null, step: step.name, direction })}>
      <rect class="hit" x="2" y="58" width=${width - 4} height="44" rx="6"></rect>${text}</a>`;
  }

  static override styles = [
    base,
    css`
      :host { display: block; overflow-x: auto; }
      svg { display: block; font-family: var(--font); }
      .group { fill: none; stroke: var(--line-strong); stroke-dasharray: 4 4; opacity: 0.7; }
      .edge { fill: none; stroke: var(--line-strong); stroke-width: 1.5; }
      marker path { fill: var(--line-strong); }
      .node { fill: var(--surface); stroke: var(--line-strong); stroke-opacity: 0.55; }
      .node.pivot { stroke: var(--text); stroke-opacity: 1; stroke-width: 1.5; }
      .node.choice, .node.wait, .node.sleep, .node.approval { fill: var(--sunken); }
      .skipped .node { fill: none; stroke-dasharray: 3 3; }
      .skipped .name, .pending .name { fill: var(--muted); font-weight: 450; }
      .waiting .node, .awaiting .node { stroke: var(--accent); stroke-opacity: 1; stroke-width: 1.5; }
      .succeeded .node { stroke: var(--good); stroke-opacity: 1; }
      .refused .node, .given_up .node { stroke: var(--bad); stroke-opacity: 1; }
      .compensating .node, .compensated .node { stroke: var(--back); stroke-opacity: 1; }
      .taken { fill: var(--good); font-size: 12px; font-weight: 600; }
      .name { fill: var(--text); font-size: 13px; font-weight: 600; }
      .of, .kind, .age { fill: var(--muted); font-size: 12px; font-variant-numeric: tabular-nums; }
      .kind { text-anchor: end; }
      .rule { stroke: var(--line); fill: none; }
      .count { font-size: 13px; font-weight: 600; fill: currentColor; font-variant-numeric: tabular-nums; }
      .way { stroke: currentColor; fill: none; stroke-width: 1.5; stroke-linecap: round; stroke-linejoin: round; }
      .hit { fill: transparent; }
      a { color: var(--accent); }
      a.backward { color: var(--back); }
      a:hover .hit { fill: var(--accent-tint); }
      a.backward:hover .hit { fill: var(--back-tint); }
      a:focus-visible { outline: none; }
      a:focus-visible .hit { stroke: var(--accent); stroke-width: 2; }
      .none { color: var(--muted); opacity: 0.75; }
      .none .count { font-weight: 450; }
    `,
  ];
}

function fit(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most - 1) + "…";
}
