import { css, html, LitElement } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { icons } from "../icons";
import { base } from "../styles/base";

/**
 * A modal dialog: heading, content, and buttons in slot "actions". show() opens it with the focus on its first field; Escape, its cross and close() close it,
 * upon which it dispatches "close" and the focus goes back to where it was.
 */
@customElement("oc-dialog")
export class OcDialog extends LitElement {
  @property() heading = "";
  @query("dialog") private dialog!: HTMLDialogElement;

  async show(): Promise<void> {
    await this.updateComplete;
    if (!this.dialog.open) this.dialog.showModal();
    this.querySelector<HTMLElement>("input, textarea, select")?.focus();
  }

  close(): void {
    this.dialog.close();
  }

  protected override render() {
    return html`
      <dialog aria-labelledby="heading" @close=${() => this.dispatchEvent(new Event("close"))}>
        <div class="head">
          <h2 id="heading">${this.heading}</h2>
          <button class="quiet" aria-label="Close" @click=${() => this.close()}>${icons.close}</button>
        </div>
        <div class="body"><slot></slot></div>
        <div class="actions"><slot name="actions"></slot></div>
      </dialog>
    `;
  }

  static override styles = [
    base,
    css`
      dialog { width: min(36rem, calc(100vw - 2rem)); max-height: calc(100vh - 4rem); padding: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--raised); color: var(--text); box-shadow: var(--shadow); }
      dialog::backdrop { background: #0008; }
      .head { display: flex; align-items: center; justify-content: space-between; gap: var(--s3); padding: var(--s4) var(--s4) 0; }
      .head button { padding-inline: var(--s2); }
      .body { padding: var(--s3) var(--s4) var(--s4); display: grid; gap: var(--s3); overflow-wrap: anywhere; }
      .actions { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: var(--s2); padding: 0 var(--s4) var(--s4); }
    `,
  ];
}

