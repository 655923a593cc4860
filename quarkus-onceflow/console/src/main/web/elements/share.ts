import { css, html, LitElement, nothing, svg } from "lit";
import { customElement, property } from "lit/decorators.js";
import { base } from "../styles/base";
import type { Series } from "./chart";

/** A bar of parts beside each other; what it shows is in words and figures beside it. */
@customElement("oc-share")
export class OcShare extends LitElement {
  @property({ attribute: false }) parts: { tone: Series["tone"]; value: number }[] = [];
  /** As long as the whole width. */
  @property({ type: Number }) whole = 0;

  protected override render() {
    if (this.whole <= 0) return nothing;
    let before = 0;
    return html`<svg viewBox="0 0 ${this.whole} 1" preserveAspectRatio="none" aria-hidden="true">${this.parts.map(({ tone, value }) => {
      const at = before;
      before += value;
      return value > 0 ? svg`<rect class=${tone} x=${at} width=${value} height="1"></rect>` : nothing;
    })}</svg>`;
  }

  static override styles = [
    base,
    css`
      :host { display: block; min-width: 6rem; }
      svg { display: block; width: 100%; height: 0.75rem; background: var(--sunken); border-radius: 2px; }
      rect { fill: currentColor; }
      .accent { color: var(--accent); } .good { color: var(--good); } .warn { color: var(--warn); } .bad { color: var(--bad); } .back { color: var(--back); }
    `,
  ];
}
