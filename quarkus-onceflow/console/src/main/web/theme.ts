/** Light, dark, or as the system has it. Kept for this browser. */
export type Theme = "system" | "light" | "dark";

const KEY = "onceflow.theme";
const THEMES: Theme[] = ["system", "light", "dark"];

export function theme(): Theme {
  const kept = localStorage.getItem(KEY) as Theme;
  return THEMES.includes(kept) ? kept : "system";
}

export function nextTheme(): Theme {
  const next = THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length];
  localStorage.setItem(KEY, next);
  apply();
  return next;
}

function apply(): void {
  const now = theme();
  if (now === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = now;
}

apply();
