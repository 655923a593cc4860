import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import { base } from "../styles/base";
import type { Tone } from "./status";

/** One figure and what it counts; a link to the list behind it where there is an href. */
@customElement("oc-tile")
export class OcTile extends LitElement {
  @property() label = "";
  @property() value = "";
  /** A second, smaller line. */
  @property() note = "";
  @property() href?: string;
  @property() tone: Tone = "neutral";

  protected override render() {
    const content = html`
      <span class="label">${this.label}</span>
      <span class="value">${this.value}</span>
      ${this.note ? html`<span class="note">${this.note}</span>` : nothing}
    `;
    return this.href ? html`<a class="tile ${this.tone}" href=${this.href}>${content}</a>` : html`<div class="tile ${this.tone}">${content}</div>`;
  }

  static override styles = [
    base,
    css`
      :host { display: block; min-width: 0; }
      .tile { display: grid; gap: 0.125rem; align-content: start; height: 100%; padding: var(--s3) var(--s4); border: 1px solid var(--line); border-radius: 10px; background: var(--surface); color: var(--text); transition: border-color var(--quick); }
      a.tile:hover { border-color: var(--line-strong); text-decoration: none; }
      .label { font-size: 0.8125rem; color: var(--muted); }
      .value { font-size: 1.5rem; font-weight: 640; letter-spacing: -0.02em; line-height: 1.25; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
      .note { font-size: 0.75rem; color: var(--muted); font-variant-numeric: tabular-nums; }
      .bad { background: var(--bad-tint); border-color: var(--bad); }
      .bad .value { color: var(--bad); }
      .warn { background: var(--warn-tint); border-color: var(--warn); }
      .warn .value { color: var(--warn); }
      .bad .label, .warn .label, .bad .note, .warn .note { color: var(--text); }
      .back .value { color: var(--back); }
      @media (max-width: 40rem) {
        .tile { padding: var(--s2) var(--s3); }
        .value { font-size: 1.25rem; }
      }
    `,
  ];
}
