import { css, html, LitElement, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { timeOfDay } from "../format";
import { icons } from "../icons";
import { base } from "../styles/base";
import { freshness } from "../view";

/** As of when all is that the view below shows. It has the attribute `late` while answers are due that have not come. */
@customElement("oc-freshness")
export class OcFreshness extends LitElement {
  private clock = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.clock = window.setInterval(() => this.requestUpdate(), 1000);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearInterval(this.clock);
  }

  protected override render() {
    const { asOf, late, problem } = freshness();
    this.toggleAttribute("late", late);
    const time = asOf === null ? "" : `as of ${timeOfDay(asOf)}`;
    return html`
      <p role="status">${late ? html`<span class="late">${icons.warning}<span><strong>Not live: ${time}.</strong> ${problem?.title ?? "The service did not respond"}. What is shown may have changed since.</span></span>` : nothing}</p>
      ${late || !time ? nothing : html`<p class="small muted">${time}</p>`}
    `;
  }

  static override styles = [
    base,
    css`
      :host { display: block; text-align: end; font-variant-numeric: tabular-nums; margin-top: calc(-1 * var(--s3)); }
      .late { display: flex; gap: var(--s3); align-items: center; text-align: start; padding: var(--s2) var(--s4); margin-block: var(--s3); border: 1px solid var(--warn); border-radius: 10px; background: var(--warn-tint); }
      svg { color: var(--warn); flex: none; }
    `,
  ];
}
