import { QwcHotReloadElement, html, css } from 'qwc-hot-reload-element';
import { JsonRpc } from 'jsonrpc';
import { notifier } from 'notifier';
import '@vaadin/button';
import '@vaadin/grid';
import { columnBodyRenderer } from '@vaadin/grid/lit.js';

/** The messages that could not be handled, each with a button that redrives it. */
export class QwcOnceflowParked extends QwcHotReloadElement {
  jsonRpc = new JsonRpc(this);

  static styles = css`:host { display: block; padding: 0 1em; }`;

  static properties = { _messages: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.hotReload();
    this._timer = setInterval(() => this.hotReload(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this._timer);
    super.disconnectedCallback();
  }

  hotReload() {
    this.jsonRpc.parkedMessages().then(answer => { this._messages = answer.result; });
  }

  render() {
    return html`
      <vaadin-grid .items="${this._messages ?? []}" theme="no-border">
        <vaadin-grid-column path="parkedAt"></vaadin-grid-column>
        <vaadin-grid-column path="queue"></vaadin-grid-column>
        <vaadin-grid-column path="type"></vaadin-grid-column>
        <vaadin-grid-column path="reason"></vaadin-grid-column>
        <vaadin-grid-column path="detail"></vaadin-grid-column>
        <vaadin-grid-column ${columnBodyRenderer(message => this._button(message), [])}></vaadin-grid-column>
      </vaadin-grid>`;
  }

  _button(message) {
    return html`<vaadin-button theme="small" @click=${() => this._redrive(message.id)}>redrive</vaadin-button>`;
  }

  _redrive(message) {
    this.jsonRpc.redrive({ message }).then(answer => {
      notifier.showInfoMessage(answer.result);
      this.hotReload();
    });
  }
}
customElements.define('qwc-onceflow-parked', QwcOnceflowParked);
