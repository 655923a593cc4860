import { css, html, LitElement } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { copyText } from "../copy";
import { icons } from "../icons";
import { base } from "../styles/base";

const SHOWN_MS = 4000;
const WORDS = { copied: "Copied", selected: "Selected: copy it by the keyboard" };

/** A small button behind what it wraps, which copies a value: <oc-copy label="the saga's id" .value=${id}>…</oc-copy>. */
@customElement("oc-copy")
export class OcCopy extends LitElement {
  @property() value = "";
  /** What is copied, as the button's name says it. */
  @property() label = "";
  @state() private done: keyof typeof WORDS | null = null;

  protected override render() {
    return html`<slot></slot><button class="quiet" aria-label="Copy ${this.label}" title="Copy ${this.label}" @click=${this.copy}>${icons.copy}</button><span role="status" class="small muted">${this.done ? WORDS[this.done] : ""}</span>`;
  }

  private async copy(): Promise<void> {
    const shown = [...this.querySelectorAll("*")].find((it) => it.textContent === this.value) ?? this;
    this.done = await copyText(this.value, shown);
    setTimeout(() => (this.done = null), SHOWN_MS);
  }

  static override styles = [
    base,
    css`
      :host { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0 var(--s2); max-width: 100%; }
      ::slotted(*) { overflow-wrap: anywhere; min-width: 0; }
      button { padding: 0 var(--s1); min-height: 1.5rem; }
    `,
  ];
}
