import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { Problem } from "../api";
import { icons } from "../icons";
import { base } from "../styles/base";

/** What went wrong, in words. Dispatches "retry" where `retry` is set and somebody asks for it. Nothing where there is no problem. */
@customElement("oc-problem")
export class OcProblem extends LitElement {
  @property({ attribute: false }) problem: Problem | null = null;
  @property({ type: Boolean }) retry = false;

  /** Takes no room, nor a gap of the grid it is in, while there is nothing to say. */
  protected override willUpdate(): void {
    this.hidden = !this.problem;
  }

  protected override render() {
    const p = this.problem;
    if (!p) return nothing;
    return html`
      <div class="box" role="alert">
        ${icons.warning}
        <div>
          <strong>${p.title}</strong>
          ${p.detail && p.detail !== p.title ? html`<p class="break">${p.detail}</p>` : nothing}
        </div>
        ${this.retry ? html`<button @click=${() => this.dispatchEvent(new Event("retry"))}>Try again</button>` : nothing}
      </div>
    `;
  }

  static override styles = [
    base,
    css`
      :host { display: block; }
      .box { display: grid; grid-template-columns: auto 1fr auto; gap: var(--s3); align-items: start; padding: var(--s3) var(--s4); border-radius: 10px; background: var(--bad-tint); border: 1px solid var(--bad); }
      svg { color: var(--bad); margin-top: 0.125rem; }
      strong { font-weight: 620; }
    `,
  ];
}
