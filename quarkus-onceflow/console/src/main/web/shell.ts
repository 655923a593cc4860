import { css, html, LitElement, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { html as anyTag, unsafeStatic } from "lit/static-html.js";
import { Problem } from "./api";
import { badges } from "./badges";
import { CONSOLE } from "./base";
import { count } from "./format";
import { icons } from "./icons";
import { link, match, returnPath, router, type Match, type Route } from "./router";
import { session } from "./session";
import { base } from "./styles/base";
import { nextTheme, theme, type Theme } from "./theme";
import { routes } from "./views/index";
import type { View } from "./view";
import "./elements/freshness";
import "./elements/problem";

/** They say themselves what needs attention. */
const TELLING = ["oc-overview", "oc-attention"];

const THEME_NAMES: Record<Theme, string> = { system: "system", light: "light", dark: "dark" };

/** The frame of the page: where one can go, who one is, and the view of the address. */
@customElement("oc-console")
export class Shell extends LitElement {
  @state() private here: Match | null = null;
  @state() private query = new URLSearchParams();
  @state() private problem: Problem | null = null;
  @state() private theme = theme();
  @state() private menu = false;
  @state() private ready = false;
  /** The title of the view whose code is being fetched. */
  @state() private loading: string | null = null;
  /** That no view has this address. */
  @state() private lost = false;
  /** Of the latest navigation; an older one that is still loading its view gives way. */
  private navigation = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    session.addEventListener("change", () => this.onSession());
    router.addEventListener("change", () => this.show());
    addEventListener("hashchange", () => this.begin());
    badges.addEventListener("change", () => this.requestUpdate());
    router.start();
    this.begin();
  }

  /** Again where a link with a token is opened on the page itself. */
  private async begin(): Promise<void> {
    this.problem = null;
    try {
      await session.takeFromFragment();
      await session.refresh();
    } catch (e) {
      this.problem = Problem.of(e);
    }
    this.ready = true;
    if (this.problem === null) await this.show();
  }

  private onSession(): void {
    this.requestUpdate();
    if (this.ready) this.show();
  }

  private async show(): Promise<void> {
    const found = match(routes, router.path);
    if (!session.now.signedIn && !found?.route.open) {
      return router.go(link("sign-in", { to: router.path + location.search }), true);
    }
    if (session.now.signedIn && found?.route.path === "sign-in") {
      return router.go(link("") + returnPath(router.query), true);
    }
    const navigation = ++this.navigation;
    this.loading = found?.route.title ?? null;
    let problem: Problem | null = null;
    try {
      await found?.route.load();
    } catch (e) {
      problem = new Problem(0, "This view cannot be loaded", "The service is unreachable, or was renewed meanwhile.");
    }
    if (navigation !== this.navigation) return;
    this.loading = null;
    this.problem = problem;
    this.lost = !found;
    const counted = this.wantsBadges();
    const moved = this.here !== null && (this.here.route !== found?.route || !sameParams(this.here, found));
    this.here = found;
    this.query = router.query;
    this.menu = false;
    if (!counted && this.wantsBadges()) badges.read(() => this.wantsBadges());
    if (moved || !document.title.includes("·")) document.title = `${found?.route.title ?? "Not found"} · Onceflow`;
    if (moved) await this.focusHeading();
  }

  /** Whether the view that is shown leaves the numbers of the navigation to be read here. */
  private wantsBadges(): boolean {
    return session.now.signedIn && session.now.roles.length > 0 && this.here !== null && !TELLING.includes(this.here.route.tag);
  }

  /** Loads the page anew only where it is there to be loaded: the browser would show an error of its own. */
  private async again(): Promise<void> {
    await this.begin();
    if (!this.problem) return;
    const page = await fetch(CONSOLE, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (page?.ok) location.reload();
  }

  private async focusHeading(): Promise<void> {
    await this.updateComplete;
    const view = this.renderRoot.querySelector<View>("main > :not(oc-freshness, .loading)");
    await view?.updateComplete;
    (view?.shadowRoot ?? this.renderRoot).querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  protected override render() {
    if (!this.ready) return html`<p class="loading" role="status">Loading …</p>`;
    const signedIn = session.now.signedIn;
    return html`
      <div class=${signedIn ? "frame" : "frame alone"}>
        ${signedIn ? this.renderSide() : nothing}
        <main tabindex="-1" aria-busy=${this.loading !== null}>
          <p class="loading" role="status">${this.loading === null ? nothing : `Loading ${this.loading} …`}</p>
          <oc-freshness></oc-freshness>${this.renderView()}
        </main>
      </div>
    `;
  }

  private renderView() {
    if (this.problem) return html`<oc-problem .problem=${this.problem} retry @retry=${() => this.again()}></oc-problem>`;
    if (!this.here && !this.lost) return nothing;
    if (!this.here) {
      return html`<div class="lost"><h1 tabindex="-1">There is no such page</h1><p><a href=${link("")}>Go to the overview</a></p></div>`;
    }
    if (session.now.signedIn && session.now.roles.length === 0) return this.renderWithoutRole();
    const tag = unsafeStatic(this.here.route.tag);
    return anyTag`<${tag} .params=${this.here.params} .query=${this.query}></${tag}>`;
  }

  private renderWithoutRole() {
    return html`
      <div class="lost">
        <h1 tabindex="-1">Your account has no role here</h1>
        <p>You are signed in as ${session.now.name}, but have neither the role <code>viewer</code> nor the role <code>operator</code>. Those who administer your accounts can give you one; sign out and in again after that.</p>
      </div>
    `;
  }

  private renderSide() {
    return html`
      <header>
        <button class="skip" @click=${() => this.renderRoot.querySelector<HTMLElement>("main")?.focus()}>Skip to the content</button>
        <div class="brand">
          <a class="name" href=${link("")}>${icons.brand}<span>Onceflow</span></a>
          <button class="quiet menu" aria-expanded=${this.menu} aria-controls="places" @click=${() => (this.menu = !this.menu)}>
            ${this.menu ? icons.close : icons.menu}<span class="heard">Menu</span>
          </button>
        </div>
        <div class="fold" ?data-open=${this.menu}>
          <form role="search" aria-label="Sagas" @submit=${this.search}>
            <label><span class="heard">Search for a saga</span><input name="q" type="search" placeholder="Find a saga" title="By its id or its order's, whole or short${session.operator ? ", an idempotency key or a customer" : ""}" required maxlength="200" autocomplete="off" spellcheck="false"></label>
          </form>
          <nav id="places" aria-label="Views">
            ${routes.filter((route) => route.icon).map((route) => this.renderPlace(route))}
          </nav>
          <div class="who">
            <button class="quiet" @click=${() => (this.theme = nextTheme())} >
              ${icons[this.theme]}<span>Colours: ${THEME_NAMES[this.theme]}</span>
            </button>
            <button class="quiet" @click=${() => session.signOut()}>${icons.out}<span>Sign out</span></button>
            <p class="small"><span class="break">${session.now.name}</span><span class="muted">${session.operator ? "operator" : session.now.roles.includes("viewer") ? "viewer" : "without a role"}</span></p>
          </div>
        </div>
      </header>
    `;
  }

  private search(e: SubmitEvent): void {
    e.preventDefault();
    const form = e.target as HTMLFormElement;
    router.go(link("search", { q: String(new FormData(form).get("q")).trim() }));
    form.reset();
  }

  private renderBadge({ badge }: Route) {
    const number = badge ? badges.number(badge) : 0;
    const what = badge === "parked" ? "message" : "cause";
    return number === 0 ? nothing : html`<span class="badge number">${count(number)}<span class="heard"> ${what}${number === 1 ? "" : "s"}</span></span>`;
  }

  private renderPlace(route: Route) {
    const here = router.path.split("/")[0] === route.path;
    return html`<a href=${link(route.path)} aria-current=${here ? "page" : nothing}>${route.icon}<span>${route.title}</span>${this.renderBadge(route)}</a>`;
  }

  static override styles = [
    base,
    css`
      :host { display: block; min-height: 100vh; }
      .skip { position: absolute; inset-inline-start: var(--s3); top: -4rem; z-index: 10; }
      .skip:focus { top: var(--s3); }
      .frame { display: grid; grid-template-columns: 13.5rem minmax(0, 1fr); min-height: 100vh; }
      .frame.alone { grid-template-columns: minmax(0, 1fr); }
      header { position: sticky; top: 0; height: 100vh; display: flex; flex-direction: column; padding: var(--s4) var(--s3); background: var(--surface); border-inline-end: 1px solid var(--line); }
      .brand { display: flex; align-items: center; justify-content: space-between; padding: 0 var(--s2) var(--s4); }
      .name { display: inline-flex; align-items: center; gap: var(--s2); color: var(--text); font-weight: 680; font-size: 1rem; letter-spacing: -0.01em; }
      .name:hover { text-decoration: none; }
      .name svg { color: var(--accent); }
      .menu { display: none; }
      .fold { display: flex; flex-direction: column; flex: 1; min-height: 0; overflow-y: auto; }
      header form { padding-bottom: var(--s3); }
      nav { display: grid; gap: 2px; align-content: start; }
      nav a { display: flex; align-items: center; gap: var(--s3); padding: 0.375rem var(--s2); border-radius: var(--radius); color: var(--muted); font-weight: 500; }
      nav a:hover { background: var(--hover); color: var(--text); text-decoration: none; }
      nav a[aria-current] { background: var(--accent-tint); color: var(--accent); font-weight: 600; }
      nav .badge { margin-inline-start: auto; padding: 0 0.4375rem; border-radius: 1rem; background: var(--warn-tint); color: var(--warn); font-size: 0.75rem; font-weight: 600; }
      .who { margin-top: auto; padding-top: var(--s4); display: grid; gap: 2px; }
      .who button { justify-content: flex-start; padding-inline: var(--s2); gap: var(--s3); }
      .who p { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 var(--s2); padding: var(--s3) var(--s2) 0; margin-top: var(--s2); border-top: 1px solid var(--line); }
      main { padding: var(--s5) var(--s6) var(--s6); max-width: 100rem; width: 100%; outline: none; }
      .alone main { max-width: none; }
      oc-freshness[late] ~ * { color: var(--muted); --text: var(--muted); --good: var(--muted); --warn: var(--muted); --bad: var(--muted); --back: var(--muted); }
      .loading { position: sticky; top: 0; z-index: 5; color: var(--muted); animation: late 0s 150ms both; }
      main > .loading:empty { display: none; }
      @keyframes late { from { visibility: hidden; } to { visibility: visible; } }
      .loading:not(:empty) ~ :not(oc-freshness) { opacity: 0.6; }
      .lost { display: grid; gap: var(--s3); }
      @media (max-width: 52rem) {
        .frame { grid-template-columns: minmax(0, 1fr); grid-template-rows: auto 1fr; }
        header { position: static; height: auto; padding: var(--s2) var(--s3); border-inline-end: 0; border-bottom: 1px solid var(--line); }
        .brand { padding: 0 var(--s1); }
        .menu { display: inline-flex; padding-inline: var(--s2); }
        .fold { display: none; }
        .fold[data-open] { display: flex; padding-top: var(--s2); }
        nav a { padding-block: 0.625rem; }
        main { padding: var(--s4) var(--s3) var(--s6); }
      }
    `,
  ];
}

function sameParams(a: Match, b: Match | null): boolean {
  return JSON.stringify(a.params) === JSON.stringify(b?.params);
}
