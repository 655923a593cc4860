import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { absolute, relative } from "../format";

/** One clock for all of them; it stops when none is on the page. */
const shown = new Set<OcTime>();
let clock = 0;

/** A moment, "3 min ago", with the exact one as its title; `exact` shows that one. */
@customElement("oc-time")
export class OcTime extends LitElement {
  @property() at: string | null = null;
  @property({ type: Boolean }) exact = false;

  override connectedCallback(): void {
    super.connectedCallback();
    shown.add(this);
    clock ||= window.setInterval(() => shown.forEach((t) => t.requestUpdate()), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    shown.delete(this);
    if (shown.size > 0) return;
    clearInterval(clock);
    clock = 0;
  }

  protected override render() {
    if (!this.at) return html`<span>–</span>`;
    const exact = absolute(this.at, this.exact);
    return html`<time datetime=${this.at} title=${exact}>${this.exact ? exact : relative(this.at)}</time>`;
  }

  static override styles = css`
    :host { white-space: nowrap; font-variant-numeric: tabular-nums; }
  `;
}
