import type { TemplateResult } from "lit";
import type { BadgeName } from "./badges";
import { CONSOLE } from "./base";

export interface Route {
  /** Below the console's address, as "sagas/:id". */
  path: string;
  /** Of the document, until the view tells a better one. */
  title: string;
  /** The view's element; it is defined once load() is done. */
  tag: string;
  load: () => Promise<unknown>;
  /** Has a place in the navigation, with this icon. */
  icon?: TemplateResult;
  /** The number that it has in the navigation. */
  badge?: BadgeName;
  /** Also for who is not signed in. */
  open?: boolean;
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

/** The first route whose pattern is the path's, with what stands in the place of its ":names". */
export function match(routes: Route[], path: string): Match | null {
  const parts = path.split("/").filter(Boolean);
  for (const route of routes) {
    const pattern = route.path.split("/").filter(Boolean);
    if (pattern.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const same = pattern.every((part, i) => {
      if (!part.startsWith(":")) return part === parts[i];
      const value = decoded(parts[i]);
      params[part.slice(1)] = value ?? "";
      return value !== null;
    });
    if (same) return { route, params };
  }
  return null;
}

/** Null where the percent-encoding is malformed, as in "%ff": no view has such an address. */
function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/** An address within the console: link("sagas", {status: "STUCK"}) is "/console/sagas?status=STUCK". */
export function link(path: string, query: Record<string, string | number | null | undefined> = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value != null && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return CONSOLE + path + (text ? "?" + text : "");
}

/** Where to go once somebody is signed in, below the console. The issuer's answer to a refused sign-in has it with the console's own path. */
export function returnPath(query: URLSearchParams): string {
  const to = query.get("to") ?? "";
  return (to.startsWith(CONSOLE) ? to.slice(CONSOLE.length) : to).replace(/^\/+/, "");
}

/** Where the page is. "change" is dispatched after every move, its detail says whether it came to another view. */
class Router extends EventTarget {
  /** Below the console: "sagas/1a2b", "" for the overview. */
  get path(): string {
    return location.pathname.startsWith(CONSOLE) ? location.pathname.slice(CONSOLE.length) : "";
  }

  get query(): URLSearchParams {
    return new URLSearchParams(location.search);
  }

  start(): void {
    addEventListener("popstate", () => this.moved());
    addEventListener("click", (e) => this.followLink(e));
  }

  go(address: string, replace = false): void {
    history[replace ? "replaceState" : "pushState"](null, "", address);
    this.moved();
  }

  /** Changes some of the query's parameters, null removes one. Goes back by the browser's button only where push is set. */
  setQuery(changes: Record<string, string | number | null | undefined>, push = false): void {
    const query = this.query;
    for (const [name, value] of Object.entries(changes)) {
      if (value == null || value === "") query.delete(name);
      else query.set(name, String(value));
    }
    const text = query.toString();
    this.go(location.pathname + (text ? "?" + text : ""), !push);
  }

  private moved(): void {
    this.dispatchEvent(new Event("change"));
  }

  /** Links in any shadow root lead through here, unless the browser is to open them elsewhere. */
  private followLink(e: MouseEvent): void {
    if (e.defaultPrevented || e.button !== 0 || e.metaKey || e.ctrlKey || e.shiftKey || e.altKey) return;
    const anchor = e.composedPath().find((n): n is Element => n instanceof Element && n.localName === "a" && n.hasAttribute("href"));
    if (!anchor || anchor.hasAttribute("target") || anchor.hasAttribute("download")) return;
    const to = new URL(anchor.getAttribute("href")!, location.href);
    if (to.origin !== location.origin || !to.pathname.startsWith(CONSOLE) || to.hash) return;
    if (to.pathname.startsWith(CONSOLE + "sign-in/") || to.pathname === CONSOLE + "sign-out") return;
    e.preventDefault();
    this.go(to.pathname + to.search);
  }
}

export const router = new Router();
