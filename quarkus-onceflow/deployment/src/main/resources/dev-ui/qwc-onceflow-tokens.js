import { QwcHotReloadElement, html, css } from 'qwc-hot-reload-element';
import { JsonRpc } from 'jsonrpc';

/** The tokens that Dev Services hand out, each in the header with which curl sends it. */
export class QwcOnceflowTokens extends QwcHotReloadElement {
  jsonRpc = new JsonRpc(this);

  static styles = css`
    :host { display: block; padding: 0 1em; }
    pre { white-space: pre-wrap; word-break: break-all; }`;

  static properties = { _tokens: { state: true } };

  connectedCallback() {
    super.connectedCallback();
    this.hotReload();
  }

  hotReload() {
    this.jsonRpc.tokens().then(answer => { this._tokens = answer.result; });
  }

  render() {
    const tokens = this._tokens ?? [];
    return tokens.length === 0
      ? html`<p>Tokens are here if the application has quarkus-smallrye-jwt and names no key.</p>`
      : tokens.map(it => html`<h4>${it.role}</h4><pre>Authorization: Bearer ${it.token}</pre>`);
  }
}
customElements.define('qwc-onceflow-tokens', QwcOnceflowTokens);
